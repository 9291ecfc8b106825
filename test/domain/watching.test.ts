import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { ALARMS } from '../../functions/domain/watching/alarms.ts';
import { CONDITIONS, type Condition } from '../../functions/domain/watching/conditions.ts';
import { METRICS, type Metric } from '../../functions/domain/watching/metrics.ts';
import { raiseOrWarn } from '../../functions/domain/watching/raise-or-warn.ts';
import { SCHEDULES } from '../../functions/domain/watching/schedules.ts';
import { stubLog } from '../support/stub-log.ts';

const ROOT = new URL('../../functions/', import.meta.url).pathname;
const TESTS = new URL('../', import.meta.url).pathname;
const textIn = (folder: string, isRead: (path: string) => boolean) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && isRead(path))
    .map((path) => readFileSync(join(folder, path), 'utf8'))
    .join('\n');
const code = textIn(ROOT, (path) => !path.startsWith('domain/watching/'));
const tests = textIn(TESTS, (path) => !/^(infra|simulation|support|domain\/watching)/.test(path));

describe('the code', () => {
  it.each(Object.keys(CONDITIONS) as Condition[])('can raise %s', (condition) => {
    expect(code).toContain(`'${condition}'`);
  });

  // The table of alarms is also tested as a whole, which proves nothing about one condition.
  it.each(Object.keys(CONDITIONS) as Condition[])('is tested to raise %s', (condition) => {
    const isNamed = [condition, CONDITIONS[condition]].some((words) => tests.includes(words));
    expect(isNamed, condition).toBe(true);
  });

  // Filters of the API's access log count these.
  it.each((Object.keys(METRICS) as Metric[]).filter((name) => !name.startsWith('Api')))(
    'measures %s',
    (name) => {
      expect(code).toContain(`measure('${name}'`);
    },
  );

  it('logs no error without a condition', () => {
    expect(code).not.toMatch(/\blog\.error\(|\.error\('/);
  });
});

describe('the table of alarms', () => {
  it('has one alarm for each name', () => {
    expect(new Set(ALARMS.map(({ id }) => id)).size).toBe(ALARMS.length);
  });

  it.each(ALARMS)('$id says what it means, where to look, and how it ends', ({ when, means, look, ends }) => {
    expect(when).toMatch(/^[A-Z`].*[^.]$/);
    for (const text of [means, look, ends]) expect(text).toMatch(/^[A-Z`[].*[.]$/s);
  });

  it('has the schedules that run as functions', () => {
    const files = readdirSync(join(ROOT, 'schedules')).map((file) => file.replace('.ts', ''));
    const kebab = (id: string) => id.replace(/(?<!^)[A-Z]/g, '-$&').toLowerCase();

    expect(Object.keys(SCHEDULES).map(kebab).sort()).toEqual(files.sort());
  });
});

describe('a failed visit', () => {
  it('is only a warning while a provider does not answer', () => {
    const log = stubLog();

    raiseOrWarn(log, 'SweepFailed', {
      error: new Unavailable('Step Functions'),
      fields: { transactionId: '01JD' },
    });
    expect(log.raised).toEqual([]);
    expect(log.lines).toEqual([expect.stringContaining('sweep failed')]);

    raiseOrWarn(log, 'SweepFailed', { error: new TypeError('broken') });
    expect(log.raised).toEqual(['SweepFailed']);
  });
});

// `readFloats` counts a payout twice if it falls between two reads. The next reading, a minute later, is right.
it('one reading that shows a low treasury wakes nobody', () => {
  const readings = ALARMS.find(({ id }) => id === 'TreasuryLow')!;

  expect(readings.threshold).toBeGreaterThan(ASSET_NAMES.length);
  expect(readings.minutes).toBeGreaterThanOrEqual(readings.threshold);
});
