import { Unavailable } from '../../domain/errors.ts';
import type { Clock, Log } from '../../domain/ports.ts';
import { LIST_IDS } from '../../domain/screening/lists.ts';
import type { IndexInUse } from '../../domain/screening/screening.ts';
import type { SanctionsLists } from '../../domain/screening/screening-ports.ts';
import { dayInBrasilia } from '../../domain/time.ts';
import { openIndex, type Searcher } from '../screening/searcher.ts';
import type { InForce, PublicationPlaces, PublicationReader } from './published.ts';

type Outside = PublicationPlaces & {
  published: PublicationReader;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'raise'>;
};

/**
 * An open index, and the publication that was in force when the index was chosen. If the index of that
 * publication could not be opened, `searcher` and `index` belong to another one. This is the index that was
 * open before, or the index of the deployment's copy.
 */
type Held = { inForce: InForce; searcher: Searcher; index: IndexInUse };

/**
 * Searches the index of the publication in force. Each Lambda instance opens an index once. If it cannot open
 * the published index, the search uses the index that is already open, or else the deployment's copy. Every
 * screening records which index it used. Without any index the search throws `Unavailable`, so no client
 * passes without a search: docs/compliance.md, "The lists".
 */
export function sanctionsLists(outside: Outside): SanctionsLists {
  const { published, clock } = outside;
  let held: Held | undefined;
  let opening: { inForce: InForce; held: Promise<Held> } | undefined;

  async function open(inForce: InForce): Promise<Held> {
    held = await openOrKeep(inForce, held, outside).finally(() => {
      opening = undefined;
    });
    return held;
  }

  async function current(): Promise<Held> {
    const inForce = await published.current();
    if (held?.inForce === inForce) return held;
    if (opening?.inForce !== inForce) opening = { inForce, held: open(inForce) };
    return opening.held;
  }

  return {
    async search(identity) {
      const { searcher, index } = await current();
      const candidates = searcher.search(identity, dayInBrasilia(clock.now()));
      return { index, lists: searcher.meta.lists, candidates };
    },
    async findIndex() {
      return held ? (await current()).index : indexInUse(await published.current());
    },
  };
}

async function openOrKeep(inForce: InForce, held: Held | undefined, outside: Outside): Promise<Held> {
  if (held?.searcher.digest === inForce.publication.index.digest) {
    return { inForce, searcher: held.searcher, index: indexInUse(inForce) };
  }
  try {
    return await openOwn(inForce, outside);
  } catch (cause) {
    const { digest } = inForce.publication.index;
    outside.log.raise('IndexUnusable', cause, { source: inForce.source, digest });
    if (held) return { ...held, inForce };
    const copy = inForce.source === 'PUBLISHED' ? await outside.published.findDeployed() : undefined;
    if (!copy) throw new Unavailable('sanctions lists', { cause });
    return { ...(await openOwn(copy, outside).catch(listsSilent)), inForce };
  }
}

/**
 * Opens the index of this publication. Throws if the index is damaged, has another digest than the
 * publication says, or lacks one of the lists.
 */
async function openOwn(inForce: InForce, { read, bundled }: Outside): Promise<Held> {
  const { name, digest } = inForce.publication.index;
  const found = await (inForce.source === 'PUBLISHED' ? read : bundled)(name);
  if (!found) throw new Error(`${name} is missing`);
  const searcher = openIndex(found.bytes);
  if (searcher.digest !== digest) throw new Error(`${name} has another digest`);
  const missing = LIST_IDS.filter((list) => !searcher.meta.lists.some((version) => version.list === list));
  // A search of only some lists would have the same result as a search of all lists without a hit.
  if (missing.length) throw new Error(`${name} lacks ${missing.join(', ')}`);
  return { inForce, searcher, index: indexInUse(inForce) };
}

function indexInUse({ publication: { version, index }, source }: InForce): IndexInUse {
  return { version, digest: index.digest, source };
}

function listsSilent(cause: unknown): never {
  throw new Unavailable('sanctions lists', { cause });
}
