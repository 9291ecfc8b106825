/**
 * Prints the rates of all kinds, and those of the unseen people with Arabic names, as one line of JSON. The test of the
 * real lists runs this file in a process of its own: a test runner's modules make the searches ten times slower.
 */
import { buildIndex } from '../functions/adapters/screening/build-index.ts';
import { openIndex } from '../functions/adapters/screening/searcher.ts';
import { type KindRates, ratesOf, UNSEEN } from './ordinary-rates.ts';
import { entryFrom, type ListLine, readLines } from './screening-data.ts';

export type OrdinaryShares = { all: KindRates[]; unseen: KindRates[] };

const entries = readLines<ListLine>(process.argv[2] ?? '').map(entryFrom);
const index = openIndex(buildIndex(entries, { version: 'test', builtAt: '2026-11-20T00:00:00Z', lists: [] }));
const shares: OrdinaryShares = { all: ratesOf(index), unseen: ratesOf(index, ['arabic'], UNSEEN) };
console.log(JSON.stringify(shares));
