import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MARKS } from '../../docs/conformance.ts';
import { markOfThreat } from '../../docs/marks.ts';
import { ALARMS } from '../../functions/domain/watching/alarms.ts';
import { threatsOfPage } from '../support/threats.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const rows = threatsOfPage();
const documented = `${read('cdk.json')}${read('docs/operations.md')}${ALARMS.map(({ id }) => id).join(' ')}`;

describe('a threat', () => {
  it('stands once in the table', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(new Set(rows.map(({ threat }) => threat)).size).toBe(rows.length);
  });

  it.each(rows)(
    '“$threat” has a bound, and a mark in the one file of tests that shows it',
    ({ threat, bound }) => {
      expect(bound).not.toBe('');
      const marked = MARKS.filter(({ text }) => text === markOfThreat(threat)).map(({ file }) => file);
      expect(new Set(marked).size).toBe(1);
    },
  );

  it.each(rows)('“$threat” is bounded by settings or alarms that exist', ({ setting }) => {
    const names = [...setting.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

    expect(names.filter((name) => !documented.includes(name))).toEqual([]);
  });
});
