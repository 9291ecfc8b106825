import { setTimeout as wait } from 'node:timers/promises';
import { Unavailable } from '../../domain/errors.ts';
import type { Clock, Log } from '../../domain/ports.ts';
import type { IndexInUse } from '../../domain/screening/screening.ts';
import { PUBLICATION, type Publication, parsePublication } from './publication.ts';

/** Reads one object of the folder of the lists; undefined when there is none. */
export type ReadFile = (name: string) => Promise<{ bytes: Uint8Array } | undefined>;

/** `read` asks the bucket, `bundled` the copy that was deployed with the code. */
export type PublicationPlaces = { read: ReadFile; bundled: ReadFile };
type Outside = PublicationPlaces & { clock: Pick<Clock, 'now'>; log: Pick<Log, 'error'> };

export type InForce = { publication: Publication; source: IndexInUse['source'] };
export type PublicationReader = {
  /** What is in force: the same object until the next look. `Unavailable` where there is nothing at all. */
  current(): Promise<InForce>;
  /** The copy that was deployed with the code, where there is one. */
  findDeployed(): Promise<InForce | undefined>;
};

/** How long an instance may go on with old lists. Real minutes, in a hurried sandbox too. */
const RECHECK_MS = 5 * 60_000;
/** A request waits so long for news of what it could answer already. */
const PATIENCE_MS = 1000;

/**
 * The publication of the bucket, looked at again every five minutes. Where it cannot be had, what is held goes on,
 * else the copy of the deployment: docs/decisions.md, "Lists when the bucket fails".
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
      log.error('The lists of the deployment cannot be read', error);
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
      log.error('The published lists cannot be read', cause, { source, version: publication.version });
      // Another object than before: whoever follows it looks at the index again, too.
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

/** What is held, where there is something and the news take too long; these come for a later request. */
export async function soonOr<Value>(news: Promise<Value>, held: Value | undefined): Promise<Value> {
  if (held === undefined) return news;
  const stop = new AbortController();
  const patience = wait(PATIENCE_MS, held, { signal: stop.signal, ref: false });
  // Stopped once the news are there, which nobody minds.
  patience.catch(() => undefined);
  return Promise.race([news, patience]).finally(() => stop.abort());
}
