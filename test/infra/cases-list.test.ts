import { describe, expect, it } from 'vitest';
import { moneyCaseCommands } from '../../operations/cases.ts';
import type { Desk } from '../../operations/desk.ts';
import { type Shown, shownLines } from '../../operations/shown.ts';
import { aMoneyCase } from '../support/money-cases.ts';

async function list(flags = {}) {
  const cases = [
    aMoneyCase('UNMATCHED_LEFT', 'E1', { amountCentavos: 1 }),
    aMoneyCase('RETURN_STUCK', 'E1', { amountCentavos: 1 }),
    aMoneyCase('UNMATCHED_LEFT', 'E2', { amountCentavos: 50_00 }),
    aMoneyCase('MED_REFUND', 'E3#D3', { amountCentavos: 1 }),
  ];
  const desk = { moneyCases: { listOpen: async () => cases } } as unknown as Desk;
  const { run } = moneyCaseCommands.find(({ name }) => name === 'cases list')!;
  const [head, ...rows] = shownLines((await run({ words: [], flags, ask: async () => '' }, desk)) as Shown);
  expect(head).toMatch(/^CASE +OPENED +AMOUNT/);
  return rows.map((row) => row.split('  ')[0]);
}

describe('cases list', () => {
  it('shows only the count of dust that could not be returned', async () => {
    expect(await list()).toEqual([
      'UNMATCHED_LEFT#E2',
      'MED_REFUND#E3#D3',
      'and 2 of dust: cases list --all',
    ]);
  });

  it('shows dust on request', async () => {
    expect(await list({ all: true })).toEqual([
      ...['UNMATCHED_LEFT#E1', 'RETURN_STUCK#E1', 'UNMATCHED_LEFT#E2', 'MED_REFUND#E3#D3'],
    ]);
  });
});
