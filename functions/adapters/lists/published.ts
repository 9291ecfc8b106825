import { Unavailable } from '../../domain/errors.ts';
import type { Clock, Log } from '../../domain/ports.ts';
import type { IndexInUse } from '../../domain/screening/screening.ts';
import { PUBLICATION, type Publication, parsePublication } from './publication.ts';

/** Reads one object of the lists' folder in S3 or in the deployment. Undefined if it does not exist. */
export type ReadFile = (name: string) => Promise<{ bytes: Uint8Array } | undefined>;

/**
 * The two places of the lists. `read` reads an object from the bucket. `bundled` reads it from the copy in
 * the deployment.
 */
export type PublicationPlaces = { read: ReadFile; bundled: ReadFile };
type Outside = PublicationPlaces & { clock: Pick<Clock, 'now'>; log: Pick<Log, 'raise'> };

export type InForce = { publication: Publication; source: IndexInUse['source'] };
export type PublicationReader = {
  /**
   * Returns the publication in force. The bucket is read again after `RECHECK_MS`. Until then each call
   * returns the same object. Throws `Unavailable` if neither the bucket nor the deployment has a publication.
   */
  current(): Promise<InForce>;
  /** Returns the publication from the copy in the deployment. Undefined if the deployment has no copy. */
  findDeployed(): Promise<InForce | undefined>;
};

/**
 * A Lambda instance reads the publication from the bucket again after this time. It is five real minutes,
 * even in a sandbox, whose own minutes may be shorter.
 */
const RECHECK_MS = 5 * 60_000;

/**
 * Reads the publication from the bucket, and again after five minutes. If the deployment's copy is newer,
 * that copy is used. If the bucket cannot be read, the publication in memory is used, or else the
 * deployment's copy: docs/compliance.md, "The lists".
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
      // The search opens an index again only if `current` returns another object than before. A new object is
      // returned here, so that an index that could not be opened is tried again.
      return { ...stand };
    }
  }

  return {
    async current() {
      if (held && clock.now() < held.checkedAt + RECHECK_MS) return held.inForce;
      // The request waits for the end of the read. Lambda freezes the process after the answer, and a read that is then
      // still open would time out when the process goes on.
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
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
