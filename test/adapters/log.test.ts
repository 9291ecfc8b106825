import { afterEach, describe, expect, it, vi } from 'vitest';
import { log } from '../../functions/adapters/aws/log.ts';
import { ALARMS } from '../../functions/domain/watching/alarms.ts';
import { CONDITIONS, type Condition } from '../../functions/domain/watching/conditions.ts';
import { METRICS, type Metric, namespaceOf } from '../../functions/domain/watching/metrics.ts';
import { pointsIn } from '../support/embedded-metrics.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const open = () => log('production', { now: () => NOW });

afterEach(() => vi.restoreAllMocks());

/** The lines that the log writes to the standard outputs. */
function capture(write: () => void): string[] {
  const lines: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      lines.push(...String(text).trim().split('\n'));
      return true;
    });
  write();
  vi.restoreAllMocks();
  return lines;
}

describe('a raised condition', () => {
  it.each(Object.keys(CONDITIONS) as Condition[])(
    '%s is one line, and one point of its own metric',
    (name) => {
      const lines = capture(() => open().raise(name, new Error('because'), { transactionId: '01JD' }));

      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0]!)).toMatchObject({
        level: 'ERROR',
        message: CONDITIONS[name],
        transactionId: '01JD',
        error: { name: 'Error', message: 'because' },
      });
      expect(pointsIn(lines)).toEqual([
        { namespace: 'Onramp/production', name, dimensions: {}, value: 1, unit: 'Count', at: NOW },
      ]);
      expect(ALARMS.filter(({ source }) => source.kind === 'OWN' && source.name === name)).toHaveLength(1);
    },
  );
});

describe('a measure', () => {
  it.each(Object.keys(METRICS) as Metric[])(
    'of %s is a point with the dimensions of its description',
    (name) => {
      const { unit, dimensions: names } = METRICS[name];
      const dimensions = Object.fromEntries(names.map((each) => [each, 'A_VALUE']));

      const lines = capture(() => open().measure(name, 7, dimensions as never));

      expect(pointsIn(lines)).toEqual([
        { namespace: namespaceOf('production'), name, dimensions, value: 7, unit, at: NOW },
      ]);
    },
  );
});

describe('a warning and a piece of information', () => {
  it('are points of no metric', () => {
    const lines = capture(() => {
      open().warn('message failed', new TypeError('broken'), { messageId: 'm1' });
      open().info('unmatched Pix returned', { endToEndId: 'E1' });
    });

    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(['WARN', 'INFO']);
    expect(pointsIn(lines)).toEqual([]);
  });
});
