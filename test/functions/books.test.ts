/** The books of a period: the command and the page of the console. */
import Papa from 'papaparse';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { postingRow } from '../../functions/adapters/dynamodb/ledger.ts';
import { type Posting, takenBack } from '../../functions/domain/ledger.ts';
import { postingsOf } from '../../functions/domain/purchase/postings.ts';
import { booksCommands } from '../../operations/books.ts';
import type { Flags } from '../../operations/command.ts';
import type { ROLES } from '../../operations/console/roles.ts';
import { shownJson, shownLines } from '../../operations/shown.ts';
import { aTransaction } from '../support/builders.ts';
import { type Opened, openConsole, signedIn } from '../support/console.ts';
import { newId } from '../support/ports.ts';

const NOW = Date.parse('2026-11-25T15:00:00Z');

let opened: Opened;
beforeEach(() => {
  opened = openConsole();
  Object.assign(opened.desk.clock, { now: () => NOW });
});
afterEach(() => expect(opened.errors).toEqual([]));

const post = async (postings: readonly Posting[]) => {
  for (const posting of postings) await opened.put('ledger', postingRow(posting));
};

/** The postings of a completed purchase that was paid and delivered at noon of the day. */
function sold(day: string, partnerId = 'demo'): Posting[] {
  const at = Date.parse(`${day}T15:00:00Z`);
  const payment = { endToEndId: `E${newId()}`, paidAt: at, amountCentavos: 250_00 };
  const history = [{ status: 'COMPLETED', at: at + 1 } as const];
  return postingsOf(aTransaction({ id: newId(), partnerId, status: 'COMPLETED', payment, history }));
}

async function show(words: string[], flags: Flags = {}) {
  const shown = await booksCommands[0]!.run({ words, flags, ask: async () => '' }, opened.desk);
  if ('perform' in shown || 'prepare' in shown) throw new Error('it only reads');
  return { lines: shownLines(shown), json: shownJson(shown) as Record<string, string>[] };
}

const closingOf = (rows: Record<string, string>[], name: string) =>
  rows.find(({ account }) => account === name)?.closing;

/** Two purchases of October, three of November, one of them of another partner. */
async function twoMonths() {
  await post([...sold('2026-10-30'), ...sold('2026-10-31')]);
  await post([...sold('2026-11-01'), ...sold('2026-11-20'), ...sold('2026-11-24', 'acme')]);
}

describe('books', () => {
  // docs/decisions.md, "The books"
  test('open with all before the period, and close with all until its end', async () => {
    await twoMonths();

    const { lines } = await show(['2026-11']);

    expect(lines).toEqual(
      [
        'ACCOUNT         CURRENCY  OPENING    DEBIT       CREDIT      CLOSING',
        'clients         BRL       0.00       750.00      750.00      0.00',
        'delivered:USDC  USDC      91.133936  136.700904  0.000000    227.834840',
        'margin          BRL       -4.94      0.00        7.41        -12.35',
        'pix             BRL       500.00     750.00      0.00        1250.00',
        'sales           BRL       -495.06    7.41        750.00      -1237.65',
        'treasury:USDC   USDC      -91.133936 0.000000    136.700904  -227.834840',
        '2026-11-01 to 2026-11-30: margin R$ 7.41',
        'NOT COMPLETE YET: received Pix and returns were not looked for yet',
      ].map((line) => expect.stringMatching(new RegExp(`^${escaped(line)}$`))),
    );
  });

  test('of a period whose clients are settled do not list accounts that stay empty', async () => {
    await twoMonths();

    const { json } = await show(['2026-11-02']);

    expect(json.map(({ account }) => account)).not.toContain('clients');
    expect(json.find(({ account }) => account === 'pix')).toMatchObject({ opening: '750.00', debit: '0.00' });
  });

  test.each<[string, string[], string]>([
    ['a day', ['24/11/2026'], '1250.00'],
    ['a range of days, both of them included', ['2026-10-31', '2026-11-01'], '750.00'],
    ['a range of months', ['2026-10', '2026-11'], '1250.00'],
    ['a year', ['2026'], '1250.00'],
    ['this month', [], '1250.00'],
    ['a month with nothing', ['2026-09'], ''],
  ])('are those of %s', async (_, words, closing) => {
    await twoMonths();

    expect(closingOf((await show(words)).json, 'pix') ?? '').toBe(closing);
  });

  test('by partner have the accounts of each, and those of no partner first', async () => {
    await twoMonths();
    const at = Date.parse('2026-11-24T15:00:00Z');
    await post([
      takenBack({ returnId: 'D1', endToEndId: 'E1', amountCentavos: 1_00, at, from: 'unmatched' }),
    ]);

    const { json } = await show(['2026-11'], { 'by-partner': true });

    const margins = json.filter(({ account }) => account === 'margin');
    expect(margins).toMatchObject([
      { partner: 'acme', credit: '2.47', closing: '-2.47' },
      { partner: 'demo', credit: '4.94', closing: '-9.88' },
    ]);
    expect(json[0]).toMatchObject({ partner: '', account: 'pix', credit: '1.00' });
  });

  test('as CSV have plain numbers and the days of the period', async () => {
    await twoMonths();

    const { lines } = await show(['2026-11'], { csv: true, 'by-partner': true });

    const { data, errors } = Papa.parse<Record<string, string>>(lines.join('\n'), { header: true });
    expect(errors).toEqual([]);
    expect(data[0]).toMatchObject({ from: '2026-11-01', to: '2026-11-30', partner: 'acme', currency: 'BRL' });
    expect(data.find(({ account }) => account === 'margin')?.closing).toBe('-2.47');
  });

  test('of an empty ledger say so', async () => {
    expect((await show([])).lines[0]).toBe('Nothing was posted until then.');
  });

  test('are refused while a posting does not balance, and name it', async () => {
    const [received] = sold('2026-11-20');
    await post([{ ...received!, entries: received!.entries.slice(1) }]);

    await expect(show([])).rejects.toMatchObject({
      name: 'Refused',
      message: expect.stringContaining(received!.id),
    });
  });

  test.each([[['2026-11-31']], [['2026-11-20', '2026-11-19']], [['2026-11', '2026-11', 'x']], [['<b>']]])(
    'refuse %j as a period',
    async (words) => {
      await expect(show(words)).rejects.toMatchObject({ name: 'Misused' });
    },
  );
});

const escaped = (line: string) => line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ +/g, ' +');

describe('the page', () => {
  const ask = async (path: string, role: (typeof ROLES)[number] = 'viewer') =>
    (await signedIn(opened, role)).ask(`/console${path}`);

  test('shows this month until today, and leads to the same as a file', async () => {
    await twoMonths();

    const text = await (await ask('/books')).text();

    expect(text).toContain('name="from" type="date" value="2026-11-01"');
    expect(text).toContain('name="to" type="date" value="2026-11-25"');
    expect(text).toContain('margin R$ 7.41');
    expect(text).toContain('href="/console/books/csv?from=2026-11-01&amp;to=2026-11-25"');
  });

  test('shows each partner, which leads to the page of the partner', async () => {
    await twoMonths();

    const text = await (await ask('/books?from=2026-11-01&to=2026-11-30&partners=each')).text();

    expect(text).toContain('href="/console/partners/acme"');
    expect(text).toMatch(/<input name="partners" type="checkbox" value="each" checked>/);
    expect(text).toContain('partners=each"');
  });

  test('gives a file with the name of the period, and the command’s lines', async () => {
    await twoMonths();

    const answer = await ask('/books/csv?from=2026-11-01&to=2026-11-30&partners=each');

    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="books-2026-11-01-2026-11-30.csv"',
    );
    const { lines } = await show(['2026-11'], { csv: true, 'by-partner': true });
    expect(await answer.text()).toBe(lines.map((line) => `${line}\r\n`).join(''));
  });

  test.each(['/books', '/books/csv'])('%s refuses what is no day, as text', async (path) => {
    const answer = await ask(`${path}?from=<script>alert(1)</script>&to=2026-11-30`);

    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('&lt;script&gt;alert(1)&lt;/script&gt; is no day');
  });

  test('is for people who are signed in', async () => {
    const answer = await opened.app.request('http://console.test/console/books/csv');

    const signIn = '/console/sign-in?to=%2Fconsole%2Fbooks%2Fcsv';
    expect([answer.status, answer.headers.get('location')]).toEqual([303, signIn]);
  });
});
