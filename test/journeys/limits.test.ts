import { expect, test } from 'vitest';
import { newWallet } from '../support/purchases.ts';
import { BIOMETRIC_HASH, newPartner, randomCpf, totpCode } from '../support/sandbox.ts';

// docs/decisions.md, "Charge limits of a client"
test.concurrent('a client meets a limit, reads what is left, and buys again once the charge is canceled', async () => {
  const { client } = await newPartner();
  const { token: kycToken } = await client.submitKyc({ cpf: randomCpf(), biometricHash: BIOMETRIC_HASH });
  const request = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress: newWallet() } as const;
  const usedOf = async () => {
    const { limits } = await client.getClientLimits(kycToken);
    return Object.fromEntries(limits.map(({ limit, used }) => [limit, used]));
  };
  const { transactionId, authChallenge } = await client.initiateTransaction(request);
  const otpauthUri = authChallenge.enrollment?.otpauthUri ?? '';
  await client.confirmMfa({ transactionId, totpCode: totpCode(otpauthUri) });

  expect(await usedOf()).toMatchObject({ OPEN_CHARGES: 1, DAILY_AMOUNT: 250, YEARLY_AMOUNT: 250 });
  await expect(client.initiateTransaction({ ...request, amountBrl: 100 })).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    details: { limit: 'OPEN_CHARGES', maximum: 1, remaining: 0, resetsAt: expect.any(String), transactionId },
  });
  await client.cancelTransaction(transactionId);

  expect(await usedOf()).toMatchObject({ OPEN_CHARGES: 0, DAILY_AMOUNT: 0, YEARLY_AMOUNT: 0 });
  await client.initiateTransaction({ ...request, amountBrl: 100 });
});
