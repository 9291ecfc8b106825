import type { Clock } from '../../domain/ports.ts';
import type { Publishers } from '../../domain/screening/list-ports.ts';
import type { ListDownload } from '../../domain/screening/list-refresh.ts';
import { LISTS, type ListId, mapLists, type Publisher } from '../../domain/screening/lists.ts';
import type { DownloadOptions } from './download.ts';
import { FORMATS } from './formats.ts';
import { digestOf } from './publication.ts';

export type ListSources = {
  /** The base URL of each publisher. */
  addresses: Readonly<Record<Publisher, string>>;
  /** The fewest entries of a list, in place of the usual minimum. The simulated lists are short. */
  fewest?: Partial<Record<ListId, number>>;
};

type Options = DownloadOptions & { sources: ListSources; clock: Pick<Clock, 'now'> };

/**
 * A list may be in one of several places, which are tried in turn. All tries together take at most this many times the
 * limit of one file.
 */
const TIMES_A_FILE = 3;

/** Downloads each list from its publisher. */
export function listPublishers({ sources, ...options }: Options): Publishers {
  return {
    fewest: { ...mapLists(({ fewest }) => fewest), ...sources.fewest },
    async download(list): Promise<ListDownload> {
      // One slow publisher must not use up the time for all lists.
      const until = AbortSignal.timeout(TIMES_A_FILE * options.timeoutMs);
      const address = sources.addresses[LISTS[list].publisher];
      const { version, files } = await FORMATS[list].find({ ...options, address, until });
      return { list, version, files, sha256: digestOf(files) };
    },
  };
}
