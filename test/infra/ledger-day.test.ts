import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Papa from 'papaparse';
import { afterAll, describe, expect, it } from 'vitest';
import { type Posting, takenBack } from '../../functions/domain/ledger.ts';
import { postingsOf, postingsOfUnmatched } from '../../functions/domain/purchase/postings.ts';
import { newUnmatchedPayment } from '../../functions/domain/purchase/unmatched-payment.ts';
import type { Desk } from '../../operations/desk.ts';
import { ledgerCommands, postingsCsv } from '../../operations/ledger.ts';
import { run } from '../../operations/run.ts';
import { type Shown, shownLines } from '../../operations/shown.ts';
import { aTransaction } from '../support/builders.ts';

const folder = mkdtempSync(join(tmpdir(), 'ledger-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = () => join(folder, `${++files}.csv`);

const DAY = '2026-11-20';
/** Noon in Brasília. */
const NOON = Date.parse(`${DAY}T15:00:00Z`);
const DAY_ENDS = Date.parse('2026-11-21T03:00:00Z');

const E2E = 'E12345678202611201500abcdefghijk';
const completed = aTransaction({
  status: 'COMPLETED',
  payment: { endToEndId: E2E, paidAt: NOON, amountCentavos: 250_00 },
  txHash: `0x${'ab'.repeat(32)}`,
  history: [{ status: 'COMPLETED', at: NOON + 60_000 }],
});
const pix = { endToEndId: 'E2', amountCentavos: 10_05, paidAt: NOON + 1000 };
const unmatched = newUnmatchedPayment(pix, { mayReturn: true }, NOON);
const returned = { ...unmatched, refund: { status: 'REFUNDED', refundedAt: NOON + 2000 } as const };
const lost = takenBack({
  returnId: 'D1',
  endToEndId: E2E,
  transactionId: completed.id,
  amountCentavos: 250_00,
  at: NOON + 90_000,
  from: 'losses',
});
const aDay = [...postingsOf(completed), lost, ...postingsOfUnmatched(returned)];

type World = { postings?: Posting[]; seenUpTo?: number; comparedUpTo?: number; now?: number };

/** Runs the command as an operator does. The answer is its output. */
async function close(
  words: string[],
  { postings = aDay, seenUpTo = DAY_ENDS, comparedUpTo = DAY_ENDS + 2, now = DAY_ENDS + 1 }: World = {},
  out?: string,
) {
  const said: string[] = [];
  const asked: string[] = [];
  const listDay = async (day: string) => {
    asked.push(day);
    return postings;
  };
  const desk = {
    ledger: { listDay },
    unmatchedPayments: { findCursor: async () => seenUpTo },
    moneyCases: { findCursor: async () => comparedUpTo },
    clock: { now: () => now },
  } as unknown as Desk;
  const terminal = { say: (line: string) => said.push(line), tell: () => {}, ask: async () => 'yes' };
  const call = { isSure: true };
  await run(
    ledgerCommands[0]!,
    { words, flags: { ...(out && { out }) }, ask: terminal.ask },
    { desk, terminal, call },
  );
  return { said, asked };
}

describe('ledger day', () => {
  it('totals each account in each currency, and shows that debits equal credits', async () => {
    const { said, asked } = await close([DAY]);

    expect(asked).toEqual([DAY]);
    expect(said).toEqual([
      '2026-11-20: 5 postings',
      'account         currency  debit      credit',
      'clients         BRL       250.00     250.00',
      'delivered:USDC  USDC      45.566968  0.000000',
      'losses          BRL       250.00     0.00',
      'margin          BRL       0.00       2.47',
      'pix             BRL       260.05     260.05',
      'sales           BRL       2.47       250.00',
      'treasury:USDC   USDC      0.000000   45.566968',
      'unmatched       BRL       10.05      10.05',
      'BRL balances: debit 772.57 = credit 772.57',
      'USDC balances: debit 45.566968 = credit 45.566968',
      'complete: received Pix and returns were looked for until 2026-11-21 00:00:00',
    ]);
  });

  // docs/decisions.md, "The books"
  it('writes a line for each entry, with Pix and chain transaction, in the order of the day', async () => {
    const out = newFile();

    const { said } = await close([DAY], { postings: aDay.toReversed() }, out);

    const text = readFileSync(out, 'utf8');
    expect(said.at(-1)).toMatch(/^\S+\.csv {2}sha256 [0-9a-f]{64}$/);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const [head, ...lines] = text.split('\r\n');
    expect(head).toBe(
      'day,instant,posting,kind,account,currency,debit,credit,transactionId,endToEndId,txHash',
    );
    const { id, txHash } = completed;
    expect(lines).toEqual([
      `${DAY},2026-11-20T15:00:00.000Z,${E2E}#RECEIVED,PAYMENT_RECEIVED,pix,BRL,250.00,,${id},${E2E},`,
      `${DAY},2026-11-20T15:00:00.000Z,${E2E}#RECEIVED,PAYMENT_RECEIVED,clients,BRL,,250.00,${id},${E2E},`,
      `${DAY},2026-11-20T15:00:01.000Z,E2#RECEIVED,UNMATCHED_RECEIVED,pix,BRL,10.05,,,E2,`,
      `${DAY},2026-11-20T15:00:01.000Z,E2#RECEIVED,UNMATCHED_RECEIVED,unmatched,BRL,,10.05,,E2,`,
      `${DAY},2026-11-20T15:00:02.000Z,E2#UNMATCHED_RETURNED,UNMATCHED_RETURNED,unmatched,BRL,10.05,,,E2,`,
      `${DAY},2026-11-20T15:00:02.000Z,E2#UNMATCHED_RETURNED,UNMATCHED_RETURNED,pix,BRL,,10.05,,E2,`,
      `${DAY},2026-11-20T15:01:00.000Z,${id}#SETTLED,SETTLED,clients,BRL,250.00,,${id},${E2E},${txHash}`,
      `${DAY},2026-11-20T15:01:00.000Z,${id}#SETTLED,SETTLED,sales,BRL,,250.00,${id},${E2E},${txHash}`,
      `${DAY},2026-11-20T15:01:00.000Z,${id}#SETTLED,SETTLED,sales,BRL,2.47,,${id},${E2E},${txHash}`,
      `${DAY},2026-11-20T15:01:00.000Z,${id}#SETTLED,SETTLED,margin,BRL,,2.47,${id},${E2E},${txHash}`,
      `${DAY},2026-11-20T15:01:00.000Z,${id}#SETTLED,SETTLED,delivered:USDC,USDC,45.566968,,${id},${E2E},${txHash}`,
      `${DAY},2026-11-20T15:01:00.000Z,${id}#SETTLED,SETTLED,treasury:USDC,USDC,,45.566968,${id},${E2E},${txHash}`,
      `${DAY},2026-11-20T15:01:30.000Z,${lost.id},TAKEN_BACK,losses,BRL,250.00,,${id},${E2E},`,
      `${DAY},2026-11-20T15:01:30.000Z,${lost.id},TAKEN_BACK,pix,BRL,,250.00,${id},${E2E},`,
      '',
    ]);
  });

  it('refuses a day with an unbalanced posting, names the posting and writes nothing', async () => {
    const out = newFile();
    const [received, ...others] = aDay;
    const altered = {
      ...received!,
      entries: [{ ...received!.entries[0]!, amount: 1n }, received!.entries[1]!],
    };

    const closed = close([DAY], { postings: [altered, ...others] }, out);

    await expect(closed).rejects.toMatchObject({
      name: 'Refused',
      message: expect.stringContaining(altered.id),
    });
    expect(existsSync(out)).toBe(false);
  });

  it('refuses a day that balances only over all currencies together', async () => {
    const entries = [
      { account: 'pix', currency: 'BRL', amount: 5n },
      { account: 'treasury:USDC', currency: 'USDC', amount: -5n },
    ] as const;

    const closed = close([DAY], { postings: [{ ...lost, entries: [...entries] }] });

    await expect(closed).rejects.toMatchObject({ name: 'Refused' });
  });

  it.each([
    ['while received Pix have not been looked for until its end', { seenUpTo: DAY_ENDS - 1 }],
    ['while what the provider took back by itself may still be found', { comparedUpTo: DAY_ENDS - 1 }],
    ['while it is not over, even if a clock that is ahead has compared all of it', { now: DAY_ENDS - 1 }],
  ])('says that a day is not complete %s', async (_, world) => {
    const { said } = await close([DAY], world);

    expect(said.at(-1)).toMatch(/^NOT COMPLETE YET: .* were looked for until 2026-11-2/);
  });

  it('says that a day is not complete if nothing was ever reconciled', async () => {
    const neverRun = { findCursor: async () => undefined };
    const ledger = { listDay: async () => [] };
    const desk = {
      ledger,
      unmatchedPayments: neverRun,
      moneyCases: neverRun,
      clock: { now: () => DAY_ENDS },
    };

    const shown = await ledgerCommands[0]!.run(
      { words: [DAY], flags: {}, ask: async () => '' },
      desk as unknown as Desk,
    );

    expect(shownLines(shown as Shown)).toEqual([
      '2026-11-20: 0 postings',
      'account  currency  debit  credit',
      'NOT COMPLETE YET: received Pix and returns were not looked for yet',
    ]);
  });

  it('replaces no file', async () => {
    const out = newFile();
    await close([DAY], {}, out);

    await expect(close([DAY], {}, out)).rejects.toMatchObject({ name: 'Refused' });
  });

  it.each(['31/11/2026', '2026-11-31', '2026-02-29', '2026-13-01', '2026-11-20T00:00', ''])(
    'refuses %j as a day',
    async (day) => {
      await expect(close([day])).rejects.toMatchObject({ name: 'Misused' });
    },
  );
});

describe('the file', () => {
  it('keeps any characters of an id', () => {
    const odd = { ...lost, endToEndId: 'a,"b"\r\nc' };

    const { data, errors } = Papa.parse<Record<string, string>>(postingsCsv([odd]), {
      header: true,
      skipEmptyLines: true,
    });

    expect(errors).toEqual([]);
    expect(data).toHaveLength(2);
    expect(data[0]).toMatchObject({ endToEndId: 'a,"b"\r\nc', debit: '250.00', credit: '' });
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])(
    'has %j as text, so that a spreadsheet does not calculate it',
    (id) => {
      const [, line] = postingsCsv([{ ...lost, endToEndId: id }]).split('\r\n');

      expect(line).toContain(`'${id}`);
    },
  );

  it('has amounts of any size to the last digit', () => {
    const amount = 10n ** 30n + 1n;
    const entries = [
      { account: 'delivered:USDT', currency: 'USDT', amount },
      { account: 'treasury:USDT', currency: 'USDT', amount: -amount },
    ] as const;

    const csv = postingsCsv([{ ...lost, entries: [...entries] }]);

    expect(csv.match(/1000000000000000000000000\.000001/g)).toHaveLength(2);
  });
});
