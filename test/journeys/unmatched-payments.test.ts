import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { keyIn } from '../../functions/adapters/dynamodb/shards.ts';
import { OPEN } from '../../functions/tables/sharded.ts';
import { operations } from '../support/operations.ts';
import { rowsWhere } from '../support/partner-api.ts';
import { pspAt } from '../support/psp.ts';
import { endOf, eventsOf, openPix, type Purchase, SLOW_MS, transfersTo } from '../support/purchases.ts';
import { expectNothingSent, tellAgain } from '../support/refunds.ts';
import { dynamo, eventually, physical, randomCpf, sandbox } from '../support/sandbox.ts';

const { ops } = operations();
const psp = () => pspAt(sandbox());

const pixOf = async ({ transactionId }: Purchase) => (await psp().charge(transactionId))?.pix ?? [];

/** The Pix of a charge once this many of them have been returned. */
function returned(purchase: Purchase, count: number) {
  const isBack = (pix: { devolucoes?: { status: string }[] }) => pix.devolucoes?.[0]?.status === 'DEVOLVIDO';
  return eventually(
    () => pixOf(purchase),
    (pix) => pix.filter(isBack).length === count,
    SLOW_MS,
  );
}

/** One devolução each, of the whole amount, under the id that follows from the Pix. */
const asUnmatched = (endToEndId: string, valor = '250.00') => ({
  endToEndId,
  valor,
  devolucoes: [{ id: `S${endToEndId}`, valor, status: 'DEVOLVIDO' }],
});

/** Each returned Pix, as the partner's events announce it after the purchase's own. */
async function toldOf(purchase: Purchase, after: number, count: number) {
  const events = await eventsOf(purchase, after + count);
  const told = events.slice(after) as unknown as {
    type: string;
    data: { sequence: number; returned: Returned };
  }[];
  expect(told.map(({ type }) => type)).toEqual(Array(count).fill('transaction.pix_returned'));
  expect(told.map(({ data }) => data.sequence)).toEqual(told.map((_, at) => after + at + 1));
  return told.map(({ data }) => data.returned);
}
type Returned = { endToEndId: string; amountBrl: number; reason: string };

const rowOf = async (endToEndId: string) =>
  (await rowsWhere('TablesUnmatchedPayments', ({ id }) => id === endToEndId))[0];

const typesOf = async (purchase: Purchase, count: number) =>
  (await eventsOf(purchase, count)).map(({ type }) => type);

describe.concurrent('is returned in full, and once:', () => {
  // docs/decisions.md, "Paid, then failed"
  test('every payment besides the settled one', async () => {
    const purchase = await openPix();

    await purchase.client.sandbox.pay(purchase.transactionId, { times: 5 });

    const { txHash, refund } = await endOf(purchase, ['COMPLETED']);
    await returned(purchase, 4);
    await tellAgain(purchase);
    const pix = await pixOf(purchase);
    const [settled, ...others] = pix.filter(({ devolucoes }) => !devolucoes);
    expect(settled).toMatchObject({ valor: '250.00' });
    expect(others).toEqual([]);
    const unmatchedPayments = pix.filter(({ devolucoes }) => devolucoes);
    expect(unmatchedPayments).toMatchObject(
      unmatchedPayments.map(({ endToEndId }) => asUnmatched(endToEndId)),
    );
    expect(unmatchedPayments).toHaveLength(4);
    const transfers = await transfersTo(sandbox().rpcUrl, purchase.walletAddress);
    expect(transfers.map(({ transactionHash }) => transactionHash)).toEqual([txHash]);
    expect(refund).toBeUndefined();
    const told = await toldOf(purchase, 2, 4);
    expect(new Set(told.map(({ endToEndId }) => endToEndId))).toEqual(
      new Set(unmatchedPayments.map(({ endToEndId }) => endToEndId)),
    );
    for (const each of told) expect(each).toMatchObject({ amountBrl: 250, reason: 'PAID_TWICE' });
    const row = await rowOf(unmatchedPayments[0]!.endToEndId);
    expect(row).toMatchObject({ partnerId: purchase.partnerId, refund: { status: 'REFUNDED' } });
    expect(JSON.stringify(row)).not.toContain(purchase.cpf);
  });

  test('a second payment after COMPLETED', async () => {
    const purchase = await openPix();
    await purchase.client.sandbox.pay(purchase.transactionId);
    await endOf(purchase, ['COMPLETED']);

    expect(await psp().pay(purchase.transactionId, { force: true, amountBrl: '12.34' })).toBe(200);

    await returned(purchase, 1);
    await tellAgain(purchase);
    const [unmatched, ...others] = (await pixOf(purchase)).filter(({ devolucoes }) => devolucoes);
    expect(others).toEqual([]);
    expect(unmatched).toMatchObject(asUnmatched(unmatched!.endToEndId, '12.34'));
    const { endToEndId } = unmatched!;
    expect(await toldOf(purchase, 2, 1)).toEqual([{ endToEndId, amountBrl: 12.34, reason: 'PAID_TWICE' }]);
    expect(await transfersTo(sandbox().rpcUrl, purchase.walletAddress)).toHaveLength(1);
  });

  test('a payment that a bank delivers after EXPIRED', async () => {
    const purchase = await openPix();
    await endOf(purchase, ['EXPIRED']);

    expect(await psp().pay(purchase.transactionId, { force: true })).toBe(200);

    await returned(purchase, 1);
    await tellAgain(purchase);
    const pix = await pixOf(purchase);
    expect(pix).toMatchObject([asUnmatched(pix[0]!.endToEndId)]);
    const { status, refund, failure } = await purchase.client.getTransactionStatus(purchase.transactionId);
    expect({ status, refund, failure }).toEqual({
      status: 'EXPIRED',
      refund: undefined,
      failure: undefined,
    });
    await expectNothingSent(purchase);
    const { endToEndId } = pix[0]!;
    expect(await toldOf(purchase, 1, 1)).toEqual([{ endToEndId, amountBrl: 250, reason: 'PAID_LATE' }]);
    expect((await typesOf(purchase, 2))[0]).toBe('transaction.expired');
  });

  test('each of two payments by another person: one fails the purchase, one is unmatched', async () => {
    const purchase = await openPix();

    await purchase.client.sandbox.pay(purchase.transactionId, { times: 2, payerCpf: randomCpf() });

    const { failure } = await endOf(purchase, ['FAILED']);
    await returned(purchase, 2);
    await tellAgain(purchase);
    const { refund } = await purchase.client.getTransactionStatus(purchase.transactionId);
    const pix = await pixOf(purchase);
    const unmatched = pix.find(({ endToEndId }) => endToEndId !== refund!.endToEndId)!;
    expect(failure).toEqual({ reason: 'PAYER_MISMATCH' });
    expect(refund).toMatchObject({ status: 'REFUNDED', amountBrl: 250, reason: 'PAYER_MISMATCH' });
    expect(pix).toHaveLength(2);
    expect(pix.find(({ endToEndId }) => endToEndId === refund!.endToEndId)).toMatchObject({
      devolucoes: [{ id: purchase.transactionId, valor: '250.00', status: 'DEVOLVIDO' }],
    });
    expect(unmatched).toMatchObject(asUnmatched(unmatched.endToEndId));
    await expectNothingSent(purchase);
    const types = await typesOf(purchase, 4);
    expect(types.slice(0, 2)).toEqual(['transaction.processing', 'transaction.failed']);
    // The two returns are independent, so either may be announced first.
    expect(types.slice(2).sort()).toEqual(['transaction.pix_returned', 'transaction.refunded']);
  });

  // docs/decisions.md, "Paid, then failed"
  test.each([
    ['of no txid', undefined, 'NO_TXID'],
    ['of a txid that nobody knows', 'X'.repeat(26), 'UNKNOWN_TXID'],
  ])('a payment without a purchase: %s', async (_, txid, reason) => {
    const endToEndId = await psp().payUnmatched({ amountBrl: '77.00', txid });

    const row = await eventually(
      () => rowOf(endToEndId),
      (found) => (found?.refund as { status?: string } | undefined)?.status === 'REFUNDED',
      SLOW_MS,
    );

    expect(row).toMatchObject({ reason, amountCentavos: 77_00 });
    expect(row).not.toHaveProperty('partnerId');
    expect(await psp().refundsOf(endToEndId)).toMatchObject([
      { id: `S${endToEndId}`, valor: '77.00', status: 'DEVOLVIDO' },
    ]);
  });

  test('and no returned payment is listed to operators', async () => {
    const endToEndId = await psp().payUnmatched({ amountBrl: '5.00' });
    await eventually(
      () => rowOf(endToEndId),
      (found) => (found?.refund as { status?: string } | undefined)?.status === 'REFUNDED',
      SLOW_MS,
    );
    const id = `E${'0'.repeat(30)}X`;
    const lost = { id, reason: 'UNKNOWN_TXID', amountCentavos: 500, paidAt: 1 };
    const Item = { ...lost, foundAt: 1, open: keyIn(OPEN, id), refund: { status: 'FAILED', tries: 7 } };
    await dynamo().send(new PutCommand({ TableName: physical('TablesUnmatchedPayments'), Item }));

    const { code, out } = await ops(['unmatched', 'list']);

    expect(code).toBe(0);
    expect(out).not.toContain(endToEndId);
    expect(out).toMatch(new RegExp(`${lost.id} +1969-12-31 21:00:00 +FAILED +UNKNOWN_TXID +R\\$5\\.00`));
  });
});
