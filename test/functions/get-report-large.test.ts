import { beforeAll, describe, expect, test, vi } from 'vitest';
import { MOST_PURCHASES } from '../../functions/logic/partners/report.ts';
import { reportCsv } from '../../functions/logic/partners/report-csv.ts';
import { reportedWorld } from '../support/reported.ts';
import { memoryTables } from '../support/tables.ts';

const AT = Date.parse('2026-11-20T12:00:00-03:00');
/** The answer of a function, in which the body is a text: AWS Lambda, "Quotas". */
const LAMBDA_BYTES = 6_291_556;
const bytesOf = (body: string) => Buffer.byteLength(JSON.stringify({ body }));

const tables = memoryTables();
const { put, report } = reportedWorld(tables);

async function putMany(count: number, openedAt: number) {
  const externalId = (index: number) => `${'x'.repeat(120)}${index}`;
  for (let index = 0; index < count; index++)
    await put({ end: 'COMPLETED', openedAt, changes: { externalId: externalId(openedAt + index) } });
}

// docs/decisions.md, "Receipts and reports"
describe('a month of ten thousand purchases', () => {
  beforeAll(() => putMany(MOST_PURCHASES, AT));

  test('is one answer within the limits of the API, of some hundred reads', async () => {
    const sent = vi.spyOn(tables.client, 'send');

    const answer = await report('2026-11');

    expect(answer.counts).toMatchObject({ opened: MOST_PURCHASES, paid: MOST_PURCHASES });
    expect(answer.totals).toMatchObject({ soldBrl: '2500000.00', spreadBrl: '24700.00' });
    expect(bytesOf(JSON.stringify({ success: true, data: answer }))).toBeLessThan(LAMBDA_BYTES);
    expect(bytesOf(reportCsv(answer))).toBeLessThan(LAMBDA_BYTES);
    expect(sent.mock.calls.length).toBeLessThan(250);
  });

  test('is refused with one purchase more, and read day by day', async () => {
    await putMany(1, AT + 24 * 60 * 60_000);

    await expect(report('2026-11')).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: {
        issues: [
          {
            path: 'period',
            message: 'has more than 10000 purchases: ask for each day, or list its purchases',
          },
        ],
      },
    });
    expect((await report('2026-11-20')).counts.opened).toBe(MOST_PURCHASES);
    expect((await report('2026-11-21')).counts.opened).toBe(1);
  });
});
