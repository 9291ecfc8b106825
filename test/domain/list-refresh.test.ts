import { describe, expect, it } from 'vitest';
import {
  changeBetween,
  isListStale,
  isWorthNoting,
  mostOf,
  objectionTo,
  type ReadList,
  versionAfter,
} from '../../functions/domain/screening/list-refresh.ts';
import type { ListId } from '../../functions/domain/screening/lists.ts';

const entriesOf = (count: number) => new Map(Array.from({ length: count }, (_, at) => [`id-${at}`, 'v1']));
const fresh = (count: number, changes: Partial<ReadList> = {}) => {
  return { version: '2026-11-20', entries: entriesOf(count), skipped: 0, ...changes };
};
const inForce = (entries: number, version = '2026-11-19') => {
  return { list: 'UN_SC' as const, version, sha256: 'ab', entries };
};

describe('a new list', () => {
  it.each([80, 99, 100, 500, 1200])('is accepted with %i entries after one of 100', (count) => {
    expect(objectionTo(fresh(count), inForce(100), 1)).toBeUndefined();
  });

  it.each([0, 1, 50, 79, 1201, 7000])('is refused with %i entries after one of 100', (count) => {
    expect(objectionTo(fresh(count), inForce(100), 1)).toContain(`${count} entries`);
  });

  it('may lose a fifth of its entries, and not one more', () => {
    expect(objectionTo(fresh(100), { ...inForce(100), removed: 20 }, 1)).toBeUndefined();
    expect(objectionTo(fresh(100), { ...inForce(100), removed: 21 }, 1)).toBe('it lacks 21 of 100 entries');
  });

  it('is compared with its highest recent number of entries', () => {
    const most = { entries: 100, until: '2026-12-19T00:00:00.000Z' };
    expect(objectionTo(fresh(80), { ...inForce(81), most }, 1)).toBeUndefined();
    expect(objectionTo(fresh(79), { ...inForce(81), most }, 1)).toBe('it has 79 entries, after 100');
  });

  it('is accepted as the first if it has the minimum of entries', () => {
    expect(objectionTo(fresh(400), undefined, 400)).toBeUndefined();
    expect(objectionTo(fresh(399), undefined, 400)).toContain('never fewer than 400');
  });

  it('is refused below the minimum, whatever is in force', () => {
    expect(objectionTo(fresh(399), inForce(400), 400)).toContain('never fewer than 400');
  });

  it('is refused with an earlier version than the one in force, and accepted with the same', () => {
    expect(objectionTo(fresh(100), inForce(100, '2026-11-21'), 1)).toContain('older');
    expect(objectionTo(fresh(100), inForce(100, '2026-11-20'), 1)).toBeUndefined();
  });

  it('may have one unreadable row in a hundred', () => {
    expect(objectionTo(fresh(100, { skipped: 1 }), inForce(100), 1)).toBeUndefined();
    expect(objectionTo(fresh(100, { skipped: 2 }), inForce(100), 1)).toContain('cannot be read');
  });
});

describe('the change between two lists', () => {
  const before = new Map([
    ['1', 'a'],
    ['2', 'b'],
    ['3', 'c'],
  ]);

  it('names added, removed and changed entries', () => {
    const after = new Map([
      ['2', 'b'],
      ['3', 'other'],
      ['4', 'd'],
    ]);

    expect(changeBetween(before, after)).toEqual({ added: ['4'], removed: ['1'], changed: ['3'] });
  });

  it('is empty for the same entries in another order', () => {
    const after = new Map([...before].reverse());

    expect(changeBetween(before, after)).toEqual({ added: [], removed: [], changed: [] });
  });

  it('is everything if there was no list before', () => {
    expect(changeBetween(new Map(), before).added).toEqual(['1', '2', '3']);
  });
});

describe('a list in force', () => {
  const DAY = 24 * 60 * 60_000;
  const fetchedAt = '2026-11-01T00:00:00.000Z';
  const of = (list: ListId) => ({ list, version: '1', sha256: 'ab', entries: 1, fetchedAt, files: [] });

  it.each([
    ['OFAC_SDN', 7],
    ['BR_CEIS', 7],
    ['BR_PEP', 45],
  ] as const)('%s is stale if nobody has seen it for more than %i days', (list, days) => {
    const until = Date.parse(fetchedAt) + days * DAY;

    expect(isListStale(of(list), until)).toBe(false);
    expect(isListStale(of(list), until + 1)).toBe(true);
  });

  it('is recorded as seen once a day', () => {
    expect(isWorthNoting(of('UN_SC'), '2026-11-01T23:59:59.999Z')).toBe(false);
    expect(isWorthNoting(of('UN_SC'), '2026-11-02T00:00:00.000Z')).toBe(true);
  });
});

describe('the highest recent number of entries', () => {
  const now = Date.parse('2026-11-20T00:00:00Z');
  const former = { entries: 100, until: '2026-11-20T00:00:00.001Z' };

  it('counts for thirty days, or until a list has more', () => {
    expect(mostOf(99, former, now)).toBe(former);
    const own = { entries: 99, until: '2026-12-20T00:00:00.000Z' };
    expect(mostOf(99, undefined, now)).toEqual(own);
    expect(mostOf(99, former, now + 1)).toMatchObject({ entries: 99 });
    expect(mostOf(100, former, now)).toEqual({ ...own, entries: 100 });
  });
});

describe('a version', () => {
  const now = Date.parse('2026-11-20T12:00:00.000Z');

  it('is the instant of its build', () => {
    expect(versionAfter(undefined, now)).toBe('2026-11-20T12:00:00.000Z');
    expect(versionAfter('2026-11-20T11:00:00.000Z', now)).toBe('2026-11-20T12:00:00.000Z');
  });

  it('is later than the one before, even with a clock that is behind', () => {
    expect(versionAfter('2026-11-20T12:00:05.000Z', now)).toBe('2026-11-20T12:00:05.001Z');
    expect(versionAfter('2026-11-20T12:00:00.000Z', now)).toBe('2026-11-20T12:00:00.001Z');
  });
});
