import type { Current, ListArchive } from '../../domain/screening/list-ports.ts';
import type {
  ArchivedFile,
  Edition,
  ListInForce,
  PublishedFile,
} from '../../domain/screening/list-refresh.ts';
import { openIndex } from '../screening/searcher.ts';
import type { ListEntry } from './entry.ts';
import { PUBLICATION, type Publication, parsePublication, sha256Of } from './publication.ts';
import { buildListIndex, indexName, publicationOf } from './publish.ts';
import { readList } from './read-list.ts';
import type { ListStore } from './s3.ts';

/**
 * Keeps the lists in the bucket. Each object has a name of its own and is never overwritten, except the
 * publication (`current.json`). The publication is written last, and only if no other run has replaced it
 * since it was read. If a run is interrupted, or another run is faster, readers see no change.
 */
export function listArchive(store: ListStore): ListArchive<ListEntry[]> {
  async function readPublication() {
    const found = await store.read(PUBLICATION);
    if (!found) return undefined;
    return { publication: parsePublication(Buffer.from(found.bytes).toString()), revision: found.revision };
  }

  async function readFile(file: ArchivedFile): Promise<PublishedFile> {
    const found = await store.read(file.name);
    if (!found) throw new Error(`${file.name} is missing`);
    if (sha256Of(found.bytes) !== file.sha256) throw new Error(`${file.name} has another digest`);
    return { file: file.file, sha256: file.sha256, bytes: found.bytes };
  }

  const replace = (publication: Publication, revision?: string) =>
    store.write(PUBLICATION, Buffer.from(JSON.stringify(publication, null, 2)), revision);

  return {
    async findCurrent(): Promise<Current | undefined> {
      const found = await readPublication();
      return found && { ...editionOf(found.publication), revision: found.revision };
    },
    async findFiles({ list, version, sha256, files }) {
      return { list, version, sha256, files: await Promise.all(files.map(readFile)) };
    },
    read: readList,
    digestOf: (version, lists) => buildListIndex(version, lists).digest,
    async hasIndex({ digest }) {
      const found = await store.read(indexName(digest));
      return found !== undefined && isIndex(found.bytes, digest);
    },
    async publish(edition, replaces) {
      const { publication, objects } = publicationOf(edition, replaces);
      // An object that exists is not written again. Its name contains its digest or the version of this
      // edition, so it already has the same content.
      await Promise.all([...objects].map(([name, bytes]) => store.write(name, bytes)));
      return (await replace(publication, replaces?.revision)) ? editionOf(publication) : undefined;
    },
    async noteSeen(lists: ListInForce[], { version, revision }) {
      const found = await readPublication();
      if (found?.publication.version !== version || found.revision !== revision) return;
      const seen = new Map(lists.map(({ list, fetchedAt }) => [list, fetchedAt]));
      const noted = found.publication.lists.map((state) => {
        return { ...state, fetchedAt: seen.get(state.list) ?? state.fetchedAt };
      });
      await replace({ ...found.publication, lists: noted }, revision);
    },
  };
}

function isIndex(bytes: Uint8Array, digest: string): boolean {
  try {
    return openIndex(bytes).digest === digest;
  } catch {
    return false;
  }
}

function editionOf({ version, index, lists, replaced, changes, details }: Publication): Edition {
  return {
    version,
    digest: index.digest,
    lists,
    ...(replaced !== undefined && { replaced }),
    changes,
    ...(details && { details }),
  };
}
