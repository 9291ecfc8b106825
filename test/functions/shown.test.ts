import { describe, expect, test } from 'vitest';
import { instantIn, requireDay, requirePeriod } from '../../operations/dates.ts';
import { onlyOne } from '../../operations/short-ids.ts';
import { shownJson, shownLines } from '../../operations/shown.ts';

const NOW = Date.parse('2026-11-21T01:30:00Z');
const AT = new Date('2026-11-20T15:00:01Z');

describe('a table', () => {
  const table = { head: ['id', 'since', 'count'], rows: [['a', AT, 3]], empty: 'Nothing is there.' };

  test('has a header for people, and Brasília’s time', () => {
    expect(shownLines(table)).toEqual(['ID  SINCE                COUNT', 'a   2026-11-20 12:00:01  3']);
  });

  test('is a list of objects for scripts, with instants in UTC', () => {
    expect(JSON.parse(JSON.stringify(shownJson(table)))).toEqual([
      { id: 'a', since: '2026-11-20T15:00:01.000Z', count: 3 },
    ]);
  });

  test('without rows says so to people, and is an empty list for scripts', () => {
    const none = { ...table, rows: [], more: ['and 2 more'] };

    expect(shownLines(none)).toEqual(['Nothing is there.', 'and 2 more']);
    expect(shownJson(none)).toEqual([]);
  });

  test('shows an absent value as a dash', () => {
    expect(shownLines({ ...table, rows: [['a', undefined, 1]] })[1]).toMatch(/^a +- +1$/);
  });
});

describe('a sheet', () => {
  test('is an object for scripts, where a name that comes twice has a list', () => {
    const sheet = [
      ['id', 'a'],
      ['list', 'one', 'x'],
      ['list', 'two', 'y'],
    ];

    expect(shownLines({ sheet })).toEqual(['id    a', 'list  one  x', 'list  two  y']);
    const list = [
      ['one', 'x'],
      ['two', 'y'],
    ];
    expect(shownJson({ sheet })).toEqual({ id: 'a', list });
  });
});

describe('a period', () => {
  test.each([
    ['2026-11-19', '2026-11-19T03:00', '2026-11-20T03:00'],
    ['19/11/2026', '2026-11-19T03:00', '2026-11-20T03:00'],
    ['today', '2026-11-20T03:00', '2026-11-21T03:00'],
    ['2026-11', '2026-11-01T03:00', '2026-12-01T03:00'],
    ['12/2026', '2026-12-01T03:00', '2027-01-01T03:00'],
    ['2026', '2026-01-01T03:00', '2027-01-01T03:00'],
  ])('may be written as %s', (text, from, to) => {
    expect(requirePeriod(text, NOW)).toEqual({ from: Date.parse(`${from}Z`), to: Date.parse(`${to}Z`) });
  });

  test.each([
    '',
    '2026-13',
    '13/2026',
    '0000',
    '26',
    '2026-11-31',
    '2026-1',
    'november',
    '2026-11-20T00:00',
    '%',
  ])('is not %j', (text) => {
    expect(() => requirePeriod(text, NOW)).toThrow(expect.objectContaining({ name: 'Misused' }));
  });
});

describe('a day', () => {
  test.each([
    ['2026-11-19', '2026-11-19'],
    ['19/11/2026', '2026-11-19'],
    ['today', '2026-11-20'],
    ['Yesterday', '2026-11-19'],
  ])('may be written as %s', (text, day) => {
    expect(requireDay(text, NOW)).toBe(day);
  });

  test.each(['31/02/2026', '2026-02-31', '11/2026', '', 'someday', '2026-1-1', '2026-11-19T00:00Z', '%'])(
    'is misused as "%s"',
    (text) => {
      expect(() => requireDay(text, NOW)).toThrow(expect.objectContaining({ name: 'Misused' }));
    },
  );
});

describe('an instant', () => {
  test.each([
    ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20T12:00:00.250Z', '2026-11-20T12:00:00.250Z'],
    ['2026-11-20 09:00', '2026-11-20T12:00:00.000Z'],
    ['20/11/2026 09:00:05', '2026-11-20T12:00:05.000Z'],
    ['2026-11-20T09:00-02:00', '2026-11-20T11:00:00.000Z'],
    ['yesterday', '2026-11-19T03:00:00.000Z'],
    ['2h ago', '2026-11-20T23:30:00.000Z'],
    ['30min', '2026-11-21T01:00:00.000Z'],
  ])('may be written as %s', (text, instant) => {
    expect(new Date(instantIn(text, NOW)).toISOString()).toBe(instant);
  });

  test.each(['soon', '2026-11-20T25:00Z', '31/02/2026 09:00', '2 weeks ago', '', '2026-11-20 09:00 Z'])(
    'is misused as "%s"',
    (text) => {
      expect(() => instantIn(text, NOW)).toThrow(expect.objectContaining({ name: 'Misused' }));
    },
  );
});

describe('a short id', () => {
  const all = ['MED_REFUND#E1#D1', 'MED_REFUND#E2#D1', 'RETURN_STUCK#E1'].map((id) => ({ id }));

  test('is the beginning of one id', () => {
    expect(onlyOne('return', all)).toEqual({ id: 'RETURN_STUCK#E1' });
    expect(onlyOne('MED_REFUND#E2', all)).toEqual({ id: 'MED_REFUND#E2#D1' });
  });

  test('of several is refused with their ids', () => {
    const message = '2 begin with MED_REFUND: MED_REFUND#E1#D1, MED_REFUND#E2#D1';

    expect(() => onlyOne('MED_REFUND', all)).toThrow(expect.objectContaining({ name: 'Refused', message }));
  });

  test.each(['', 'RET', 'RETURNED', '%', 'x'.repeat(10_000)])('"%s" fits none', (text) => {
    expect(onlyOne(text, all)).toBeUndefined();
  });
});
