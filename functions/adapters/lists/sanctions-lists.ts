import { dayInBrasilia } from '../../domain/brasilia.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Clock, SanctionsLists } from '../../domain/ports.ts';
import { hitsOf } from '../../domain/screening.ts';
import { buildIndex } from '../screening/build-index.ts';
import { openIndex, type Searcher } from '../screening/searcher.ts';
import { loadLists, type ReadFile } from './load.ts';
import { MANIFEST, parseManifest } from './manifest.ts';

/** How long an instance may go on with old lists. Real minutes, in a hurried sandbox too. */
const RECHECK_MS = 5 * 60_000;

type Outside = { read: ReadFile; clock: Pick<Clock, 'now'> };
type Held = { manifest: string; searcher: Searcher; checkedAt: number };

/**
 * The lists of the bucket, verified, and kept by the instance. Fails closed: whatever is wrong with any of
 * them, now or at a later look, nobody is screened until it is mended.
 */
export function sanctionsLists({ read, clock }: Outside): SanctionsLists {
  let held: Held | undefined;
  let refreshing: Promise<Held> | undefined;

  async function refresh(): Promise<Held> {
    const checkedAt = clock.now();
    const manifest = await readManifest(read);
    const isSame = manifest === held?.manifest;
    held = { ...(held && isSame ? held : await load(manifest, read, checkedAt)), checkedAt };
    return held;
  }

  async function current(): Promise<Held> {
    if (held && clock.now() < held.checkedAt + RECHECK_MS) return held;
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  return {
    async search(identity) {
      const { searcher } = await current().catch((cause) => {
        throw new Unavailable('sanctions lists', { cause });
      });
      const today = dayInBrasilia(clock.now());
      const candidates = searcher.search(identity, today);
      return { lists: searcher.meta.lists, candidates, hits: hitsOf(candidates) };
    },
  };
}

async function readManifest(read: ReadFile): Promise<string> {
  const found = await read(MANIFEST);
  if (!found) throw new Error(`${MANIFEST} is missing`);
  return new TextDecoder('utf-8', { fatal: true }).decode(found.bytes);
}

async function load(text: string, read: ReadFile, now: number): Promise<Omit<Held, 'checkedAt'>> {
  const manifest = parseManifest(text);
  const lists = await loadLists(manifest, read);
  const bytes = buildIndex(
    lists.flatMap(({ entries }) => entries),
    {
      version: manifest.version,
      builtAt: new Date(now).toISOString(),
      lists: lists.map(({ version }) => version),
    },
  );
  return { manifest: text, searcher: openIndex(bytes) };
}
