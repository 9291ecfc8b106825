/**
 * The ports that download and keep the sanctions lists. The rules of all ports are in
 * `functions/domain/ports.ts`.
 */
import type { Edition, ListChange, ListDownload, ListInForce, ReadList } from './list-refresh.ts';
import type { ListId } from './lists.ts';

export type Publishers = {
  /** For each list, the fewest entries of a download. A download with fewer entries is refused. */
  fewest: Readonly<Record<ListId, number>>;
  /**
   * Downloads a list from its publisher. Throws `ListRefused` if the answer is not the list, or is only a part of it.
   */
  download(list: ListId): Promise<ListDownload>;
};

/**
 * The edition that searches use now. `revision` is the version of the object that names it, and a write that
 * replaces the edition must give it.
 */
export type Current = Edition & { revision: string };

export type NewEdition<Content = unknown> = {
  version: string;
  lists: (ReadList<Content> & Pick<ListInForce, 'fetchedAt' | 'most'>)[];
  changes: { list: ListId; change: ListChange; isForced?: true }[];
};

/**
 * Keeps the published lists: their files, the index over all of them, and the object that names the edition in force.
 */
export type ListArchive<Content = unknown> = {
  findCurrent(): Promise<Current | undefined>;
  /**
   * Reads the archived files of a list in force, as the publisher sent them. Throws if their digest is not
   * the one that was saved.
   */
  findFiles(list: ListInForce): Promise<ListDownload>;
  /** Parses the files. Throws `ListRefused` if they are not the list, or only a part of it. */
  read(download: ListDownload): ReadList<Content>;
  /** Returns the digest of the index that the present code would build over these lists. Writes nothing. */
  digestOf(version: string, lists: readonly ReadList<Content>[]): string;
  /**
   * True if a search can open the index in force. False if its object is missing or damaged. No run
   * overwrites an object, so the caller must then publish a new edition.
   */
  hasIndex(current: Current): Promise<boolean>;
  /** Puts a new edition in force, in place of `replaces`. Undefined if another run has replaced it first. */
  publish(edition: NewEdition<Content>, replaces: Current | undefined): Promise<Edition | undefined>;
  /**
   * Saves when each publisher last served its list. If two calls overlap, the times of one of them are lost,
   * which does no harm.
   */
  noteSeen(lists: ListInForce[], current: Current): Promise<void>;
};
