import { describe, expect, test } from 'vitest';
import { asOwner } from '../../sandbox/chain/deploy.ts';
import { pspAt } from '../support/psp.ts';
import { eventsOf, openPix, type Purchase, refundedEnd, transfersTo } from '../support/purchases.ts';
import { rowOf, sandbox } from '../support/sandbox.ts';

const PAID_BY_ANOTHER_CPF = '900.000.007-60';

/** Whatever the reason: nothing was sent, all of the money went back once, the partner was told in order. */
async function expectRefunded(purchase: Purchase, reason: string, amountBrl: number): Promise<void> {
  const { transactionId, walletAddress } = purchase;
  const { rpcUrl } = sandbox();
  const ended = await refundedEnd(purchase);
  const { pix = [] } = (await pspAt(sandbox()).charge(transactionId))!;
  const endToEndId = pix[0]!.endToEndId;

  expect(ended).toMatchObject({ status: 'FAILED', failure: { reason } });
  expect(ended.refund).toEqual({ status: 'REFUNDED', endToEndId, amountBrl, reason });
  expect(ended.txHash).toBeUndefined();
  expect(ended.history.map(({ status }) => status).slice(3)).toEqual(['PROCESSING', 'FAILED']);
  const valor = amountBrl.toFixed(2);
  expect(pix).toMatchObject([{ valor, devolucoes: [{ id: transactionId, valor, status: 'DEVOLVIDO' }] }]);
  expect(await transfersTo(rpcUrl, walletAddress)).toEqual([]);
  expect(await eventsOf(purchase, 2)).toMatchObject([
    { type: 'transaction.failed', data: { sequence: 1, status: 'FAILED', failure: { reason } } },
    { type: 'transaction.refunded', data: { sequence: 2, refund: { endToEndId, amountBrl, reason } } },
  ]);
}

const settlementOf = (transactionId: string) => rowOf('TablesSettlements', `PAY#${transactionId}`);

describe.concurrent('a paid purchase gives the money back and sends nothing', { timeout: 120_000 }, () => {
  test.each([
    { asset: 'USDC', contract: 'UsdcLike', method: 'blacklist' },
    { asset: 'USDT', contract: 'UsdtLike', method: 'addBlackList' },
  ] as const)('when $asset refuses the wallet at one try and three retries', async ({ asset, ...token }) => {
    const purchase = await openPix({ asset });
    await asOwner(sandbox().rpcUrl, token.contract, token.method, [purchase.walletAddress]);

    await purchase.client.sandbox.pay(purchase.transactionId);

    await expectRefunded(purchase, 'SETTLEMENT_FAILED', 250);
    const { tries, nonce, attempts } = (await settlementOf(purchase.transactionId))!;
    expect({ tries, nonce, attempts }).toEqual({
      tries: Array(4).fill('DESTINATION_BLACKLISTED'),
      nonce: undefined,
      attempts: [],
    });
  });

  test('when another CPF paid', async () => {
    const purchase = await openPix({ cpf: PAID_BY_ANOTHER_CPF });

    await purchase.client.sandbox.pay(purchase.transactionId);

    await expectRefunded(purchase, 'PAYER_MISMATCH', 250);
    expect(await settlementOf(purchase.transactionId)).toBeUndefined();
  });

  test.each([
    { what: 'a centavo too little', amountBrl: 249.99 },
    { what: 'a centavo too much', amountBrl: 250.01 },
  ])('when $what was paid: all that was paid', async ({ amountBrl }) => {
    const purchase = await openPix();

    await purchase.client.sandbox.pay(purchase.transactionId, { amountBrl });

    await expectRefunded(purchase, 'AMOUNT_MISMATCH', amountBrl);
    expect(await settlementOf(purchase.transactionId)).toBeUndefined();
  });

  test('when the oracle lists the wallet after the purchase was opened', async () => {
    const purchase = await openPix();
    await asOwner(sandbox().rpcUrl, 'SanctionsOracle', 'addToSanctionsList', [[purchase.walletAddress]]);

    await purchase.client.sandbox.pay(purchase.transactionId);

    await expectRefunded(purchase, 'WALLET_RISK_TOO_HIGH', 250);
    expect(await settlementOf(purchase.transactionId)).toBeUndefined();
  });
});
