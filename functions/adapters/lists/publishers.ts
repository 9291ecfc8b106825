import { Unavailable } from '../../domain/errors.ts';
import type { Clock } from '../../domain/ports.ts';
import type { Publishers } from '../../domain/screening/list-ports.ts';
import { type ListDownload, ListRefused, type PublishedFile } from '../../domain/screening/lists.ts';
import type { ListName } from '../../domain/screening/screening.ts';
import { dayInBrasilia } from '../../domain/time.ts';
import { type DownloadOptions, download } from './download.ts';
import { digestOf, sha256Of } from './publication.ts';
import { newestPeriods, periodsBefore, type Register } from './publishers-portal.ts';

/** Base URLs of the publishers: OFAC's sanctions list service, the United Nations, Portal da Transparência. */
export type ListSources = {
  ofac: string;
  un: string;
  portal: string;
  /** Of each list: fewer entries than this are not the list. */
  fewest: Record<ListName, number>;
};

type Options = DownloadOptions & { sources: ListSources; clock: Pick<Clock, 'now'> };
type Found = { version: string; files: PublishedFile[] };

const OFAC_FILES = {
  OFAC_SDN: ['SDN.CSV', 'ALT.CSV', 'SDN_COMMENTS.CSV'],
  OFAC_CONS: ['CONS_PRIM.CSV', 'CONS_ALT.CSV', 'CONS_COMMENTS.CSV'],
} as const;

const UN_FILE = 'consolidated.xml';
const MS_PER_DAY = 24 * 60 * 60_000;
/** A list is sought in several places, one after the other: so many times what one file may take. */
const TIMES_A_FILE = 3;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** The lists from those who publish them, by plain downloads. */
export function listPublishers(options: Options): Publishers {
  const { sources } = options;
  const finders: Record<ListName, (limited: Options) => Promise<Found>> = {
    OFAC_SDN: (limited) => findOfac('OFAC_SDN', limited),
    OFAC_CONS: (limited) => findOfac('OFAC_CONS', limited),
    UN_SC: findUn,
    BR_CEIS: (limited) => findRegister('CEIS', limited),
    BR_CNEP: (limited) => findRegister('CNEP', limited),
    BR_PEP: (limited) => findRegister('PEP', limited),
  };
  return {
    fewest: sources.fewest,
    async download(list): Promise<ListDownload> {
      // One slow publisher must not use up the time of all.
      const until = AbortSignal.timeout(TIMES_A_FILE * options.timeoutMs);
      const { version, files } = await finders[list]({ ...options, until });
      return { list, version, files, sha256: digestOf(files) };
    },
  };
}

/** All at once: where the publisher changes them between two of ours, the next run makes up for it. */
async function findOfac(list: keyof typeof OFAC_FILES, options: Options): Promise<Found> {
  const files = await Promise.all(
    OFAC_FILES[list].map(async (file) => {
      const wanted = { url: `${options.sources.ofac}/${file}`, name: file, accept: 'text/csv' };
      return published(file, await requireFile(wanted, options));
    }),
  );
  // The files do not say when they were made.
  return { version: dayInBrasilia(options.clock.now()), files };
}

async function findUn(options: Options): Promise<Found> {
  const url = `${options.sources.un}/resources/xml/en/${UN_FILE}`;
  const bytes = await requireFile({ url, name: UN_FILE, accept: 'text/xml' }, options);
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  const generated = /<CONSOLIDATED_LIST[^>]*\bdateGenerated="([\d:.TZ+-]{10,40})"/.exec(head)?.[1];
  const at = Date.parse(generated ?? '');
  if (!generated || Number.isNaN(at)) throw new ListRefused(`${UN_FILE} does not say when it was generated`);
  // All that follow would be older.
  if (at > options.clock.now() + MS_PER_DAY) throw new ListRefused(`${UN_FILE} is of a day to come`);
  return { version: generated, files: [published(UN_FILE, bytes)] };
}

/**
 * The portal keeps only the newest file, whose day its page names; where that cannot be read, the last days, or for
 * the monthly register the last months, are tried.
 */
async function findRegister(register: Register, options: Options): Promise<Found> {
  const page = `${options.sources.portal}/download-de-dados/${register.toLowerCase()}`;
  const named = await newestOnPage(page, register, options);
  const guessed = periodsBefore(register, dayInBrasilia(options.clock.now()));
  for (const period of new Set([...named, ...guessed])) {
    const digits = period.replaceAll('-', '');
    const file = `${digits}_${register}.zip`;
    const wanted = { url: `${page}/${digits}`, name: file, accept: 'application/zip' };
    const bytes = await download(wanted, options);
    if (bytes) return { version: period, files: [published(file, bytes)] };
  }
  throw new Unavailable(`the newest ${register}`);
}

async function newestOnPage(url: string, register: Register, options: Options): Promise<string[]> {
  const wanted = { url, name: `the page of ${register}`, accept: 'text/html', maxBytes: MAX_PAGE_BYTES };
  // Without the page we guess; where the portal is down, that fails as well and says so.
  const bytes = await download(wanted, options).catch(() => undefined);
  return bytes ? newestPeriods(register, Buffer.from(bytes).toString('latin1')) : [];
}

async function requireFile(wanted: Parameters<typeof download>[0], options: Options): Promise<Uint8Array> {
  const bytes = await download(wanted, options);
  if (!bytes) throw new Unavailable(wanted.name, { cause: new Error('the publisher has no such file') });
  return bytes;
}

const published = (file: string, bytes: Uint8Array): PublishedFile => ({
  file,
  sha256: sha256Of(bytes),
  bytes,
});
