import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Publication } from '../functions/adapters/lists/publication.ts';
import { DAY_MS } from '../functions/domain/time.ts';
import type { Stage } from './stage.ts';

/** The folder to which `npm run lists` downloads by default. */
export const PRODUCTION_LISTS = new URL('../.cache/lists/production/', import.meta.url).pathname;

const MOST_DAYS_OLD = 30;

/**
 * Finds the directory with `current.json` and the index of the sanctions lists. The directory is deployed
 * with the code, and functions read it if the bucket fails: docs/compliance.md, "The lists".
 * Undefined if production's directory lacks one of the two files.
 */
export async function bundledLists(stage: Stage): Promise<string | undefined> {
  // The sandbox's module is imported only for the sandbox, because production must not depend on it.
  if (stage === 'sandbox') return (await import('./sandbox.ts')).sandboxLists();
  return hasWholeLists(PRODUCTION_LISTS) ? PRODUCTION_LISTS : undefined;
}

/** A warning about the lists for the person who deploys. Undefined if there is nothing to warn about. */
export function warningOfLists(directory: string | undefined, now: number): string | undefined {
  const advice = 'Run npm run lists before deploying: docs/operations.md, "Sanctions lists".';
  if (!directory) return `No lists are bundled: where the bucket fails, nobody is screened. ${advice}`;
  const days = Math.floor((now - Date.parse(readCurrent(directory).version)) / DAY_MS);
  // Functions use the newer one of two publications. If the bundled lists have a future date, newly published lists
  // would be ignored until that date.
  if (days < 0) return `The bundled lists are of a time to come. ${advice}`;
  return days > MOST_DAYS_OLD ? `The bundled lists are ${days} days old. ${advice}` : undefined;
}

const readCurrent = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'current.json'), 'utf8')) as Publication;

function hasWholeLists(directory: string): boolean {
  if (!existsSync(join(directory, 'current.json'))) return false;
  return existsSync(join(directory, readCurrent(directory).index.name));
}
