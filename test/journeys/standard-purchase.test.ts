import { describe, expect, test } from 'vitest';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { balanceOf } from '../../sandbox/chain/deploy.ts';
import { newWallet } from '../support/purchases.ts';
import { BIOMETRIC_HASH, eventually, newPartner, randomCpf, sandbox, totpCode } from '../support/sandbox.ts';

// Spec, Initiate a transaction: "USDT or USDC"
describe.each(ASSET_NAMES)('a STANDARD client buys %s', (asset) => {
  // Spec, What the service does: "sell stablecoins to its end users"
  // Spec, Events: "HTTP POST to the partner"
  // Spec, Initiate a transaction: "Response 200: transactionId, status = PENDING_AUTH, authChallenge"
  // Spec, Events: "may poll the status endpoint instead"
  // docs/decisions.md, "Fields of the answers"
  test('from KYC to the webhook, with the status at every point', async () => {
    const { client } = await newPartner();
    // Other journeys buy at the same time, so this one has its own wallet.
    const walletAddress = newWallet();

    const kyc = await client.submitKyc({ cpf: randomCpf(), biometricHash: BIOMETRIC_HASH });
    expect(kyc).toMatchObject({ status: 'APPROVED', riskTier: 'STANDARD' });
    expect(await client.getKycStatus(kyc.token)).toEqual(kyc);

    const request = { kycToken: kyc.token, amountBrl: 250, asset, walletAddress };
    const opened = await client.initiateTransaction(request);
    const { transactionId, authChallenge } = opened;
    expect(opened.status).toBe('PENDING_AUTH');
    expect(authChallenge.type).toBe('MFA_TOTP');
    expect((await client.getTransactionStatus(transactionId)).status).toBe('AWAITING_MFA');

    const { otpauthUri } = (authChallenge as { enrollment: { otpauthUri: string } }).enrollment;
    const cleared = await client.confirmMfa({ transactionId, totpCode: totpCode(otpauthUri) });
    expect(cleared.status).toBe('AWAITING_PIX');
    expect(cleared.pixQrCode).toMatch(/^data:image\/png;base64,/);
    const waiting = await client.getTransactionStatus(transactionId);
    expect(waiting).toMatchObject({ status: 'AWAITING_PIX', pixPayload: cleared.pixPayload });

    await client.sandbox.pay(transactionId);
    const done = await client.waitForStatus(transactionId, ['COMPLETED'], { intervalMs: 50 });
    expect(done.history.map((entry) => entry.status)).toEqual([
      'CREATED',
      'AWAITING_MFA',
      'AWAITING_PIX',
      'PROCESSING',
      'COMPLETED',
    ]);

    expect(await balanceOf(sandbox().rpcUrl, asset, walletAddress)).toBe(
      BigInt(done.assetAmount.replace('.', '')),
    );
    // On a busy machine an endpoint may be asked twice about one event.
    const webhooks = await eventually(
      async () => onceEach((await client.sandbox.webhooks()).webhooks),
      ({ length }) => length >= 2,
    );
    const amount = done.assetAmount;
    const told = webhooks.map(({ event, verified }) => ({ ...(event as { type: string }), verified }));
    expect(told.sort((a, b) => (a.type < b.type ? -1 : 1))).toMatchObject([
      {
        verified: true,
        type: 'transaction.completed',
        data: { transactionId, sequence: 2, txHash: done.txHash, amount, walletAddress },
      },
      {
        verified: true,
        type: 'transaction.processing',
        data: {
          transactionId,
          sequence: 1,
          status: 'PROCESSING',
          payment: { amountBrl: expect.any(Number) },
        },
      },
    ]);
  });
});

/** One of each id. */
function onceEach<Webhook extends { id: string }>(webhooks: readonly Webhook[]): Webhook[] {
  return [...new Map(webhooks.map((webhook) => [webhook.id, webhook])).values()];
}
