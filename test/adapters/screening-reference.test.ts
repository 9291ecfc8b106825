import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { entryFrom, type ListLine, type QueryLine, readLines } from '../../benchmarks/screening-data.ts';
import { evaluate, flaggedAt } from '../../benchmarks/screening-report.ts';
import { buildIndex } from '../../functions/adapters/screening/build-index.ts';
import { openIndex } from '../../functions/adapters/screening/searcher.ts';
import { REJECT_POINT, REVIEW_POINT } from '../../functions/domain/screening/screening.ts';
import { META, TODAY } from './screening-fixtures.ts';

// A labelled set about real people, which stays outside of the project.
const FOLDER = new URL('../../../shared/screening/eval/', import.meta.url);
const pathOf = (name: string) => fileURLToPath(new URL(name, FOLDER));
const isAbsent = !existsSync(new URL('list.jsonl.gz', FOLDER));
const MAX_BYTES = 10_000_000;

describe.skipIf(isAbsent)('a labelled set of 57,934 listed people and 7,950 queries', () => {
  const answers = () => {
    const bytes = buildIndex(readLines<ListLine>(pathOf('list.jsonl.gz')).map(entryFrom), META);
    const searcher = openIndex(bytes);
    const queries = readLines<QueryLine>(pathOf('queries-dev.jsonl.gz'));
    const scores = queries.map(({ id, query, birthDate = '', cpf = '', expect: listId }) => {
      const found = searcher.search({ name: query, birthDate, cpf }, TODAY);
      const expected = found.find(({ entryId }) => entryId === listId);
      return { id, score: found[0]?.score ?? 0, xscore: expected?.score ?? 0 };
    });
    return { bytes, queries, scores };
  };

  it('is found as well as when the points were set', () => {
    const { bytes, queries, scores } = answers();
    const [strict, wide] = evaluate(queries, scores);
    const recall = (of: typeof strict, kind: string) => of!.recall[kind]!.hits / of!.recall[kind]!.of;

    expect(bytes.length).toBeLessThan(MAX_BYTES);
    expect(recall(strict, 's-*')).toBeGreaterThanOrEqual(0.99);
    expect(recall(wide, 's-*')).toBeGreaterThanOrEqual(0.997);
    expect(recall(strict, 'br-*')).toBeGreaterThanOrEqual(0.998);
    for (const kind of ['exact', 'alias', 'reorder', 'diacritics']) {
      expect([kind, recall(strict, `s-${kind}`)]).toEqual([kind, 1]);
    }
    for (const [kind, { hits, of }] of Object.entries(strict!.recall)) {
      expect([kind, hits / of > 0.95]).toEqual([kind, true]);
    }
    expect(flaggedAt(REJECT_POINT, queries, scores).hits).toBeLessThanOrEqual(3);
    expect(flaggedAt(REVIEW_POINT, queries, scores).hits).toBeLessThanOrEqual(30);
    // A person judges namesakes with another birth date.
    const namesakes = queries.filter(({ kind }) => kind === 'homonym-dob').map(({ id }) => id);
    const turnedAway = scores.filter(({ id, score }) => namesakes.includes(id) && score >= REJECT_POINT);
    expect(turnedAway.length / namesakes.length).toBeLessThanOrEqual(0.03);
  });
});
