/**
 * `npm run bench:screening -- --list list.jsonl --queries queries.jsonl --out scores.jsonl`
 *
 * Builds the index and answers the queries with the matcher that the Lambda function runs, in a process of
 * its own. Then it prints times, memory and recall. It also prints how many ordinary people of each kind of
 * name are reviewed or refused.
 *
 * Without arguments it uses invented people. `--baseline` adds the Jaro-Winkler method for comparison, which
 * takes minutes.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIndex } from '../functions/adapters/screening/build-index.ts';
import { openIndex } from '../functions/adapters/screening/searcher.ts';
import { getAt } from '../functions/domain/get.ts';
import { REJECT_POINT, REVIEW_POINT } from '../functions/domain/screening/screening.ts';
import { bundle } from '../infra/bundle.ts';
import { SEARCH_NODE_OPTIONS } from '../infra/node-options.ts';
import { printedRates, ratesOf, UNSEEN } from './ordinary-rates.ts';
import { baselineScores } from './screening-baseline.ts';
import { entryFrom, readLines, readList, readQueries, type ScoreLine } from './screening-data.ts';
import { evaluate, flaggedAt, percent, printed } from './screening-report.ts';
import type { RunFigures } from './screening-run.ts';
import { syntheticSet } from './screening-synthetic.ts';

const STARTS = 7;
const { values } = parseArgs({
  options: {
    list: { type: 'string' },
    queries: { type: 'string' },
    out: { type: 'string' },
    baseline: { type: 'boolean', default: false },
  },
});
if ((values.list === undefined) !== (values.queries === undefined)) {
  throw new Error('--list and --queries go together');
}

const { list, queries } =
  values.list !== undefined && values.queries !== undefined
    ? { list: readList(values.list), queries: readQueries(values.queries) }
    : syntheticSet();
console.log(values.list !== undefined ? `${values.list}, ${values.queries}` : 'invented people');

const entries = list.map(entryFrom);
const startedAt = performance.now();
const bytes = buildIndex(entries, { version: 'bench', builtAt: '2026-11-20T00:00:00Z', lists: [] });
const buildMs = performance.now() - startedAt;

const folder = mkdtempSync(join(tmpdir(), 'screening-'));
try {
  const scores = await measure(folder);
  if (values.out !== undefined) {
    writeFileSync(values.out, scores.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
  report(scores);
  console.log('ordinary people with the registry’s data, by kind of name, with intervals of 95 %');
  const index = openIndex(bytes);
  for (const rates of ratesOf(index)) console.log(printedRates(rates));
  console.log('others, whom nobody looked at while the constants were fitted');
  for (const rates of ratesOf(index, ['arabic'], UNSEEN)) console.log(printedRates(rates));
  if (values.baseline) {
    console.log('\nJaro-Winkler of sorted words with birth date, OFAC and United Nations only');
    for (const each of evaluate(queries, baselineScores(list, queries))) console.log(printed(each));
  }
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Starts the measured process (`screening-run.ts`) several times for one answer, then once for all answers.
 * Returns the scores.
 */
async function measure(folder: string): Promise<ScoreLine[]> {
  const file = new URL('screening-run.ts', import.meta.url).pathname;
  const { directory } = await bundle(folder, [{ path: 'run', file }]);
  const [index, first, none, all, out] = (['index.bin', 'first', 'none', 'all', 'out'] as const).map((name) =>
    join(folder, name),
  ) as [string, string, string, string, string];
  writeFileSync(index, bytes);
  writeFileSync(first, JSON.stringify(queries[0] ?? { query: '' }));
  writeFileSync(none, '');
  writeFileSync(all, queries.map((query) => JSON.stringify(query)).join('\n'));
  const run = (path: string) => {
    const args = [SEARCH_NODE_OPTIONS, join(directory, 'run.mjs'), index, first, path, out];
    return JSON.parse(execFileSync(process.execPath, args).toString()) as RunFigures;
  };
  const starts = Array.from({ length: STARTS }, () => run(none).firstAnswerMs).sort((a, b) => a - b);
  printFigures(run(all), getAt(starts, Math.floor(STARTS / 2)));
  return readLines<ScoreLine>(out);
}

function printFigures(figures: RunFigures, startMs: number): void {
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  console.log(
    `index           ${entries.length} entries, ${bytes.length} bytes, built in ${buildMs.toFixed(0)} ms`,
  );
  console.log(`first answer    ${ms(startMs)} after the process starts (median of ${STARTS})`);
  console.log(`opened in       ${ms(figures.openMs)}`);
  console.log(`a person, warm  p50 ${ms(figures.p50Ms)}, p99 ${ms(figures.p99Ms)}, each the median of 3`);
  console.log(
    `resident        ${figures.firstRssMb.toFixed(0)} MB at the first answer, ` +
      `${figures.rssMb.toFixed(0)} MB after ${queries.length} queries`,
  );
}

function report(scores: readonly ScoreLine[]): void {
  const points = { review: REVIEW_POINT, reject: REJECT_POINT };
  for (const [name, point] of Object.entries(points)) {
    console.log(`${name} point ${point}: ${percent(flaggedAt(point, queries, scores))} of ordinary people`);
  }
  for (const each of evaluate(queries, scores)) console.log(printed(each));
}
