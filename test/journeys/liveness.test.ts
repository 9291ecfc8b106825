import { describe, expect, test } from 'vitest';
import { callbacksProcessed } from '../support/callback-queue.ts';
import { checkPageOf } from '../support/liveness-page.ts';
import { call, initiate, statusPath } from '../support/partner-api.ts';
import { documentShows, pspDownFor, reviewSays } from '../support/provider-faults.ts';
import { endOf, eventsOf, newWallet, type Purchase, transfersTo } from '../support/purchases.ts';
import { aPurchase } from '../support/requests.ts';
import {
  BIOMETRIC_HASH,
  eventually,
  newPartner,
  rowOf,
  sandbox,
  untilNextSecond,
} from '../support/sandbox.ts';

const HIGH = '111.444.777-35';
const PEP = '900.000.001-75';

/** A purchase of a client who must show their face. A link is valid for ten minutes, which are shortened here. */
async function atLiveness(cpf: string): Promise<Purchase & { livenessUrl: string; riskTier: string }> {
  const partner = await newPartner();
  const { token: kycToken, riskTier } = await partner.client.submitKyc({
    cpf,
    biometricHash: BIOMETRIC_HASH,
  });
  const walletAddress = newWallet();
  const request = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress } as const;
  const { transactionId, status, authChallenge } = await partner.client.initiateTransaction(request);
  expect(status).toBe('PENDING_AUTH');
  if (authChallenge.type !== 'LIVENESS') throw new Error(`the challenge is ${authChallenge.type}`);
  expect(authChallenge.instruction).toMatch(/your face/);
  const { livenessUrl } = authChallenge;
  return { ...partner, cpf, kycToken, transactionId, walletAddress, otpauthUri: '', livenessUrl, riskTier };
}

/** Clicks through as a person without scripts does: from our page to the forms of the provider's page. */
async function clickThrough(livenessUrl: string, answer: 'GREEN' | 'RED'): Promise<string> {
  const url = await checkPageOf(livenessUrl);
  const page = await (await fetch(url)).text();
  const consent = formsOf(page, url);
  if (!consent[0]) throw new Error(`the page has no form: ${page}`);
  const check = await (await submit(consent[0])).text();
  const wanted = formsOf(check, url).find(({ text }) => text.includes(`value="${answer}"`));
  if (!wanted) throw new Error(`the page has no way to ${answer}`);
  return (await submit({ ...wanted, answer })).text();
}

const checkOf = async (livenessUrl: string) => (await fetch(await checkPageOf(livenessUrl))).text();

type Form = { action: string; text: string; answer?: string };

function formsOf(page: string, url: string): Form[] {
  return [...page.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)].map(([text]) => {
    const action = /action="([^"]*)"/.exec(text)?.[1] ?? '';
    return { action: new URL(action, url).href, text };
  });
}

function submit({ action, text, answer }: Form): Promise<Response> {
  const fields = [...text.matchAll(/<input\b[^>]*>/g)].map(([input]) => [
    /name="([^"]*)"/.exec(input)?.[1] ?? '',
    /value="([^"]*)"/.exec(input)?.[1] ?? 'on',
  ]);
  const button = /<button\b[^>]*name="([^"]*)"/.exec(text)?.[1];
  const body = new URLSearchParams(fields.filter(([name]) => name !== ''));
  if (button && answer) body.set(button, answer);
  return fetch(action, { method: 'POST', body });
}

const statusOf = ({ client, transactionId }: Purchase) => client.getTransactionStatus(transactionId);

async function expectBought(purchase: Purchase): Promise<void> {
  const { client, transactionId, walletAddress } = purchase;
  const cleared = await client.waitForStatus(transactionId, ['AWAITING_PIX'], { intervalMs: 200 });
  expect(cleared.pixPayload).toMatch(/^000201/);
  const told = await eventsOf(purchase, 2);
  expect(told).toMatchObject([
    { type: 'transaction.mfa_cleared', data: { sequence: 1, status: 'AWAITING_PIX' } },
    { type: 'transaction.pix_ready', data: { sequence: 2, pixPayload: cleared.pixPayload } },
  ]);
  await client.sandbox.pay(transactionId);
  const { txHash } = await endOf(purchase, ['COMPLETED']);
  const transfers = await transfersTo(sandbox().rpcUrl, walletAddress);
  expect(transfers.map(({ transactionHash }) => transactionHash)).toEqual([txHash]);
  expect((await eventsOf(purchase, 4)).map(({ type }) => type)).toEqual([
    'transaction.mfa_cleared',
    'transaction.pix_ready',
    'transaction.processing',
    'transaction.completed',
  ]);
}

describe('a client who must show their face', () => {
  // Spec, What the service does: "a special test CPF exists"
  // Spec, Auth challenge: "Present only when type is LIVENESS"
  test.each([
    { tier: 'HIGH', cpf: HIGH },
    { tier: 'PEP', cpf: PEP },
  ])('of tier $tier passes the check and buys', async ({ tier, cpf }) => {
    const purchase = await atLiveness(cpf);
    expect(purchase.riskTier).toBe(tier);

    const { client, transactionId } = purchase;
    expect(await client.sandbox.liveness(transactionId, { outcome: 'PASSED' })).toEqual({
      transactionId,
      outcome: 'PASSED',
    });

    await expectBought(purchase);
  });

  // Spec, Events: "transaction.pix_ready: Includes pixPayload"
  // Spec, Get transaction status: "reads the payload from this endpoint"
  test('clicks through the hosted page and buys', async () => {
    const purchase = await atLiveness(PEP);

    await clickThrough(purchase.livenessUrl, 'GREEN');

    await expectBought(purchase);
  });

  test('fails, gets a link to a new attempt with the next status, and passes the new attempt', async () => {
    const purchase = await atLiveness(HIGH);

    await clickThrough(purchase.livenessUrl, 'RED');

    const { authChallenge, status } = await eventually(
      () => statusOf(purchase),
      ({ authChallenge: now }) => now?.livenessUrl !== undefined && now.livenessUrl !== purchase.livenessUrl,
    );
    expect(status).toBe('AWAITING_MFA');
    await clickThrough(authChallenge!.livenessUrl!, 'GREEN');
    await expectBought(purchase);
  });

  // Spec, Limits: "Liveness URL validity: 10 minutes"
  // docs/decisions.md, "The liveness check"
  test('finds a dead link after ten minutes, and a fresh one in the status', async () => {
    const purchase = await atLiveness(HIGH);
    const dead = await eventually(
      () => fetch(purchase.livenessUrl),
      ({ status }) => status === 410,
    );
    expect(await dead.text()).not.toContain('href=');

    const { authChallenge } = await statusOf(purchase);

    expect(authChallenge?.livenessUrl).not.toBe(purchase.livenessUrl);
    const fresh = await fetch(await checkPageOf(authChallenge!.livenessUrl!));
    expect([fresh.status, formsOf(await fresh.text(), fresh.url)]).toEqual([200, [expect.anything()]]);
  });

  // Spec, Transaction states: "EXPIRED: no MFA response within 15 minutes"
  test('does nothing for fifteen minutes: the purchase expires with its event', async () => {
    const purchase = await atLiveness(PEP);

    await endOf(purchase, ['EXPIRED']);

    expect(await eventsOf(purchase, 1)).toMatchObject([
      { type: 'transaction.expired', data: { sequence: 1, status: 'EXPIRED' } },
    ]);
    await expect(
      purchase.client.sandbox.liveness(purchase.transactionId, { outcome: 'PASSED' }),
    ).rejects.toMatchObject({ code: 'INVALID_TRANSACTION_STATE' });
  });

  test('passes while the payment provider is out: the payload comes once it is back', async () => {
    const purchase = await atLiveness(HIGH);
    const outage = await pspDownFor(purchase.transactionId);
    await purchase.client.sandbox.liveness(purchase.transactionId, { outcome: 'PASSED' });
    await callbacksProcessed();
    expect((await statusOf(purchase)).status).toBe('AWAITING_MFA');

    await outage.heal();

    await expectBought(purchase);
  });

  test('cannot answer with a TOTP code', async () => {
    const purchase = await atLiveness(HIGH);

    await expect(
      purchase.client.confirmMfa({ transactionId: purchase.transactionId, totpCode: '123456' }),
    ).rejects.toMatchObject({ code: 'CHALLENGE_TYPE_MISMATCH', status: 409 });
  });

  test('has one purchase and one check if initiate is repeated under its key', async () => {
    const { client, apiKey } = await newPartner();
    const { token } = await client.submitKyc({ cpf: HIGH, biometricHash: BIOMETRIC_HASH });
    const body = aPurchase(token);
    const headers = { 'Idempotency-Key': 'one' };

    const first = await initiate(apiKey, body, { headers });
    const again = await initiate(apiKey, body, { headers });

    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });
});

/** A purchase of Model 2, whose client has an applicant at the provider and must show another document there. */
async function atDocuments(): Promise<Purchase & { livenessUrl: string }> {
  const partner = await newPartner();
  const { client } = partner;
  const { token: kycToken } = await client.submitKyc({
    cpf: HIGH,
    ...(await client.sandbox.partnerKycToken({ cpf: HIGH })),
  });
  const walletAddress = newWallet();
  const request = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress } as const;
  // The first purchase makes the applicant.
  const before = await client.initiateTransaction(request);
  const { clientId } = (await rowOf('TablesTransactions', before.transactionId))!;
  await reviewSays(String(clientId), { answer: 'RED', rejectType: 'RETRY' });
  const purchase = { ...partner, cpf: HIGH, kycToken, walletAddress, otpauthUri: '' };
  const opened = await another(purchase);
  // The provider gives times in seconds. A check of the second of the purchase may be older than the purchase.
  await untilNextSecond();
  return opened;
}

/** A purchase of the same client to the same wallet. */
async function another<Of extends Pick<Purchase, 'client' | 'kycToken' | 'walletAddress'>>(purchase: Of) {
  const { client, kycToken, walletAddress } = purchase;
  const request = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress } as const;
  const { transactionId, authChallenge } = await client.initiateTransaction(request);
  return { ...purchase, transactionId, livenessUrl: authChallenge.livenessUrl! };
}

describe('a client whom the provider has not verified', () => {
  // docs/decisions.md, "The liveness check"
  test('shows document and face at the page, which count as the check', async () => {
    const purchase = await atDocuments();
    expect(await checkOf(purchase.livenessUrl)).toContain('Documentos e rosto');

    await clickThrough(purchase.livenessUrl, 'GREEN');

    await expectBought(purchase);
  });

  // docs/decisions.md, "The liveness check"
  test('clears one of two open purchases by one face; the other gets a link to its own check', async () => {
    const purchase = await atDocuments();
    const purchases = [purchase, await another(purchase)];
    await untilNextSecond();

    await clickThrough(purchase.livenessUrl, 'GREEN');

    const rows = () =>
      Promise.all(purchases.map(async (each) => (await rowOf('TablesTransactions', each.transactionId))!));
    const attemptOf = ({ liveness }: Record<string, unknown>) => (liveness as { attempt: number }).attempt;
    const ended = await eventually(
      rows,
      (now) =>
        now.some(({ status }) => status === 'AWAITING_PIX') &&
        now.some((row) => row.status === 'AWAITING_MFA' && attemptOf(row) === 2),
    );
    const left = purchases[ended.findIndex(({ status }) => status === 'AWAITING_MFA')]!;
    const { status, authChallenge } = await statusOf(left);
    expect(status).toBe('AWAITING_MFA');
    expect(authChallenge!.livenessUrl).not.toBe(left.livenessUrl);
    expect(await checkOf(authChallenge!.livenessUrl!)).not.toContain('Documentos e rosto');
    await endOf(left, ['EXPIRED']);
  });

  test('does not pass with another person’s document', async () => {
    const purchase = await atDocuments();
    const { clientId } = (await rowOf('TablesTransactions', purchase.transactionId))!;
    await documentShows(String(clientId), '90000000507');

    await purchase.client.sandbox.liveness(purchase.transactionId, { outcome: 'PASSED' });

    await eventually(
      () => rowOf('TablesTransactions', purchase.transactionId),
      (row) => (row?.liveness as { attempt: number } | undefined)?.attempt === 2,
    );
    expect((await statusOf(purchase)).status).toBe('AWAITING_MFA');
    await endOf(purchase, ['EXPIRED']);
  });
});

describe('a stranger at the callback for reviews', () => {
  test('gets the answer of an unknown address, with any digest', async () => {
    const purchase = await atLiveness(HIGH);
    const { transactionId } = purchase;
    const body = {
      type: 'applicantActionReviewed',
      externalApplicantActionId: `${transactionId}-1`,
      reviewResult: { reviewAnswer: 'GREEN' },
      reviewStatus: 'completed',
    };
    const digests: Record<string, string>[] = [
      {},
      { 'x-payload-digest': '', 'x-payload-digest-alg': 'HMAC_SHA256_HEX' },
      { 'x-payload-digest': 'ab'.repeat(32), 'x-payload-digest-alg': 'HMAC_SHA256_HEX' },
      { 'x-payload-digest': 'ab'.repeat(20), 'x-payload-digest-alg': 'HMAC_SHA1_HEX' },
    ];

    for (const headers of digests) {
      const answer = await call('POST', '/callbacks/identity', { headers, body });
      expect([answer.status, answer.error.code]).toEqual([404, 'NOT_FOUND']);
    }
    const { data } = await call('GET', statusPath(transactionId), { apiKey: purchase.apiKey });
    expect(data.status).toBe('AWAITING_MFA');
  });
});
