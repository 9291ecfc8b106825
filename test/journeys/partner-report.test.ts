import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import { rowsWhere } from '../support/partner-api.ts';
import { pspAt } from '../support/psp.ts';
import { endOf, openPix, type Purchase, refundedEnd } from '../support/purchases.ts';
import { sandbox } from '../support/sandbox.ts';

type Entry = { account: string; amount: number | bigint };

/** The sum of an account in the partner's rows of the ledger, debits less credits. */
async function balanceOf({ partnerId }: Purchase, account: string): Promise<bigint> {
  const rows = await rowsWhere('TablesLedger', (row) => row.partnerId === partnerId);
  const entries = rows.flatMap((row) => row.entries as Entry[]).filter((entry) => entry.account === account);
  return entries.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

const units = (decimal: string) => BigInt(decimal.replace('.', ''));

// docs/decisions.md, "Receipts and reports"
test('a partner’s report of the month has the sums of the ledger, as JSON and as CSV', async () => {
  const sold = await openPix({ amountBrl: 1234.56 });
  const failed = await openPix({ partner: sold });
  const canceled = await openPix({ partner: sold, asset: 'USDT' });
  const { client } = sold;
  await pspAt(sandbox()).pay(sold.transactionId);
  await pspAt(sandbox()).pay(failed.transactionId, { amountBrl: '249.99' });
  await client.cancelTransaction(canceled.transactionId);
  await endOf(sold, ['COMPLETED']);
  await refundedEnd(failed);
  const month = dayInBrasilia(Date.now()).slice(0, 7);

  const report = await client.partner.report(month);

  const { totals, counts } = report;
  expect(report).toMatchObject({ period: month, status: 'RUNNING' });
  expect(counts).toMatchObject({ canceled: 1, paid: 2, delivered: 1, refunded: 1 });
  expect(totals).toMatchObject({ receivedBrl: '1484.55', soldBrl: '1234.56', refundedBrl: '249.99' });
  const [sales, margin] = [await balanceOf(sold, 'sales'), await balanceOf(sold, 'margin')];
  expect(units(totals.soldBrl)).toBe(-(sales + margin));
  expect(units(totals.spreadBrl)).toBe(-margin);
  expect(units(totals.receivedBrl) - units(totals.refundedBrl)).toBe(await balanceOf(sold, 'pix'));
  for (const { asset, assetAmount } of report.assets)
    expect(units(assetAmount)).toBe(await balanceOf(sold, `delivered:${asset}`));
  const csv = new TextDecoder().decode(await client.partner.reportCsv(month));
  const rows = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true }).data;
  expect(rows.at(-1)).toMatchObject(totals);
  expect(rows.flatMap((row) => row.transactionId || [])).toEqual(
    report.purchases.map(({ transactionId }) => transactionId),
  );
});
