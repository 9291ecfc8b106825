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
/** Every synthesis uses this time, so that the copy is the same. The sandbox publishes nothing that is older. */
const MADE_AT = new Date('2026-11-01T12:00:00Z');

/** Writes the simulators' own lists as `npm run lists` would. Answers their directory. */
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
  // The content gives the name, so that two syntheses at once write the same file.
  const digest = sha256Of(JSON.stringify(published.publication));
  const directory = `${CACHE}sandbox-${digest.slice(0, 16)}`;
  if (existsSync(directory)) return directory;
  const own = `${directory}.${randomUUID()}`;
  writeCopy(own, published);
  place(own, directory);
  return directory;
}
