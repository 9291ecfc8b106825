// Publications of invented people, as a bucket or a deployment has them.
import type { ListEntry } from '../../functions/adapters/lists/entry.ts';
import { PUBLICATION, sha256Of } from '../../functions/adapters/lists/publication.ts';
import { publicationOf } from '../../functions/adapters/lists/publish.ts';
import { publicationReader, type ReadFile } from '../../functions/adapters/lists/published.ts';
import { sanctionsLists } from '../../functions/adapters/lists/sanctions-lists.ts';
import { entryVersionOf } from '../../functions/adapters/screening/entry-version.ts';
import { LIST_IDS } from '../../functions/domain/screening/lists.ts';
import { stubClock } from '../support/stub-clock.ts';
import { stubLog } from '../support/stub-log.ts';

/** The content of a folder of lists. Tests change it between two reads. */
export type Folder = {
  objects: Map<string, Uint8Array>;
  reads: string[];
  read: ReadFile;
  /** If set, every read fails with it. */
  failure?: Error;
  version: string;
  digest: string;
  indexName: string;
};

export const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));

/** The folder after a publication of these entries. `lists` are those that its index has. */
export function folderOf(version: string, entries: readonly ListEntry[], lists = LIST_IDS.slice()): Folder {
  const { publication, objects } = publicationOf({
    version,
    changes: [],
    lists: lists.map((list) => {
      const content = entries.filter((entry) => entry.list === list);
      const bytes = bytesOf(content);
      return {
        list,
        version: version.slice(0, 10),
        sha256: sha256Of(bytes),
        skipped: 0,
        fetchedAt: version,
        files: [{ file: `${list}.csv`, sha256: sha256Of(bytes), bytes }],
        // A list without entries does not exist. Here it may exist without a match.
        entries: new Map([...content.map((entry) => [entry.id, entryVersionOf(entry)] as const), ['-', '']]),
        content,
      };
    }),
  });
  objects.set(PUBLICATION, bytesOf(publication));
  const { digest, name } = publication.index;
  const folder: Folder = { objects, reads: [], version, digest, indexName: name, read: readAny };
  async function readAny(object: string) {
    folder.reads.push(object);
    if (folder.failure) throw folder.failure;
    const bytes = folder.objects.get(object);
    return bytes && { bytes };
  }
  return folder;
}

export const NO_FOLDER: ReadFile = async () => undefined;

/** One instance of a function, with this bucket and with this deployed copy. */
export function instanceOf(bucket: Pick<Folder, 'read'>, copy: Pick<Folder, 'read'> = { read: NO_FOLDER }) {
  const clock = stubClock('2026-11-20T12:00:00Z');
  const log = stubLog();
  const outside = { read: bucket.read, bundled: copy.read, clock, log };
  const published = publicationReader(outside);
  const lists = sanctionsLists({ ...outside, published });
  return { lists, published, clock, log };
}
