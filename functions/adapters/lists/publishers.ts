import { dayInBrasilia } from '../../domain/brasilia.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { Publishers } from '../../domain/list-ports.ts';
import { type ListDownload, ListRefused, type PublishedFile } from '../../domain/lists.ts';
import type { Clock } from '../../domain/ports.ts';
import type { ListName } from '../../domain/screening.ts';
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
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** The lists from those who publish them, by plain downloads. */
export function listPublishers(options: Options): Publishers {
  const { sources } = options;
  const finders: Record<ListName, () => Promise<Found>> = {
    OFAC_SDN: () => findOfac('OFAC_SDN', options),
    OFAC_CONS: () => findOfac('OFAC_CONS', options),
    UN_SC: () => findUn(options),
    BR_CEIS: () => findRegister('CEIS', options),
    BR_CNEP: () => findRegister('CNEP', options),
    BR_PEP: () => findRegister('PEP', options),
  };
  return {
    fewest: sources.fewest,
    async download(list): Promise<ListDownload> {
      const { version, files } = await finders[list]();
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
  if (!generated) throw new ListRefused(`${UN_FILE} does not say when it was generated`);
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
