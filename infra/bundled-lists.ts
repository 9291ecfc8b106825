import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Publication } from '../functions/adapters/lists/publication.ts';
import type { Stage } from './stage.ts';

/** The default folder for the downloads of `npm run lists`. */
export const PRODUCTION_LISTS = new URL('../.cache/lists/production/', import.meta.url).pathname;

const MS_PER_DAY = 24 * 60 * 60_000;
const MOST_DAYS_OLD = 30;

/**
 * Finds the directory with `current.json` and the index that it names. It is deployed with the code, and functions
 * read it when the bucket fails: docs/decisions.md, "Lists when the bucket fails". Undefined where production's
 * folder misses one of the two files.
 */
export async function bundledLists(stage: Stage): Promise<string | undefined> {
  // Imported only for this stage: production must not depend on the sandbox.
  if (stage === 'sandbox') return (await import('./sandbox.ts')).sandboxLists();
  return isWhole(PRODUCTION_LISTS) ? PRODUCTION_LISTS : undefined;
}

/** A warning about the lists for the person who deploys. Undefined where there is nothing to warn about. */
export function warningOfLists(directory: string | undefined, now: number): string | undefined {
  const advice = 'Run npm run lists before deploying: docs/operations.md, "Sanctions lists".';
  if (!directory) return `No lists are bundled: where the bucket fails, nobody is screened. ${advice}`;
  const days = Math.floor((now - Date.parse(read(directory).version)) / MS_PER_DAY);
  // Functions use the newer of two lists. They would ignore the published lists until those are newer than the
  // bundled ones.
  if (days < 0) return `The bundled lists are of a time to come. ${advice}`;
  return days > MOST_DAYS_OLD ? `The bundled lists are ${days} days old. ${advice}` : undefined;
}

const read = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'current.json'), 'utf8')) as Publication;

function isWhole(directory: string): boolean {
  if (!existsSync(join(directory, 'current.json'))) return false;
  return existsSync(join(directory, read(directory).index.name));
}
