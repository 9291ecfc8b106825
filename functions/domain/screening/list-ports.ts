/** What keeping the lists needs of the outside. The rules of all ports are in ports.ts. */
import type { Edition, ListChange, ListDownload, ListInForce, ReadList } from './list-refresh.ts';
import type { ListId } from './lists.ts';

export type Publishers = {
  /** Fewer entries than this are not the list, whatever was there before. */
  fewest: Readonly<Record<ListId, number>>;
  /** A list as its publisher serves it now. `ListRefused` where that cannot be the list, or not whole. */
  download(list: ListId): Promise<ListDownload>;
};

/** What is in force. `revision` names it to the write that replaces it. */
export type Current = Edition & { revision: string };

export type NewEdition<Content = unknown> = {
  version: string;
  lists: (ReadList<Content> & Pick<ListInForce, 'fetchedAt' | 'most'>)[];
  changes: { list: ListId; change: ListChange; isForced?: true }[];
};

/** The published lists: their files, the index over all of them, and the one object that says what is in force. */
export type ListArchive<Content = unknown> = {
  findCurrent(): Promise<Current | undefined>;
  /** The files of a list in force, as they were published. They are as their digests say, or it throws. */
  findFiles(list: ListInForce): Promise<ListDownload>;
  /** `ListRefused` where the files are not the list, or not whole. */
  read(download: ListDownload): ReadList<Content>;
  /** What the index over these lists is, as this code builds it; nothing is written. */
  digestOf(version: string, lists: readonly ReadList<Content>[]): string;
  /** Whether the index in force can be read by whoever searches: what is damaged in the bucket stays so. */
  hasIndex(current: Current): Promise<boolean>;
  /** Puts an edition in force in place of the one that was found. Undefined: another has come first. */
  publish(edition: NewEdition<Content>, replaces: Current | undefined): Promise<Edition | undefined>;
  /** Notes when the publishers were last seen; of two at once one is lost, and nothing else changes. */
  noteSeen(lists: ListInForce[], current: Current): Promise<void>;
};
