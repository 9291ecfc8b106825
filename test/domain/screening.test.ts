import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIST_EFFECTS, LIST_IDS } from '../../functions/domain/screening/lists.ts';
import { type Candidate, hitsOf } from '../../functions/domain/screening/screening.ts';

const candidate: Candidate = {
  list: 'OFAC_SDN',
  entryId: '11',
  score: 1,
  threshold: 0.9,
  explanation: 'name equal, birth date equal',
};

describe('the effect of a hit', () => {
  it.each([
    ['OFAC_SDN', 'REJECT'],
    ['UN_SC', 'REJECT'],
    ['BR_CEIS', 'HIGH'],
    ['BR_CNEP', 'HIGH'],
    ['BR_PEP', 'PEP'],
  ] as const)('on %s is %s', (list, effect) => {
    expect(hitsOf([{ ...candidate, list }])).toEqual([{ ...candidate, list, effect }]);
  });

  it('is known for every list', () => {
    expect(Object.keys(LIST_EFFECTS).sort()).toEqual([...LIST_IDS].sort());
  });
});

describe('hitsOf', () => {
  it.each([
    [0.9, 0.9, 1],
    [0.8999999, 0.9, 0],
    [1, 1, 1],
    [0, 0, 1],
    [0.5, 0.9, 0],
    [NaN, 0.9, 0],
  ])('compares a score of %d with a threshold of %d', (score, threshold, hits) => {
    expect(hitsOf([{ ...candidate, score, threshold }])).toHaveLength(hits);
  });

  it('finds no hits without candidates', () => {
    expect(hitsOf([])).toEqual([]);
  });

  it('keeps the whole candidates at or over their own threshold, in order', () => {
    const unit = fc.double({ min: 0, max: 1, noNaN: true });
    const candidates = fc.array(
      fc.record({
        list: fc.constantFrom(...LIST_IDS),
        entryId: fc.string(),
        score: unit,
        threshold: unit,
        explanation: fc.string(),
      }),
    );
    fc.assert(
      fc.property(candidates, (all) => {
        const expected = all.filter(({ score, threshold }) => score >= threshold);
        expect(hitsOf(all).map(({ effect: _effect, ...rest }) => rest)).toEqual(expected);
      }),
    );
  });
});
