/**
 * `npm run lists` downloads the sanctions lists, and builds the copy that is deployed with the code:
 * docs/operations.md, "Sanctions lists".
 */
import { parseArgs } from 'node:util';
import { firstPublication } from '../functions/adapters/lists/publish.ts';
import { type ListSources, listPublishers } from '../functions/adapters/lists/publishers.ts';
import { PUBLISHERS } from '../functions/domain/screening/lists.ts';
import { writeCopy } from './lists-copy.ts';

const DEFAULT_DIRECTORY = new URL('../.cache/lists/production/', import.meta.url).pathname;
const TIMEOUT_MS = 300_000;

const { values } = parseArgs({
  options: { out: { type: 'string', default: DEFAULT_DIRECTORY }, sources: { type: 'string' } },
});
const sources: ListSources = values.sources
  ? (JSON.parse(values.sources) as ListSources)
  : { addresses: PUBLISHERS };
const clock = { now: () => Date.now() };

try {
  const published = await firstPublication(
    listPublishers({ sources, fetch, clock, timeoutMs: TIMEOUT_MS }),
    clock.now(),
  );
  writeCopy(values.out, published);
  const { lists, version } = published.publication;
  for (const { list, version: of, entries } of lists) console.log(`${list} of ${of}: ${entries} entries`);
  console.log(`${values.out} holds ${version}`);
} catch (error) {
  const { message, cause } = error as Error;
  const because = cause instanceof Error ? ` (${cause.message})` : '';
  console.error(`Nothing was written: ${message}${because}.`);
  process.exitCode = 1;
}
