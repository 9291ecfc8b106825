import { describe, expect, it } from 'vitest';
import { readReleased, refusedChanges, tablesNow } from '../../infra/released-tables.ts';

const due = 'sweep nextCheckAt KEYS_ONLY';
const released = { Transactions: { due }, Ledger: {} };

describe('the tables of this version', () => {
  it('can replace those of the last release in one deployment', async () => {
    expect(refusedChanges(readReleased(), await tablesNow())).toEqual([]);
  });
});

describe('one deployment', () => {
  it.each([
    ['nothing', released],
    ['one new index', { ...released, Transactions: { due, ofClient: 'clientId createdAt KEYS_ONLY' } }],
    ['one index less', { ...released, Transactions: {} }],
    [
      'one new index in each of two tables',
      { Transactions: { due, a: 'a b ALL' }, Ledger: { a: 'a b ALL' } },
    ],
    ['a new table with two indexes', { ...released, Cases: { a: 'a b ALL', c: 'c d ALL' } }],
  ])('can change %s', (_, now) => {
    expect(refusedChanges(released, now)).toEqual([]);
  });

  it.each([
    [
      'make two indexes of a table',
      { ...released, Ledger: { a: 'a b ALL', c: 'c d ALL' } },
      /^Ledger .* a, c$/,
    ],
    ['make one index and remove another', { ...released, Transactions: { a: 'a b ALL' } }, /^Transactions /],
    ['change an index', { ...released, Transactions: { due: 'sweep at KEYS_ONLY' } }, /^Transactions /],
    ['lose a table', { Transactions: { due } }, /^Ledger is gone/],
  ])('cannot %s', (_, now, reason) => {
    expect(refusedChanges(released, now)).toEqual([expect.stringMatching(reason)]);
  });
});
