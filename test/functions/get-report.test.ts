import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/api/partner/get-report.ts';
import { ASSET_NAMES, ASSETS } from '../../functions/domain/assets.ts';
import { balancesOf, type Posting } from '../../functions/domain/ledger.ts';
import { unitsOf } from '../../functions/domain/money.ts';
import { reportCsv } from '../../functions/logic/partners/report-csv.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { ENDS, reportedWorld, type Wanted } from '../support/reported.ts';
import { refusalOfQuery } from '../support/requests.ts';

const AT = Date.parse('2026-11-20T12:00:00-03:00');
const NOVEMBER = '2026-11';
const DAY_MS = 24 * 60 * MINUTE_MS;

type Row = Record<string, string>;
const rowsIn = (csv: string) => Papa.parse<Row>(csv, { header: true, skipEmptyLines: true }).data;
const centavos = (text: string) => unitsOf(text, 2)!;
const sum = (amounts: readonly bigint[]) => amounts.reduce((all, each) => all + each, 0n);

describe('200', () => {
  // docs/decisions.md, "Receipts and reports"
  test('has the money of each purchase, their totals, and no person', async () => {
    const { put, report } = reportedWorld();
    const { purchase } = await put({ end: 'COMPLETED', openedAt: AT, changes: { externalId: 'order-1' } });
    await put({ end: 'REFUNDED', openedAt: AT + 1 });

    const answer = await report(NOVEMBER);

    expect(handler.answer().parse(answer)).toEqual(answer);
    const none = { refundedBrl: '0.00', unmatchedBrl: '0.00', unmatchedReturnedBrl: '0.00' };
    const sold = { receivedBrl: '250.00', soldBrl: '250.00', spreadBrl: '2.47', ...none };
    expect(answer).toMatchObject({
      period: NOVEMBER,
      status: 'ENDED',
      from: '2026-11-01T00:00:00.000-03:00',
      to: '2026-12-01T00:00:00.000-03:00',
      asOf: '2098-12-31T21:00:00.000-03:00',
      counts: { opened: 2, expired: 0, canceled: 0, paid: 2, delivered: 1, refunded: 1 },
      totals: { ...sold, receivedBrl: '500.00', refundedBrl: '250.00' },
      assets: [
        { asset: 'USDT', assetAmount: '0.000000', receivedBrl: '0.00' },
        { asset: 'USDC', assetAmount: '45.566968', receivedBrl: '500.00' },
      ],
    });
    expect(answer.purchases[0]).toEqual({
      transactionId: purchase.id,
      externalId: 'order-1',
      status: 'COMPLETED',
      openedAt: '2026-11-20T12:00:00.000-03:00',
      asset: 'USDC',
      assetAmount: '45.566968',
      ...sold,
    });
    for (const secret of [purchase.clientId, purchase.kycToken, purchase.walletAddress])
      expect(JSON.stringify(answer)).not.toContain(secret);
  });

  // docs/decisions.md, "Receipts and reports"
  test('ties to the ledger to the cent and to the unit, whatever became of the purchases', async () => {
    const wanted = fc.record({
      end: fc.constantFrom(...ENDS),
      partnerId: fc.constantFrom('acme', 'other'),
      openedAt: fc.integer({ min: AT - 22 * DAY_MS, max: AT + 13 * DAY_MS }),
      waits: fc.tuple(fc.nat(30), fc.nat(40 * 24 * 60)),
      amountCentavos: fc.integer({ min: 50_00, max: 50_000_00 }),
      changes: fc.record({
        asset: fc.constantFrom(...ASSET_NAMES),
        quote: fc.record({
          rate: fc.constant('5.48'),
          feeCentavos: fc.nat(500_00),
          assetUnits: fc.bigInt(1n, 10n ** 11n),
        }),
      }),
    });
    await fc.assert(fc.asyncProperty(fc.array(wanted, { maxLength: 12 }), expectTied), { numRuns: 40 });
  });

  test('is of São Paulo’s month, as the books have it', async () => {
    const { put, report } = reportedWorld();
    const [first, last] = [Date.parse('2026-11-01T03:00:00Z'), Date.parse('2026-12-01T02:59:59.999Z')];
    const waits = [0, 0] as const;
    const inside = [
      await put({ end: 'COMPLETED', openedAt: first, waits }),
      await put({ end: 'COMPLETED', openedAt: last, waits }),
    ];
    await put({ end: 'COMPLETED', openedAt: first - 1, waits });
    await put({ end: 'COMPLETED', openedAt: last + 1, waits });

    const { purchases, totals } = await report(NOVEMBER);

    expect(purchases.map(({ transactionId }) => transactionId)).toEqual(
      inside.map(({ purchase }) => purchase.id),
    );
    expect(totals.receivedBrl).toBe('500.00');
    expect(inside.flatMap(({ postings }) => postings.map(({ day }) => day.slice(0, 7)))).toEqual(
      Array(4).fill(NOVEMBER),
    );
    expect((await report('2026-11-01')).purchases).toHaveLength(1);
    expect((await report('2026-11-30')).counts).toMatchObject({ opened: 1, paid: 1, delivered: 1 });
  });

  test('has a purchase in each month in which it moved money', async () => {
    const { put, report } = reportedWorld();
    const openedAt = Date.parse('2026-10-31T23:59:00-03:00');
    await put({ end: 'REFUNDED', openedAt, waits: [2, 31 * 24 * 60] });

    const [october, november, december] = [
      await report('2026-10'),
      await report(NOVEMBER),
      await report('2026-12'),
    ];

    expect(october).toMatchObject({ counts: { opened: 1, paid: 0 }, totals: { receivedBrl: '0.00' } });
    expect(november).toMatchObject({ counts: { opened: 0, paid: 1 }, totals: { receivedBrl: '250.00' } });
    expect(december).toMatchObject({ counts: { refunded: 1 }, totals: { refundedBrl: '250.00' } });
    expect([october, november, december].map(({ purchases }) => purchases.length)).toEqual([1, 1, 1]);
  });

  test('has the caller’s purchases alone', async () => {
    const { put, report } = reportedWorld();
    const { purchase } = await put({ end: 'COMPLETED', openedAt: AT });
    await put({ end: 'REFUNDED', openedAt: AT, partnerId: 'acme2' });
    await put({ end: 'LATE', openedAt: AT, partnerId: 'other' });

    const answer = await report(NOVEMBER);

    expect(answer.purchases.map(({ transactionId }) => transactionId)).toEqual([purchase.id]);
    expect(answer.totals).toMatchObject({ receivedBrl: '250.00', refundedBrl: '0.00', unmatchedBrl: '0.00' });
    expect((await report(NOVEMBER, 'stranger')).purchases).toEqual([]);
  });

  test('says whether the period still runs', async () => {
    const { report } = reportedWorld();

    expect(await report('2098-12')).toMatchObject({ status: 'RUNNING', to: '2099-01-01T00:00:00.000-03:00' });
    expect(await report('2098-12-31')).toMatchObject({ status: 'RUNNING' });
    expect(await report('2098-12-30')).toMatchObject({ status: 'ENDED' });
    expect(await report('2098-11')).toMatchObject({ status: 'ENDED' });
  });

  test('fails aloud where the ledger and a purchase differ', async () => {
    const { put, report } = reportedWorld();
    const { purchase } = await put({ end: 'COMPLETED', openedAt: AT, changes: { amountCentavos: 251_00 } });

    await expect(report(NOVEMBER)).rejects.toThrow(`the purchase ${purchase.id} and its posting`);
  });
});

// docs/decisions.md, "Receipts and reports"
describe('the CSV', () => {
  test('has a line for each purchase and the totals of the JSON', async () => {
    const { put, report } = reportedWorld();
    for (const end of ENDS) await put({ end, openedAt: AT });
    const answer = await report(NOVEMBER);

    const csv = reportCsv(answer);

    expect(csv.split('\r\n')[0]).toBe(
      'line,transactionId,externalId,status,openedAt,asset,assetAmount,' +
        'receivedBrl,soldBrl,spreadBrl,refundedBrl,unmatchedBrl,unmatchedReturnedBrl',
    );
    expect(csv.endsWith('\r\n')).toBe(true);
    const rows = rowsIn(csv);
    const lines = rows.filter(({ line }) => line === 'PURCHASE');
    const totals = rows.filter(({ line }) => line === 'TOTAL');
    expect(lines.map(({ transactionId }) => transactionId)).toEqual(
      answer.purchases.map(({ transactionId }) => transactionId),
    );
    expect(totals).toMatchObject([...answer.assets, answer.totals]);
    expect(totals.map(({ status }) => status)).toEqual(['ENDED', 'ENDED', 'ENDED']);
    for (const [name, total] of Object.entries(answer.totals))
      expect(sum(lines.map((line) => centavos(line[name]!)))).toBe(centavos(total));
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '"quoted",cells', '=cmd|calc!A0'])(
    'has the reference %s as a text',
    async (externalId) => {
      const { put, report } = reportedWorld();
      await put({ end: 'COMPLETED', openedAt: AT, changes: { externalId } });

      const [line] = rowsIn(reportCsv(await report(NOVEMBER)));

      expect(line!.externalId!.replace(/^'/, '')).toBe(externalId);
      expect(line!.externalId).not.toMatch(/^[=+\-@\t\r]/);
    },
  );
});

describe('400', () => {
  test.each([
    ['2099-01', 'must have begun: today is 2098-12-31 in Brasília'],
    ['2099-01-01', 'must have begun: today is 2098-12-31 in Brasília'],
    ['2026-10', 'must not end before your account began, on 2026-11-01'],
    ['2026-10-31', 'must not end before your account began, on 2026-11-01'],
    ['2026-13', 'must be a month, such as 2026-11, or a day, such as 2026-11-20'],
    ['2026-00', 'must be a month, such as 2026-11, or a day, such as 2026-11-20'],
    ['0000-00', 'must be a month, such as 2026-11, or a day, such as 2026-11-20'],
    ['2026-11-31', 'must be a month, such as 2026-11, or a day, such as 2026-11-20'],
    ['2027-02-29', 'must be a month, such as 2026-11, or a day, such as 2026-11-20'],
  ])('refuses %s', async (period, message) => {
    const { report } = reportedWorld();

    const refused = report(period, 'acme', Date.parse('2026-11-01T00:00:00-03:00'));

    await expect(refused).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { issues: [{ path: 'period', message }] },
    });
  });

  test.each(['november', '2026-11-', '2026-1', ' 2026-11'])('refuses the form of %s', (period) => {
    expect(refusalOfQuery(handler, { period: [period] })?.code).toBe('INVALID_REQUEST');
  });

  test('refuses a filter that it does not know', () => {
    const query = { period: ['2026-11'], partnerId: ['other'] };

    expect(refusalOfQuery(handler, query)?.code).toBe('INVALID_REQUEST');
  });
});

/** Expects that the report of November has the sums of exactly the partner's postings of November's days. */
async function expectTied(wanted: Wanted[]) {
  const { put, report } = reportedWorld();
  const all: {
    purchase: { id: string; partnerId: string; quote: { feeCentavos: number } };
    postings: Posting[];
  }[] = [];
  for (const each of wanted) all.push(await put(each));
  const own = all.filter(({ purchase }) => purchase.partnerId === 'acme');
  const postings = own.flatMap((each) => each.postings).filter(({ day }) => day.startsWith(NOVEMBER));
  const balances = balancesOf(postings);
  const balance = (account: string, currency = 'BRL') => balances.get(`${account} ${currency}`) ?? 0n;
  const pixOf = (kind: string) =>
    balancesOf(postings.filter((posting) => posting.kind === kind)).get('pix BRL') ?? 0n;

  const answer = await report(NOVEMBER);

  const { receivedBrl, soldBrl, spreadBrl, refundedBrl, unmatchedBrl, unmatchedReturnedBrl } = answer.totals;
  const [received, sold, refunded] = [centavos(receivedBrl), centavos(soldBrl), centavos(refundedBrl)];
  const [unmatched, back] = [centavos(unmatchedBrl), centavos(unmatchedReturnedBrl)];
  expect(received).toBe(pixOf('PAYMENT_RECEIVED'));
  expect(unmatched).toBe(pixOf('UNMATCHED_RECEIVED'));
  expect(sold).toBe(-balance('sales') - balance('margin'));
  expect(centavos(spreadBrl)).toBe(-balance('margin'));
  expect(received - sold - refunded).toBe(-balance('clients'));
  expect(unmatched - back).toBe(-balance('unmatched'));
  expect(received + unmatched - refunded - back).toBe(balance('pix') + balance('losses'));
  for (const { asset, assetAmount } of answer.assets)
    expect(unitsOf(assetAmount, ASSETS[asset].decimals)).toBe(balance(`delivered:${asset}`, asset));
  const settled = new Set(
    postings.filter(({ kind }) => kind === 'SETTLED').map((each) => each.transactionId),
  );
  const fees = own
    .filter(({ purchase }) => settled.has(purchase.id))
    .map(({ purchase }) => purchase.quote.feeCentavos);
  expect(centavos(spreadBrl)).toBe(sum(fees.map(BigInt)));
  for (const [name, total] of Object.entries(answer.totals)) {
    const lines = answer.purchases.map((line) => centavos(line[name as keyof typeof answer.totals]));
    expect(sum(lines)).toBe(centavos(total));
  }
}
