import { expect, test } from 'vitest';
import { operations } from '../support/operations.ts';
import { endOf, openPix } from '../support/purchases.ts';
import { BIOMETRIC_HASH, newPartner, randomCpf } from '../support/sandbox.ts';

const { ops } = operations();

// docs/operations.md, "A client's rights"
test('a client whose name is wrong at its source is submitted again, while an open purchase goes on', async () => {
  const cpf = randomCpf();
  const partner = await newPartner();
  const bought = await openPix({ cpf, partner });
  const submission = { cpf, biometricHash: BIOMETRIC_HASH };
  const { client } = partner;
  const { walletAddress } = bought;
  const orderWith = (kycToken: string) =>
    ({ kycToken, amountBrl: 250, asset: 'USDC', walletAddress }) as const;
  const first = await client.submitKyc(submission, { idempotencyKey: 'first' });

  const why = ['--field', 'name', '--reason', 'ticket 4712', '--yes'];
  const corrected = await ops(['subject', 'correct', ...why], cpf);

  expect(corrected, corrected.err).toMatchObject({ code: 0 });
  expect(corrected.out + corrected.err).not.toContain(cpf.replaceAll(/\D/g, ''));
  for (const token of [first.token, bought.kycToken]) {
    expect(await client.getKycStatus(token)).toMatchObject({ status: 'EXPIRED' });
    await expect(client.initiateTransaction(orderWith(token))).rejects.toMatchObject({
      code: 'KYC_TOKEN_EXPIRED',
    });
  }
  const repeated = await client.submitKyc(submission, { idempotencyKey: 'first' });
  expect(repeated).toMatchObject({ token: first.token, status: 'EXPIRED' });
  await client.sandbox.pay(bought.transactionId);
  await endOf(bought, ['COMPLETED']);
  const again = await client.submitKyc(submission);
  expect(again.status).toBe('APPROVED');
  expect(await client.initiateTransaction(orderWith(again.token))).toHaveProperty('transactionId');
});
