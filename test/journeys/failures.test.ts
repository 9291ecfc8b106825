import { describe, expect, test } from 'vitest';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { asOwner, blockCall } from '../../sandbox/chain/deploy.ts';
import { actAsOwner } from '../../sandbox/chain/owner.ts';
import { editRow } from '../support/partner-api.ts';
import { vendorSays } from '../support/provider-faults.ts';
import { openPix } from '../support/purchases.ts';
import { expectRefunded } from '../support/refunds.ts';
import { kms, physical, randomCpf, rowOf, sandbox } from '../support/sandbox.ts';
import { openSeals } from '../support/seals.ts';

const PAID_BY_ANOTHER_CPF = '900.000.007-60';

const settlementOf = (transactionId: string) => rowOf('TablesSettlements', `PAY#${transactionId}`);

describe.concurrent('a paid purchase is refunded and sends nothing', () => {
  test.each(ASSET_NAMES)(
    'when the issuer of %s blocks the wallet after the purchase was opened',
    async (asset) => {
      const purchase = await openPix({ asset });
      await actAsOwner(sandbox().rpcUrl, blockCall(asset, purchase.walletAddress));

      await purchase.client.sandbox.pay(purchase.transactionId);

      await expectRefunded(purchase, 'WALLET_RISK_TOO_HIGH', 250);
      expect(await settlementOf(purchase.transactionId)).toBeUndefined();
    },
  );

  // docs/decisions.md, "The payer must be the client"
  // docs/decisions.md, "Paid, then failed"
  test.each([
    { who: 'the CPF of the scenario', cpf: PAID_BY_ANOTHER_CPF, payerCpf: undefined },
    { who: 'any other CPF', cpf: undefined, payerCpf: randomCpf() },
  ])('when another person paid: $who', async ({ cpf, payerCpf }) => {
    const purchase = await openPix({ cpf });

    await purchase.client.sandbox.pay(purchase.transactionId, { payerCpf });

    await expectRefunded(purchase, 'PAYER_MISMATCH', 250);
    expect(await settlementOf(purchase.transactionId)).toBeUndefined();
  });

  test.each([
    { what: 'a centavo too little', amountBrl: 249.99 },
    { what: 'a centavo too much', amountBrl: 250.01 },
    { what: 'ten times the amount', amountBrl: 2500 },
  ])('when $what was paid: the whole payment is returned', async ({ amountBrl }) => {
    const purchase = await openPix();

    await purchase.client.sandbox.pay(purchase.transactionId, { amountBrl });

    await expectRefunded(purchase, 'AMOUNT_MISMATCH', amountBrl);
    expect(await settlementOf(purchase.transactionId)).toBeUndefined();
  });

  test('when a vendor judges the wallet severe after the purchase was opened', async () => {
    const purchase = await openPix();
    await vendorSays(purchase.walletAddress, { risk: 'Severe', riskReason: 'Identified as Stolen Funds' });

    await purchase.client.sandbox.pay(purchase.transactionId);

    await expectRefunded(purchase, 'WALLET_RISK_TOO_HIGH', 250);
    expect(await settlementOf(purchase.transactionId)).toBeUndefined();
  });

  test('when the oracle lists the wallet after the purchase was opened', async () => {
    const purchase = await openPix();
    await asOwner(sandbox().rpcUrl, 'SanctionsOracle', 'addToSanctionsList', [[purchase.walletAddress]]);

    await purchase.client.sandbox.pay(purchase.transactionId);

    await expectRefunded(purchase, 'WALLET_RISK_TOO_HIGH', 250);
    expect(await settlementOf(purchase.transactionId)).toBeUndefined();
  });

  test('at the first try, when its wallet has become one of the treasury’s since it was opened', async () => {
    const purchase = await openPix();
    const { hotWallets } = (await rowOf('TablesFloats', 'USDC')) as { hotWallets: Set<string> };
    const [to = ''] = hotWallets;
    const { transactionId } = purchase;
    // The row keeps valid seals, as if its wallet became the treasury's later. Without them a person would be called.
    const { seal } = openSeals(kms(), { dataKeyId: physical('KeysData') });
    const { sealedDestination } = await seal({ transactionId, asset: 'USDC', units: 0n, to });
    await editRow('TablesTransactions', transactionId, { walletAddress: to, sealedDestination });

    await purchase.client.sandbox.pay(purchase.transactionId);

    await expectRefunded(purchase, 'WALLET_RISK_TOO_HIGH', 250);
    expect(await settlementOf(purchase.transactionId)).toMatchObject({
      state: 'FAILED',
      tries: ['DESTINATION_RESERVED'],
      attempts: [],
    });
  });
});
