/**
 * The process that is measured: it opens the index, answers once, and answers everything. Before the first
 * answer it reads the index and one query, as a Lambda does. Arguments: index, first query, queries, scores.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { openIndex } from '../functions/adapters/screening/searcher.ts';
import type { QueryLine, ScoreLine } from './screening-data.ts';

export type RunFigures = {
  openMs: number;
  firstAnswerMs: number;
  p50Ms: number;
  p99Ms: number;
  firstRssMb: number;
  rssMb: number;
};

const [indexPath = '', first = '', queriesPath = '', scoresPath = ''] = process.argv.slice(2);
const TODAY = '2026-11-20';
/** Queries answered before the clock counts. */
const WARM_UP = 1000;

const begin = performance.now();
const searcher = openIndex(new Uint8Array(readFileSync(indexPath)));
const openMs = performance.now() - begin;
answer(JSON.parse(first) as QueryLine);
const firstAnswerMs = performance.now();
const firstRssMb = process.memoryUsage.rss() / 1e6;

const queries = readFileSync(queriesPath, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as QueryLine);
for (const query of queries.slice(0, WARM_UP)) answer(query);
const times = new Float64Array(queries.length);
const scores = queries.map((query, at) => {
  const startedAt = performance.now();
  const found = answer(query);
  times[at] = performance.now() - startedAt;
  const expected = found.find(({ entryId }) => entryId === query.expect);
  return { id: query.id, score: found[0]?.score ?? 0, xscore: expected?.score ?? 0 } satisfies ScoreLine;
});
times.sort();
const quantile = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0;
const rssMb = process.memoryUsage.rss() / 1e6;
writeFileSync(scoresPath, `${scores.map((line) => JSON.stringify(line)).join('\n')}\n`);
const figures: RunFigures = {
  openMs,
  firstAnswerMs,
  p50Ms: quantile(0.5),
  p99Ms: quantile(0.99),
  firstRssMb,
  rssMb,
};
console.log(JSON.stringify(figures));

function answer({ query, birthDate = '', cpf = '' }: QueryLine) {
  return searcher.search({ name: query, birthDate, cpf }, TODAY);
}
