import type { NewEdition, Publishers } from '../../domain/screening/list-ports.ts';
import {
  type Edition,
  type LastChange,
  ListRefused,
  objectionTo,
  type ReadList,
} from '../../domain/screening/list-refresh.ts';
import { LIST_IDS, type ListId } from '../../domain/screening/lists.ts';
import type { ListVersion } from '../../domain/screening/screening.ts';
import { isoInstant } from '../../domain/time.ts';
import { buildIndex } from '../screening/build-index.ts';
import { openIndex } from '../screening/searcher.ts';
import type { ListEntry } from './entry.ts';
import { type Publication, sha256Of } from './publication.ts';
import { readList } from './read-list.ts';

/** A publication and the objects that it names. */
export type PublishedLists = { publication: Publication; objects: Map<string, Uint8Array> };

export const indexName = (digest: string) => `indexes/${digest}.idx`;

/** Builds the index over all lists, and opens it once to check that it can be read. */
export function buildListIndex(version: string, lists: readonly ReadList<ListEntry[]>[]) {
  const bytes = buildIndex(
    lists.flatMap(({ content }) => content),
    { version, builtAt: version, lists: lists.map(versionOf) },
  );
  return { bytes, digest: openIndex(bytes).digest };
}

const versionOf = ({ list, version, sha256, entries }: ReadList): ListVersion => {
  return { list, version, sha256, entries: entries.size };
};

/**
 * Makes all objects of a new edition of the lists, ready to be written. `replaces` is the edition before it. A list
 * without changed entries keeps the last change that it had there.
 */
export function publicationOf(
  edition: NewEdition<ListEntry[]>,
  replaces?: Pick<Edition, 'version' | 'lists'>,
): PublishedLists {
  const { version, lists } = edition;
  const changes = edition.changes.map(({ list, change: { added, removed, changed }, isForced }) => {
    const counts = { added: added.length, removed: removed.length, changed: changed.length };
    return { list, ...counts, ...(isForced && { isForced }) };
  });
  const lastChangeOf = (list: ListId): LastChange | undefined => {
    const now = changes.find((each) => each.list === list);
    if (now && now.added + now.removed + now.changed > 0)
      return { at: version, added: now.added, removed: now.removed, changed: now.changed };
    return replaces?.lists.find((each) => each.list === list)?.lastChange;
  };
  const index = buildListIndex(version, lists);
  const details = Buffer.from(JSON.stringify(edition.changes));
  const detailsName = `changes/${version}.json`;
  const publication: Publication = {
    version,
    index: { name: indexName(index.digest), digest: index.digest, bytes: index.bytes.length },
    lists: lists.map((list) => {
      const lastChange = lastChangeOf(list.list);
      return {
        ...versionOf(list),
        fetchedAt: list.fetchedAt,
        ...(list.most && { most: list.most }),
        ...(lastChange && { lastChange }),
        files: list.files.map(({ file, sha256, bytes }) => {
          return { name: `files/${sha256}/${file}`, file, sha256, bytes: bytes.length };
        }),
      };
    }),
    ...(replaces && { replaced: replaces.version }),
    changes,
    details: { name: detailsName, sha256: sha256Of(details) },
    wallets: listedWalletsOf(lists.flatMap(({ content }) => content)),
  };
  const files = lists.flatMap(({ files }) =>
    files.map(({ file, sha256, bytes }) => [`files/${sha256}/${file}`, bytes] as const),
  );
  return {
    publication,
    objects: new Map([...files, [publication.index.name, index.bytes], [detailsName, details]]),
  };
}

/**
 * The id of the listed entry for each address. If two entries list one address, the id of the first is used.
 */
function listedWalletsOf(entries: readonly ListEntry[]): Record<string, string> {
  const pairs = entries.flatMap(({ id, wallets = [] }) => wallets.map((wallet) => [wallet, id] as const));
  return Object.fromEntries(pairs.reverse());
}

/**
 * Makes the first publication from the files that the publishers serve now. Throws if a publisher does not
 * answer, or if the rules refuse one of the lists.
 */
export async function firstPublication(
  { download, fewest }: Publishers,
  now: number,
): Promise<PublishedLists> {
  const version = isoInstant(now);
  const lists = await Promise.all(
    LIST_IDS.map(async (list) => {
      const fresh = readList(await download(list));
      const objection = objectionTo(fresh, undefined, fewest[list]);
      if (objection) throw new ListRefused(`${list}: ${objection}`);
      return { ...fresh, fetchedAt: version };
    }),
  );
  return publicationOf({ version, lists, changes: [] });
}
