import { describe, expect, it } from 'vitest';
import { type MoneyCaseKind, openMoneyCase } from '../../functions/domain/books/money-case.ts';
import { moneyCaseCommands } from '../../operations/cases.ts';
import type { Desk } from '../../operations/desk.ts';

const AT = Date.UTC(2026, 10, 20, 12);
const aCase = (kind: MoneyCaseKind, key: string, amountCentavos: number) =>
  openMoneyCase({ kind, key, openedAt: AT, amountCentavos, facts: {} });

async function list(flags = {}) {
  const cases = [
    aCase('STRAY_LEFT', 'E1', 1),
    aCase('RETURN_STUCK', 'E1', 1),
    aCase('STRAY_LEFT', 'E2', 50_00),
    aCase('MED_REFUND', 'E3#D3', 1),
  ];
  const desk = { moneyCases: { listOpen: async () => cases } } as unknown as Desk;
  const { run } = moneyCaseCommands.find(({ name }) => name === 'cases list')!;
  const rows = (await run({ words: [], flags, ask: async () => '' }, desk)) as string[];
  return rows.map((row) => row.split('  ')[0]);
}

describe('cases list', () => {
  it('is not filled by dust that could not go back: it is counted', async () => {
    expect(await list()).toEqual(['STRAY_LEFT#E2', 'MED_REFUND#E3#D3', 'and 2 of dust: cases list --all']);
  });

  it('shows dust where it is asked for', async () => {
    expect(await list({ all: true })).toEqual([
      ...['STRAY_LEFT#E1', 'RETURN_STUCK#E1', 'STRAY_LEFT#E2', 'MED_REFUND#E3#D3'],
    ]);
  });
});
