import { describe, expect, it } from 'vitest';
import { MONEY_CASE_KINDS } from '../../functions/domain/books/money-case-kinds.ts';
import { moneyCaseCommands } from '../../operations/cases.ts';
import type { Desk } from '../../operations/desk.ts';
import { type Shown, shownLines } from '../../operations/shown.ts';
import { aMoneyCase, CASE_FACTS } from '../support/money-cases.ts';

/** The rows of the output: names and values. */
async function show(kind: keyof typeof CASE_FACTS) {
  const found = aMoneyCase(kind, 'K1', { transactionId: 'T1', endToEndId: 'E1' });
  const desk = {
    moneyCases: { findCase: async () => found },
    dossier: { listRows: async () => [{ status: 'COMPLETED', refund: { status: 'REFUNDED' } }] },
  } as unknown as Desk;
  const { run } = moneyCaseCommands.find(({ name }) => name === 'cases show')!;
  const rows = shownLines((await run({ words: [found.id], flags: {}, ask: async () => '' }, desk)) as Shown);
  return Object.fromEntries(rows.map((row) => row.split(/ {2,}(.*)/)));
}

describe('cases show', () => {
  it.each(Object.keys(CASE_FACTS) as (keyof typeof CASE_FACTS)[])(
    'shows for %s its meaning, its remedy and every fact',
    async (kind) => {
      const shown = await show(kind);

      const { means, remedy } = MONEY_CASE_KINDS[kind];
      expect(shown).toMatchObject({ case: `${kind}#K1`, means, do: remedy });
      for (const name of Object.keys(CASE_FACTS[kind])) expect(shown).toHaveProperty(name);
    },
  );

  it('shows a reason in words, by the kind of the case', async () => {
    expect(await show('UNMATCHED_LEFT')).toMatchObject({ reason: 'NO_TXID', because: 'it has no txid' });
    expect(await show('REFUND_FAILED')).toMatchObject({
      reason: 'SETTLEMENT_FAILED',
      because: 'all tries of the transfer failed',
    });
  });

  it('shows the present state of a stuck purchase', async () => {
    expect(await show('PURCHASE_STUCK')).toMatchObject({ now: 'COMPLETED, refund REFUNDED' });
  });
});
