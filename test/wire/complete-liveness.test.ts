import { expect, test } from 'vitest';
import { checkPageOf } from '../support/liveness-page.ts';
import { newWallet } from '../support/purchases.ts';
import { BIOMETRIC_HASH, eventually, newPartner } from '../support/sandbox.ts';

/** The sandbox's CPF of the tier HIGH, whose client must show their face. */
const HIGH = '11144477735';

async function openHigh(returnUrl?: string, partnerMade = newPartner()) {
  const partner = await partnerMade;
  const { token: kycToken } = await partner.client.submitKyc({ cpf: HIGH, biometricHash: BIOMETRIC_HASH });
  const request = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress: newWallet(), returnUrl } as const;
  const { transactionId, authChallenge } = await partner.client.initiateTransaction(request);
  return { ...partner, transactionId, livenessUrl: authChallenge.livenessUrl };
}

const statusOf = ({ client, transactionId }: Awaited<ReturnType<typeof openHigh>>) =>
  client.getTransactionStatus(transactionId);

test('the call passes the check of the partner’s own purchase, which then has its Pix payload', async () => {
  const purchase = await openHigh();

  const answer = await purchase.client.sandbox.liveness(purchase.transactionId, { outcome: 'PASSED' });

  expect(answer).toMatchObject({ transactionId: purchase.transactionId, outcome: 'PASSED' });
  const { pixPayload } = await eventually(
    () => statusOf(purchase),
    ({ status }) => status === 'AWAITING_PIX',
  );
  expect(pixPayload).toMatch(/^000201/);
});

test('the page behind the link does the same for a person', async () => {
  const purchase = await openHigh();
  const check = await checkPageOf(purchase.livenessUrl!);
  const send = (step: string, form: Record<string, string>) =>
    fetch(`${check}/${step}`, { method: 'POST', body: new URLSearchParams(form) });

  const first = await fetch(check);
  expect([first.status, await first.text()]).toEqual([200, expect.stringContaining('Prova de vida')]);
  const second = await send('consent', { consent: 'yes' });
  expect(await second.text()).toContain('Centralize o rosto');
  const third = await send('answer', { answer: 'GREEN' });
  expect([third.status, await third.text()]).toEqual([200, expect.stringContaining('Verificação aprovada')]);

  await eventually(
    () => statusOf(purchase),
    ({ status }) => status === 'AWAITING_PIX',
  );
  for (const url of [check, purchase.livenessUrl!]) expect((await fetch(url)).status).toBe(410);
});

test('the call fails a check once; a new link opens the next check', async () => {
  const purchase = await openHigh();
  const end = (outcome: 'PASSED' | 'FAILED') =>
    purchase.client.sandbox.liveness(purchase.transactionId, { outcome });

  await end('FAILED');

  await expect(end('PASSED')).rejects.toMatchObject({
    code: 'INVALID_TRANSACTION_STATE',
    details: { status: 'AWAITING_MFA' },
  });
});

test('the call refuses a purchase without an open check', async () => {
  const partner = await newPartner();
  const cpf = '52998224725';
  const { token: kycToken } = await partner.client.submitKyc({ cpf, biometricHash: BIOMETRIC_HASH });
  const request = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress: newWallet() } as const;
  const { transactionId } = await partner.client.initiateTransaction(request);

  await expect(partner.client.sandbox.liveness(transactionId, { outcome: 'PASSED' })).rejects.toMatchObject({
    code: 'INVALID_TRANSACTION_STATE',
    details: { status: 'AWAITING_MFA' },
  });
});

test('the call refuses another partner’s purchase like an unknown one, and any other outcome', async () => {
  const { transactionId, client: owner } = await openHigh();
  const { client } = await newPartner();

  await expect(client.sandbox.liveness(transactionId, { outcome: 'PASSED' })).rejects.toMatchObject({
    code: 'TRANSACTION_NOT_FOUND',
  });
  await expect(owner.sandbox.liveness(transactionId, { outcome: 'MAYBE' as 'PASSED' })).rejects.toMatchObject(
    { code: 'INVALID_REQUEST' },
  );
});

// docs/decisions.md, "The liveness check"
test.each(['GREEN', 'RED'])(
  'the page leads back to the partner with the purchase’s id after %s',
  async (answer) => {
    const made = newPartner({ returnHosts: ['shop.example'] });
    await expect(openHigh('https://evil.example/', made)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: {
        issues: [{ path: 'returnUrl', message: 'must have a host of returnHosts in your settings' }],
      },
    });
    const { livenessUrl, transactionId } = await openHigh('https://shop.example/back?order=1', made);
    const check = await checkPageOf(livenessUrl!);
    const send = (step: string, form: Record<string, string>) =>
      fetch(`${check}/${step}`, { method: 'POST', body: new URLSearchParams(form) });

    await send('consent', { consent: 'yes' });
    const page = await (await send('answer', { answer })).text();

    const href = `https://shop.example/back?order=1&amp;transactionId=${transactionId}`;
    expect(page).toContain(`href="${href}"`);
  },
);
