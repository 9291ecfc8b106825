import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Publication } from '../functions/adapters/lists/publication.ts';
import type { Stage } from './stage.ts';

/** Where `npm run lists` puts what it downloads, unless it is told otherwise. */
export const PRODUCTION_LISTS = new URL('../.cache/lists/production/', import.meta.url).pathname;

const MS_PER_DAY = 24 * 60 * 60_000;
const MOST_DAYS_OLD = 30;

/**
 * The directory with `current.json` and the index that it names, which is deployed with the code and serves where the
 * bucket does not: docs/decisions.md, "Lists when the bucket fails". Undefined where there is none.
 */
export async function bundledLists(stage: Stage): Promise<string | undefined> {
  // Loaded here and nowhere else: production neither has nor reads what belongs to the sandbox.
  if (stage === 'sandbox') return (await import('./sandbox.ts')).sandboxLists();
  return isWhole(PRODUCTION_LISTS) ? PRODUCTION_LISTS : undefined;
}

/** What whoever deploys must be told of the lists that go with the code; undefined where all is well. */
export function warningOfLists(directory: string | undefined, now: number): string | undefined {
  const advice = 'Run npm run lists before deploying: docs/operations.md, "Sanctions lists".';
  if (!directory) return `No lists are bundled: where the bucket fails, nobody is screened. ${advice}`;
  const days = Math.floor((now - Date.parse(read(directory).version)) / MS_PER_DAY);
  // The newer serves: until that day nothing that is published would.
  if (days < 0) return `The bundled lists are of a time to come. ${advice}`;
  return days > MOST_DAYS_OLD ? `The bundled lists are ${days} days old. ${advice}` : undefined;
}

const read = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'current.json'), 'utf8')) as Publication;

function isWhole(directory: string): boolean {
  if (!existsSync(join(directory, 'current.json'))) return false;
  return existsSync(join(directory, read(directory).index.name));
}
