import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { ALTERED } from '../../functions/domain/treasury/doing.ts';
import { executionsIn } from '../support/executions.ts';
import { operations } from '../support/operations.ts';
import { newWallet, openPix, type Purchase, transfersTo } from '../support/purchases.ts';
import { expectNothingSent, expectRefunded } from '../support/refunds.ts';
import { dynamo, eventually, physical, rowOf, sandbox } from '../support/sandbox.ts';

const { ops } = operations();

/** Changes the row of the purchase by hand, as a writer of the table could. */
async function alter({ transactionId: id }: Purchase, set: string, value: unknown): Promise<void> {
  const command = new UpdateCommand({
    TableName: physical('TablesTransactions'),
    Key: { id },
    UpdateExpression: `SET ${set} = :value`,
    ConditionExpression: 'attribute_exists(id)',
    ExpressionAttributeValues: { ':value': value },
  });
  await dynamo().send(command);
}

/** The words with which the visits of settlement have ended. */
async function endsOf({ transactionId }: Purchase): Promise<string[]> {
  const history = await executionsIn(sandbox()).historyOf(transactionId);
  return history.flatMap(({ lambdaFunctionFailedEventDetails }) =>
    lambdaFunctionFailedEventDetails?.error === 'NotYetConfirmed'
      ? [lambdaFunctionFailedEventDetails.cause!]
      : [],
  );
}

/** Pays the altered purchase. Nothing is sent until a person cancels, and then the Pix goes back. */
async function expectHeld(purchase: Purchase, wallets: string[]): Promise<void> {
  const { client, transactionId } = purchase;
  await client.sandbox.pay(transactionId);
  const ends = await eventually(
    () => endsOf(purchase),
    ({ length }) => length >= 2,
  );

  expect(ends.filter((end) => !end.includes(ALTERED))).toEqual([]);
  expect((await client.getTransactionStatus(transactionId)).status).toBe('PROCESSING');
  expect(await rowOf('TablesSettlements', `PAY#${transactionId}`)).toMatchObject({
    state: 'REQUESTED',
    attempts: [],
  });
  expect((await ops(['tx', 'show', transactionId])).out).toContain(ALTERED);
  expect((await ops(['treasury', 'cancel', transactionId, '--reason', 'journey', '--yes'])).code).toBe(0);
  await expectRefunded(purchase, 'SETTLEMENT_CANCELLED', 250);
  for (const wallet of wallets) expect(await transfersTo(sandbox().rpcUrl, wallet)).toEqual([]);
}

// docs/decisions.md, "A sealed payout"
// Threat: "a writer of our tables redirects or enlarges a payout"
describe.concurrent('a purchase whose row was changed by hand before it was paid', () => {
  test('to another wallet sends nothing, and waits for a person', async () => {
    const purchase = await openPix();
    const thief = newWallet();
    await alter(purchase, 'walletAddress', thief);

    await expectHeld(purchase, [thief]);
  });

  test('to more units sends nothing, and waits for a person', async () => {
    const purchase = await openPix();
    await alter(purchase, 'quote.assetUnits', 400_000_000);

    await expectHeld(purchase, []);
  });

  test('to the wallet, the units and the seals of a larger purchase sends nothing, and waits', async () => {
    const [purchase, larger] = [await openPix(), await openPix({ amountBrl: 2_000 })];
    const row = (await rowOf('TablesTransactions', larger.transactionId))!;
    for (const name of ['walletAddress', 'quote', 'sealedDestination', 'sealedUnits'])
      await alter(purchase, name, row[name]);

    await expectHeld(purchase, [larger.walletAddress]);
    await expectNothingSent(larger);
  });
});

// docs/decisions.md, "A sealed payout"
test('a purchase that was begun without seals, as before there were any, waits for a person', async () => {
  const purchase = await openPix();
  await alter(purchase, 'sealedDestination', 'none');
  await alter(purchase, 'sealedUnits', 'none');

  await expectHeld(purchase, []);
});
