import { dayInBrasilia } from '../../domain/brasilia.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Clock, SanctionsLists } from '../../domain/ports.ts';
import { hitsOf, type ListVersion } from '../../domain/screening.ts';
import { loadLists, type ReadFile } from './load.ts';
import { MANIFEST, parseManifest } from './manifest.ts';
import { buildIndex, candidatesFor, type Index } from './match.ts';

/** How long an instance may go on with old lists. Real minutes, in a hurried sandbox too. */
const RECHECK_MS = 5 * 60_000;

type Outside = { read: ReadFile; clock: Pick<Clock, 'now'> };
type Held = { manifest: string; versions: ListVersion[]; index: Index; checkedAt: number };

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
    held = { ...(held && isSame ? held : await load(manifest, read)), checkedAt };
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
      const { versions, index } = await current().catch((cause) => {
        throw new Unavailable('sanctions lists', { cause });
      });
      const today = dayInBrasilia(clock.now());
      const candidates = candidatesFor(identity, index, today);
      return { lists: versions, candidates, hits: hitsOf(candidates) };
    },
  };
}

async function readManifest(read: ReadFile): Promise<string> {
  const found = await read(MANIFEST);
  if (!found) throw new Error(`${MANIFEST} is missing`);
  return new TextDecoder('utf-8', { fatal: true }).decode(found.bytes);
}

async function load(manifest: string, read: ReadFile): Promise<Omit<Held, 'checkedAt'>> {
  const lists = await loadLists(parseManifest(manifest), read);
  const index = buildIndex(lists.flatMap(({ entries }) => entries));
  return { manifest, versions: lists.map(({ version }) => version), index };
}
