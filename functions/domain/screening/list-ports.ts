/** The ports that keep the lists. The rules of all ports are in ports.ts. */
import type { Edition, ListChange, ListDownload, ListInForce, ReadList } from './list-refresh.ts';
import type { ListId } from './lists.ts';

export type Publishers = {
  /** A download with fewer entries than this is refused. */
  fewest: Readonly<Record<ListId, number>>;
  /** Downloads a list from its publisher. Throws `ListRefused` if the answer is not the list, or not the whole list. */
  download(list: ListId): Promise<ListDownload>;
};

/** The edition in force. `revision` identifies it to the write that replaces it. */
export type Current = Edition & { revision: string };

export type NewEdition<Content = unknown> = {
  version: string;
  lists: (ReadList<Content> & Pick<ListInForce, 'fetchedAt' | 'most'>)[];
  changes: { list: ListId; change: ListChange; isForced?: true }[];
};

/** The published lists: their files, the index over all of them, and the object that says what is in force. */
export type ListArchive<Content = unknown> = {
  findCurrent(): Promise<Current | undefined>;
  /** The files of a list in force, as they were published. Throws if a digest differs. */
  findFiles(list: ListInForce): Promise<ListDownload>;
  /** Throws `ListRefused` if the files are not the list, or not the whole list. */
  read(download: ListDownload): ReadList<Content>;
  /** The digest of the index that this code would build over these lists. Writes nothing. */
  digestOf(version: string, lists: readonly ReadList<Content>[]): string;
  /** True if a search can open the index in force. A damaged object in the bucket stays damaged. */
  hasIndex(current: Current): Promise<boolean>;
  /** Puts an edition in force in place of `replaces`. Undefined: another run was first. */
  publish(edition: NewEdition<Content>, replaces: Current | undefined): Promise<Edition | undefined>;
  /** Saves when the publishers were last seen. If two calls meet, one is lost, and nothing else changes. */
  noteSeen(lists: ListInForce[], current: Current): Promise<void>;
};
