import type { Clock } from '../../domain/ports.ts';
import type { Publishers } from '../../domain/screening/list-ports.ts';
import type { ListDownload } from '../../domain/screening/list-refresh.ts';
import { LISTS, type ListId, mapLists, type Publisher } from '../../domain/screening/lists.ts';
import type { DownloadOptions } from './download.ts';
import { FORMATS } from './formats.ts';
import { filesDigest } from './publication.ts';

export type ListSources = {
  /** The base URL of each publisher. */
  addresses: Readonly<Record<Publisher, string>>;
  /**
   * The fewest entries that a list may have, in place of the usual minimum. The simulated lists of a sandbox
   * are short.
   */
  fewest?: Partial<Record<ListId, number>>;
};

type Options = DownloadOptions & { sources: ListSources; clock: Pick<Clock, 'now'> };

/**
 * A list may be at one of several URLs, which are tried one after the other. All these tries together may
 * take this many times the time-out of one file.
 */
const TIMES_A_FILE = 3;

/** Downloads each list from its publisher. */
export function listPublishers({ sources, ...options }: Options): Publishers {
  return {
    fewest: { ...mapLists(({ fewest }) => fewest), ...sources.fewest },
    async download(list): Promise<ListDownload> {
      // Ends the tries for this list, so that one slow publisher does not use up the time for all lists.
      const until = AbortSignal.timeout(TIMES_A_FILE * options.timeoutMs);
      const address = sources.addresses[LISTS[list].publisher];
      const { version, files } = await FORMATS[list].find({ ...options, address, until });
      return { list, version, files, sha256: filesDigest(files) };
    },
  };
}
