import { readFileSync } from 'node:fs';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import { operations } from '../support/operations.ts';
import { rowsWhere } from '../support/partner-api.ts';
import { pspAt } from '../support/psp.ts';
import { endOf, openPix, type Purchase, refundedEnd, SLOW_MS, transfersTo } from '../support/purchases.ts';
import { eventually, sandbox } from '../support/sandbox.ts';

const { ops, write } = operations();
const psp = () => pspAt(sandbox());

type Line = Record<
  'day' | 'kind' | 'account' | 'currency' | 'debit' | 'credit' | 'transactionId' | 'endToEndId' | 'txHash',
  string
>;

/** Reads a decimal text as the whole number of its smallest units. */
const unitsOf = (decimal: string) => BigInt(decimal.replace('.', '') || 0);
const sum = (amounts: bigint[]) => amounts.reduce((total, each) => total + each, 0n);
/** Debits minus credits. */
const balanceOf = (lines: Line[]) => sum(lines.map(({ debit, credit }) => unitsOf(debit) - unitsOf(credit)));

let files = 0;

/** The lines of the days between two instants, from the operators' command. */
async function booksOf(from: number, to: number): Promise<Line[]> {
  const days = [...new Set([dayInBrasilia(from), dayInBrasilia(to)])];
  const lines: Line[] = [];
  for (const day of days) {
    const out = write(`folder-of-${++files}.json`, {}).replace(/json$/, 'csv');
    const ran = await ops(['ledger', 'day', day, '--out', out]);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.out).toMatch(/^BRL balances: debit (\S+) = credit \1$/m);
    const text = readFileSync(out, 'utf8');
    lines.push(...Papa.parse<Line>(text, { header: true, skipEmptyLines: true }).data);
  }
  return lines;
}

type Received = { valor: string; devolucoes?: { valor: string; status: string }[] };

/** The charges at the provider: received minus returned. */
async function netAtProvider(purchases: Purchase[]): Promise<bigint> {
  const charges = await Promise.all(purchases.map(({ transactionId }) => psp().charge(transactionId)));
  const pix: Received[] = charges.flatMap((charge) => charge?.pix ?? []);
  const back = pix
    .flatMap(({ devolucoes = [] }) => devolucoes)
    .filter(({ status }) => status === 'DEVOLVIDO');
  return sum(pix.map(({ valor }) => unitsOf(valor))) - sum(back.map(({ valor }) => unitsOf(valor)));
}

/** An unmatched payment is booked as returned when its row says so. */
const unmatchedIsBack = (isIt: (row: Record<string, unknown>) => boolean) =>
  eventually(
    () => rowsWhere('TablesUnmatchedPayments', isIt),
    (rows) => rows.some(({ refund }) => (refund as { status: string }).status === 'REFUNDED'),
    SLOW_MS,
  );

/** The gas of a transfer is posted when the transfer is final. */
const gasIsPosted = (purchases: Purchase[]) =>
  eventually(
    () => rowsWhere('TablesLedger', ({ kind }) => kind === 'GAS_SPENT'),
    (rows) =>
      purchases.every((each) => rows.some(({ transactionId }) => transactionId === each.transactionId)),
    SLOW_MS,
  );

describe('the books of a day', () => {
  // docs/decisions.md, "The books"
  test('agree with the provider and the chain', async () => {
    const begun = Date.now();
    const [usdc, usdt, wrong] = [
      await openPix({ asset: 'USDC' }),
      await openPix({ asset: 'USDT', amountBrl: 1234.56 }),
      await openPix(),
    ];
    await usdc.client.sandbox.pay(usdc.transactionId, { times: 2 });
    await psp().pay(usdt.transactionId);
    await psp().pay(wrong.transactionId, { amountBrl: '249.99' });
    const unknown = await psp().payUnmatched({ amountBrl: '12.34' });
    const ended = await Promise.all([usdc, usdt].map((purchase) => endOf(purchase, ['COMPLETED'])));
    await refundedEnd(wrong);
    await unmatchedIsBack(({ transactionId }) => transactionId === usdc.transactionId);
    await unmatchedIsBack(({ id }) => id === unknown);

    await gasIsPosted([usdc, usdt]);

    const all = await booksOf(begun, Date.now());

    const purchases = [usdc, usdt, wrong];
    const ids = purchases.map(({ transactionId }) => transactionId);
    const lines = all.filter(
      ({ transactionId, endToEndId }) => ids.includes(transactionId) || endToEndId === unknown,
    );
    const of = (account: string) => lines.filter((line) => line.account === account);
    // The bank: everything received minus everything returned. Nothing of the unmatched payment is left.
    expect(balanceOf(of('pix'))).toBe(await netAtProvider(purchases));
    expect(balanceOf(of('pix'))).toBe(250_00n + 1234_56n);
    expect(await psp().refundsOf(unknown)).toMatchObject([{ valor: '12.34', status: 'DEVOLVIDO' }]);
    expect(of('pix').map(({ endToEndId }) => endToEndId)).not.toContain('');
    // The chain: each token that left the treasury, by its transaction.
    for (const [index, asset] of (['USDC', 'USDT'] as const).entries()) {
      const transfers = await transfersTo(sandbox().rpcUrl, purchases[index]!.walletAddress);
      const out = of(`treasury:${asset}`);
      expect(-balanceOf(out)).toBe(sum(transfers.map(({ data }) => BigInt(data))));
      expect(out.map(({ txHash }) => txHash)).toEqual(
        transfers.map(({ transactionHash }) => transactionHash),
      );
      expect(out.map(({ txHash }) => txHash)).toEqual([ended[index]!.txHash]);
      expect(balanceOf(of(`delivered:${asset}`))).toBe(-balanceOf(out));
    }
    // Nothing is owed to anybody any more.
    expect([balanceOf(of('clients')), balanceOf(of('unmatched'))]).toEqual([0n, 0n]);
    expect(balanceOf(of('sales')) + balanceOf(of('margin'))).toBe(-(250_00n + 1234_56n));
    // The chain's coins: the gas of each transfer, once.
    expect(
      of('treasury:NATIVE')
        .map(({ txHash }) => txHash)
        .sort(),
    ).toEqual(ended.map(({ txHash }) => txHash).sort());
    expect(balanceOf(of('gas'))).toBe(-balanceOf(of('treasury:NATIVE')));
    expect(kindsOf(lines, usdc)).toEqual([
      'GAS_SPENT',
      'PAYMENT_RECEIVED',
      'SETTLED',
      'UNMATCHED_RECEIVED',
      'UNMATCHED_RETURNED',
    ]);
    expect(kindsOf(lines, usdt)).toEqual(['GAS_SPENT', 'PAYMENT_RECEIVED', 'SETTLED']);
    expect(kindsOf(lines, wrong)).toEqual(['PAYMENT_RECEIVED', 'REFUNDED']);
    expect(of('pix').filter(({ transactionId }) => transactionId === wrong.transactionId)).toMatchObject([
      { debit: '249.99', credit: '' },
      { debit: '', credit: '249.99' },
    ]);
  });

  test('are refused for a text that is not a day', async () => {
    expect((await ops(['ledger', 'day', 'someday'])).code).toBe(2);
  });
});

const kindsOf = (lines: Line[], { transactionId }: Purchase) =>
  [...new Set(lines.filter((line) => line.transactionId === transactionId).map(({ kind }) => kind))].sort();
