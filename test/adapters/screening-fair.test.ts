import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { KINDS, type Kind, ordinaryPeople } from '../../benchmarks/ordinary-people.ts';
import { MEASURED, ratesOf, wilson } from '../../benchmarks/ordinary-rates.ts';
import type { OrdinaryShares } from '../../benchmarks/ordinary-shares.ts';
import { entryFrom, type ListLine } from '../../benchmarks/screening-data.ts';
import type { Share } from '../../benchmarks/screening-report.ts';
import { syntheticSet } from '../../benchmarks/screening-synthetic.ts';
import { REVIEW_POINT } from '../../functions/domain/screening/screening.ts';
import { searcherOf, TODAY } from './screening-fixtures.ts';

// The names of real people stay outside of the project.
const LIST = fileURLToPath(new URL('../../../shared/screening/eval/list.jsonl.gz', import.meta.url));

const SHARES = fileURLToPath(new URL('../../benchmarks/ordinary-shares.ts', import.meta.url));
const run = promisify(execFile);

const searcherFor = (list: ListLine[]) => searcherOf(list.map(entryFrom));
const percentOf = ({ hits, of }: Share) => (100 * hits) / of;
const percents = (list: ListLine[], kinds: readonly Kind[]) =>
  Object.fromEntries(
    ratesOf(searcherFor(list), kinds).map(({ kind, flagged, refused }) => [
      kind,
      [flagged, refused].map(percentOf),
    ]),
  );

describe('the ordinary people', () => {
  it.each(KINDS)('of the kind %s are the same different adults in every run', (kind) => {
    const people = ordinaryPeople(kind, 2500);

    expect(new Set(people.map(({ name }) => name)).size).toBe(2500);
    expect(people).toEqual(ordinaryPeople(kind, 2500));
    for (const { birthDate } of people) expect(birthDate).toMatch(/^(19[3-9]|200)\d-\d\d-\d\d$/);
  });
});

describe('the interval of a share', () => {
  it.each([
    [0, 2500, 0, 0.0015],
    [25, 2500, 0.0068, 0.0147],
    [2500, 2500, 0.9985, 1],
  ])('of %i among %i is from %d to %d', (hits, of, low, high) => {
    const [from, to] = wilson({ hits, of });

    expect(from).toBeCloseTo(low, 4);
    expect(to).toBeCloseTo(high, 4);
  });
});

describe('an invented list with the very words of ordinary names', () => {
  const { list, queries } = syntheticSet();

  it('flags no more ordinary people than when it was measured', () => {
    const { arabic, common } = percents(list, ['arabic', 'common']);

    expect(arabic![0]).toBeLessThanOrEqual(12.5);
    expect(arabic![1]).toBeLessThanOrEqual(2.1);
    expect(common).toEqual([0, 0]);
  });

  it('finds its people in other spellings, with and without a birth date', () => {
    const searcher = searcherFor(list);
    const listed = queries.filter(({ kind }) => kind.startsWith('s-'));
    const found = listed.filter(({ query, birthDate = '', cpf = '', expect: id }) =>
      searcher
        .search({ name: query, birthDate, cpf }, TODAY)
        .some(({ entryId, score }) => entryId === id && score >= REVIEW_POINT),
    );

    expect(listed).toHaveLength(1200);
    expect(found.length / listed.length).toBeGreaterThanOrEqual(0.985);
  });
});

describe.skipIf(!existsSync(LIST))('the real lists', () => {
  let shares: OrdinaryShares;
  beforeAll(async () => {
    const { stdout } = await run(process.execPath, [SHARES, LIST]);
    shares = JSON.parse(stdout);
  });

  it.each(KINDS)('flag no more ordinary people of the kind %s than when they were measured', (kind) => {
    const { flagged, refused } = shares.all.find((each) => each.kind === kind)!;

    const [mostFlagged, mostRefused] = MEASURED[kind];
    expect(percentOf(flagged)).toBeLessThanOrEqual(mostFlagged);
    expect(percentOf(refused)).toBeLessThanOrEqual(mostRefused);
  });

  it('flag as few of the people whom nobody has looked at', () => {
    const [arabic] = shares.unseen;

    expect(percentOf(arabic!.flagged)).toBeLessThanOrEqual(5);
    expect(percentOf(arabic!.refused)).toBeLessThanOrEqual(0.4);
  });
});
