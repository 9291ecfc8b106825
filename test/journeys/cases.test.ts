import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { keyIn } from '../../functions/adapters/dynamodb/shards.ts';
import { type MoneyCase, openMoneyCase } from '../../functions/domain/books/money-case.ts';
import { getDefined } from '../../functions/domain/get.ts';
import { BY_STATUS } from '../../functions/tables/sharded.ts';
import { operations } from '../support/operations.ts';
import { putLeftPayment, rowsWhere } from '../support/partner-api.ts';
import { newEndToEndId } from '../support/ports.ts';
import { dynamo, physical } from '../support/sandbox.ts';

const { ops } = operations();
const folder = mkdtempSync(join(tmpdir(), 'cases-'));
afterAll(() => rmSync(folder, { recursive: true }));
const WHY = ['--reason', 'paid back by hand'];

async function anOpenCase(): Promise<MoneyCase> {
  const endToEndId = newEndToEndId();
  const found = openMoneyCase({
    kind: 'UNMATCHED_LEFT',
    key: endToEndId,
    openedAt: 1,
    endToEndId,
    amountCentavos: 77_50,
    facts: { reason: 'NO_TXID', tries: 7 },
  });
  const statusKey = keyIn(BY_STATUS, found.id, found.status);
  await dynamo().send(
    new PutCommand({ TableName: physical('TablesMoneyCases'), Item: { ...found, statusKey } }),
  );
  return found;
}

describe.concurrent('an operator', () => {
  test('lists open cases, reads one, and closes it with a recorded reason', async () => {
    const { id, endToEndId } = await anOpenCase();

    expect((await ops(['cases', 'list'])).out).toMatch(new RegExp(`${id} +1969-.+R\\$77\\.50`));
    const shown = await ops(['cases', 'show', id]);
    expect(shown.out).toMatch(new RegExp(`endToEndId +${endToEndId}`));
    expect(shown.out).toMatch(/tries +7/);

    const closed = await ops(['cases', 'close', id, '--outcome', 'RETURNED', ...WHY], `${id}\n`);

    expect(closed).toMatchObject({ code: 0, out: `The case ${id} is CLOSED as RETURNED.\n` });
    expect(closed.err).toContain('the same discrepancy opens no case again');
    expect((await ops(['cases', 'list'])).out).not.toContain(id);
    expect((await ops(['cases', 'show', id])).out).toContain('CLOSED as RETURNED by ana@onramp.example');
    const records = await rowsWhere('TablesEvidence', ({ id: row }) => String(row).startsWith(`${id}#`));
    expect(records).toMatchObject([
      { decidedBy: 'ana@onramp.example', decision: { reason: 'paid back by hand', outcome: 'ORDERED' } },
    ]);
  });

  test('closes no case twice, without an outcome, or without confirmation', async () => {
    const { id } = await anOpenCase();
    const close = ['cases', 'close', id, ...WHY];

    expect(await ops(close)).toMatchObject({ code: 2, err: expect.stringContaining('--outcome') });
    const wrong = await ops([...close, '--outcome', 'FORGOTTEN']);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('EXPLAINED, CORRECTED') });
    expect(await ops([...close, '--outcome', 'LOST'], 'no\n')).toMatchObject({ code: 1 });
    expect(await ops([...close, '--outcome', 'LOST', '--yes'])).toMatchObject({ code: 0 });
    const again = await ops([...close, '--outcome', 'RETURNED', '--yes']);

    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('is CLOSED as LOST') });
    expect(await ops(['cases', 'show', 'MED_REFUND#nothing'])).toMatchObject({ code: 1 });
  });

  test('has a manual return posted to the books of the day', async () => {
    const { id, endToEndId } = await anOpenCase();
    await putLeftPayment(getDefined(endToEndId, 'Pix of the case'));
    const close = ['cases', 'close', id, '--outcome', 'RETURNED_OUTSIDE', ...WHY, '--yes'];

    expect(await ops(close)).toMatchObject({ code: 2, err: expect.stringContaining('--amount') });
    expect(await ops([...close, '--amount', '77.51'])).toMatchObject({ code: 1 });
    const closed = await ops([...close, '--amount', '77.50']);

    expect(closed).toMatchObject({ code: 0, err: expect.stringContaining('post R$77.50') });
    const [posting, ...others] = await rowsWhere('TablesLedger', (row) => row.endToEndId === endToEndId);
    expect(others).toEqual([]);
    expect(posting).toMatchObject({
      id: `${id}#RETURNED_OUTSIDE`,
      kind: 'RETURNED_OUTSIDE',
      entries: [{ account: 'unmatched' }, { account: 'pix' }],
    });
    const out = join(folder, 'day.csv');
    expect(await ops(['ledger', 'day', String(posting!.day), '--out', out])).toMatchObject({ code: 0 });
    const lines = readFileSync(out, 'utf8').split('\r\n');
    expect(lines.filter((line) => line.includes(`${id}#`))).toEqual([
      expect.stringMatching(/,unmatched,BRL,77\.50,,/),
      expect.stringMatching(/,pix,BRL,,77\.50,/),
    ]);
  });
});
