import { setTimeout as wait } from 'node:timers/promises';
import { Unavailable } from '../../domain/errors.ts';
import type { Clock, Log } from '../../domain/ports.ts';
import type { IndexInUse } from '../../domain/screening/screening.ts';
import { PUBLICATION, type Publication, parsePublication } from './publication.ts';

/** Reads one object of the lists' folder. Undefined if it does not exist. */
export type ReadFile = (name: string) => Promise<{ bytes: Uint8Array } | undefined>;

/** `read` reads from the bucket. `bundled` reads from the copy in the deployment. */
export type PublicationPlaces = { read: ReadFile; bundled: ReadFile };
type Outside = PublicationPlaces & { clock: Pick<Clock, 'now'>; log: Pick<Log, 'raise'> };

export type InForce = { publication: Publication; source: IndexInUse['source'] };
export type PublicationReader = {
  /**
   * Returns the publication in force. Until the next look at the bucket it is the same object. Throws `Unavailable` if
   * neither the bucket nor the deployment has one.
   */
  current(): Promise<InForce>;
  /** Returns the publication from the copy in the deployment. Undefined if the deployment has no copy. */
  findDeployed(): Promise<InForce | undefined>;
};

/**
 * After this time a function instance looks for newer lists. The minutes are real, even in a sandbox with short
 * minutes.
 */
const RECHECK_MS = 5 * 60_000;
/** How long a request waits for newer lists if it could already be answered with known ones. */
const PATIENCE_MS = 1000;

/**
 * Reads the publication from the bucket, again after five minutes. The deployment's copy is used if it is newer. If the
 * bucket cannot be read, the last known publication is used, or else the copy: docs/decisions.md, "Lists when the
 * bucket fails".
 */
export function publicationReader(outside: Outside): PublicationReader {
  const { read, bundled, clock, log } = outside;
  let held: { inForce: InForce; checkedAt: number } | undefined;
  let looking: Promise<InForce> | undefined;
  let deployed: Promise<InForce | undefined> | undefined;

  async function look(): Promise<InForce> {
    const checkedAt = clock.now();
    const inForce = await readPublished(await findDeployed());
    held = { inForce, checkedAt };
    return inForce;
  }

  function findDeployed(): Promise<InForce | undefined> {
    deployed ??= readInForce(bundled, 'BUNDLED').catch((error: unknown) => {
      log.raise('DeployedListsUnreadable', error);
      return undefined;
    });
    return deployed;
  }

  async function readPublished(copy: InForce | undefined): Promise<InForce> {
    try {
      const published = await readInForce(read, 'PUBLISHED');
      if (!published) throw new Error(`${PUBLICATION} is missing`);
      return copy && isLater(copy, published) ? copy : published;
    } catch (cause) {
      const stand = held?.inForce ?? copy;
      if (!stand) throw new Unavailable('sanctions lists', { cause });
      const { source, publication } = stand;
      log.raise('ListsUnreadable', cause, { source, version: publication.version });
      // A new object makes the search look at the index again, because the search compares this object with its last
      // one.
      return { ...stand };
    }
  }

  return {
    async current() {
      if (held && clock.now() < held.checkedAt + RECHECK_MS) return held.inForce;
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return soonOr(looking, held?.inForce);
    },
    findDeployed,
  };
}

async function readInForce(read: ReadFile, source: InForce['source']): Promise<InForce | undefined> {
  const found = await read(PUBLICATION);
  if (!found) return undefined;
  const text = new TextDecoder('utf-8', { fatal: true }).decode(found.bytes);
  return { publication: parsePublication(text), source };
}

const isLater = (one: InForce, other: InForce) =>
  Date.parse(one.publication.version) > Date.parse(other.publication.version);

/**
 * Waits a short time for the new value. If it takes longer, returns the held value, and a later request gets the new
 * one.
 */
export async function soonOr<Value>(news: Promise<Value>, held: Value | undefined): Promise<Value> {
  if (held === undefined) return news;
  const stop = new AbortController();
  const patience = wait(PATIENCE_MS, held, { signal: stop.signal, ref: false });
  // `finally` aborts the timer when the new value is there. The timer then rejects, which is expected.
  patience.catch(() => undefined);
  return Promise.race([news, patience]).finally(() => stop.abort());
}
