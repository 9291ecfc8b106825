import { LISTS, type ListName, type ListVersion } from '../../domain/screening.ts';
import { cguEntries } from './cgu-sanctions.ts';
import type { Entry } from './entry.ts';
import { digestOf, type Manifest, type ManifestFile, sha256Of } from './manifest.ts';
import { ofacEntries } from './ofac.ts';
import { pepEntries } from './pep.ts';
import { unEntries } from './un.ts';

/** Reads one object beside the manifest; undefined when there is none. */
export type ReadFile = (name: string) => Promise<{ bytes: Uint8Array } | undefined>;

export type LoadedList = { version: ListVersion; entries: Entry[] };

type VerifiedFile = ManifestFile & { bytes: Uint8Array };

/**
 * All lists, or an error: a list that is missing, altered, empty or unreadable must stop screening, because
 * searching the others would pass for searching all.
 */
export async function loadLists(manifest: Manifest, read: ReadFile): Promise<LoadedList[]> {
  const files = await Promise.all(manifest.files.map((file) => readVerified(file, read)));
  return LISTS.map((list) => loadList(list, files, manifest.version));
}

async function readVerified(file: ManifestFile, read: ReadFile): Promise<VerifiedFile> {
  const found = await read(file.name);
  if (!found) throw new Error(`${file.name} is missing`);
  if (sha256Of(found.bytes) !== file.sha256) throw new Error(`${file.name} has another digest`);
  return { ...file, bytes: found.bytes };
}

function loadList(list: ListName, all: VerifiedFile[], version: string): LoadedList {
  const files = all.filter((file) => file.list === list);
  const entries = parse(list, files);
  if (!entries.length) throw new Error(`${list} has no entries`);
  return { version: { list, version, sha256: digestOf(files), entries: entries.length }, entries };
}

function parse(list: ListName, files: VerifiedFile[]): Entry[] {
  try {
    return FORMATS[list](files);
  } catch (cause) {
    throw new Error(`${list} cannot be read`, { cause });
  }
}

const FORMATS: Record<ListName, (files: VerifiedFile[]) => Entry[]> = {
  OFAC_SDN: (files) => {
    const named = (name: string) => only(files.filter((file) => file.name.split('/').at(-1) === name));
    return ofacEntries(named('sdn.csv'), named('alt.csv'), named('sdn_comments.csv'));
  },
  UN_SC: (files) => unEntries(only(files)),
  BR_CEIS: (files) => cguEntries('BR_CEIS', only(files)),
  BR_CNEP: (files) => cguEntries('BR_CNEP', only(files)),
  BR_PEP: (files) => pepEntries(only(files)),
};

function only(files: VerifiedFile[]): Uint8Array {
  const [file, ...others] = files;
  if (!file || others.length) throw new Error(`the manifest names ${files.length} files where one belongs`);
  return file.bytes;
}
