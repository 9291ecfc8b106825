import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { sha256Of } from '../functions/adapters/lists/publication.ts';
import { firstPublication } from '../functions/adapters/lists/publish.ts';
import { type ListSources, listPublishers } from '../functions/adapters/lists/publishers.ts';
import { place } from '../infra/place.ts';
import { writeCopy } from '../operations/lists-copy.ts';
import { providers } from './providers/app.ts';
import { memoryStore } from './providers/store.ts';
import { defaultSettings } from './providers/world.ts';

const CACHE = new URL('../.cache/lists/', import.meta.url).pathname;
/**
 * The time that the bundled copy of the sanctions lists has. It is fixed, so that every synthesis makes the
 * same copy. The lists that a running sandbox publishes have a later time.
 */
const MADE_AT = new Date('2026-11-01T12:00:00Z');

/**
 * Reads the simulators' sanctions lists as the product does, and writes the result into a directory, whose
 * path it returns. `npm run lists` does the same with the real lists.
 */
export async function writeBundledLists(sources: ListSources): Promise<string> {
  const world = { store: memoryStore(), now: () => MADE_AT, fetch, settings: defaultSettings };
  const app = providers(world);
  const publishers = listPublishers({
    sources,
    // The simulators run in this process, because no server runs during the synthesis.
    fetch: async (input, init) => app.request(String(input), init),
    clock: { now: () => MADE_AT.getTime() },
    timeoutMs: 30_000,
  });
  const published = await firstPublication(publishers, MADE_AT.getTime());
  // The directory's name is a digest of the content. Two syntheses at the same time thus write the same
  // directory.
  const digest = sha256Of(JSON.stringify(published.publication));
  const directory = `${CACHE}sandbox-${digest.slice(0, 16)}`;
  if (existsSync(directory)) return directory;
  const own = `${directory}.${randomUUID()}`;
  writeCopy(own, published);
  place(own, directory);
  return directory;
}
