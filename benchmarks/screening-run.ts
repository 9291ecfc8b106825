/**
 * The process whose time and memory are measured. It opens the index, answers one query, and then answers all
 * queries. Before the first answer it reads only the index and one query, as a Lambda function does.
 *
 * Its arguments are four files: the index, the first query, all queries, and the file for the scores.
 */

import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { openIndex } from '../functions/adapters/screening/searcher.ts';
import { getAt } from '../functions/domain/get.ts';
import type { QueryLine, ScoreLine } from './screening-data.ts';

export type RunFigures = {
  openMs: number;
  firstAnswerMs: number;
  p50Ms: number;
  p99Ms: number;
  firstRssMb: number;
  rssMb: number;
};

const [indexPath = '', firstPath = '', queriesPath = '', scoresPath = ''] = process.argv.slice(2);
const TODAY = '2026-11-20';
/** The number of queries that are answered before the measurement starts. */
const WARM_UP = 1000;
/**
 * The number of bytes that one read of the file takes. It is small, because a Lambda function has one person
 * at a time. Queries that wait in memory for long would become old objects of the garbage collector.
 */
const CHUNK_BYTES = 1024;

const begin = performance.now();
const searcher = openIndex(readFileSync(indexPath));
const openMs = performance.now() - begin;
answer(JSON.parse(readFileSync(firstPath, 'utf8')) as QueryLine);
const firstAnswerMs = performance.now();
const firstRssMb = process.memoryUsage.rss() / 1e6;

let warmed = 0;
for (const query of queriesOf(queriesPath)) {
  if (warmed++ === WARM_UP) break;
  answer(query);
}
const times: number[] = [];
const scores = openSync(scoresPath, 'w');
for (const query of queriesOf(queriesPath)) {
  const found = answer(query);
  times.push(medianMs(query));
  const xscore = found.find(({ entryId }) => entryId === query.expect)?.score ?? 0;
  const result: ScoreLine = { id: query.id, score: found[0]?.score ?? 0, xscore };
  writeSync(scores, `${JSON.stringify(result)}\n`);
}
closeSync(scores);
const rssMb = process.memoryUsage.rss() / 1e6;
times.sort((a, b) => a - b);
const quantile = (share: number) => times[Math.floor((times.length - 1) * share)] ?? 0;
const figures: RunFigures = {
  openMs,
  firstAnswerMs,
  p50Ms: quantile(0.5),
  p99Ms: quantile(0.99),
  firstRssMb,
  rssMb,
};
console.log(JSON.stringify(figures));

/** Reads one query after another, so that the whole file does not count as memory of the matcher. */
function* queriesOf(path: string): Generator<QueryLine> {
  const file = openSync(path, 'r');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
      const lines = (rest + decoder.decode(chunk.subarray(0, size), { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line) as QueryLine;
    }
    if (rest) yield JSON.parse(rest) as QueryLine;
  } finally {
    closeSync(file);
  }
}

/**
 * Returns the median of three measurements, in milliseconds. After a single measurement, other work of the
 * machine would decide the slowest percent of the queries.
 */
function medianMs(query: QueryLine): number {
  const measured = [0, 0, 0].map(() => {
    const startedAt = performance.now();
    answer(query);
    return performance.now() - startedAt;
  });
  return getAt(
    measured.toSorted((a, b) => a - b),
    1,
  );
}

function answer({ query, birthDate = '', cpf = '' }: QueryLine) {
  return searcher.search({ name: query, birthDate, cpf }, TODAY);
}
