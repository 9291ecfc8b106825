/**
 * Walks the chain of the archive's daily manifests, from the newest day to the first: docs/operations.md,
 * "History".
 */
import type { ManifestLink } from '../functions/domain/books/archive-ports.ts';
import {
  closesBy,
  dayBefore,
  type Manifest,
  manifestKey,
  parseManifest,
} from '../functions/domain/books/manifest.ts';
import type { Desk } from './desk.ts';

/** Something that is missing or changed: on which day, in which object, and how it differs. */
export type Fault = { day: string; object: string; differs: string };

/**
 * The manifests that the walk has read, the link to each, and the faults that it has found. A missing or changed
 * manifest ends the walk. `late` are the days whose manifest was uploaded when it was overdue. After an outage that is
 * so, but also if somebody has made the end of the chain anew.
 */
export type ManifestChain = {
  manifests: Manifest[];
  links: ManifestLink[];
  faults: Fault[];
  late: { day: string; at: number }[];
};

export const NO_CHAIN: ManifestChain = { manifests: [], links: [], faults: [], late: [] };

type Sources = Pick<Desk, 'archiveReader'>;

export async function walkChain(
  head: ManifestLink,
  from: string | undefined,
  desk: Sources,
): Promise<ManifestChain> {
  const chain: ManifestChain = { manifests: [], links: [], faults: [], late: [] };
  let link: ManifestLink | undefined = head;
  while (link && (from === undefined || link.day >= from)) link = await stepBack(link, chain, desk);
  return { ...chain, manifests: chain.manifests.reverse(), late: chain.late.reverse() };
}

/**
 * Reads one manifest, and adds it and its faults to `chain`. Returns the link to the manifest of the day before, or
 * undefined at the first day. Returns undefined also if this manifest is missing or changed.
 */
async function stepBack(link: ManifestLink, chain: ManifestChain, { archiveReader }: Sources) {
  const object = manifestKey(link.day);
  const stored = await archiveReader.findStored(object, link.versionId);
  const differs = stored === undefined ? OBJECT_MISSING : hashDifference(stored.sha256, link.sha256);
  if (!stored || differs) {
    chain.faults.push({ day: link.day, object, differs: `${differs}; the days before it are not proven` });
    return undefined;
  }
  const manifest = parseManifest(stored.text);
  chain.manifests.push(manifest);
  chain.links.push(link);
  if (stored.at > closesBy(link.day)) chain.late.push({ day: link.day, at: stored.at });
  const { day, former } = manifest;
  if (day !== link.day || (former && former.day !== dayBefore(day)))
    chain.faults.push({ day, object, differs: `it follows ${former?.day ?? 'nothing'}: a day is cut out` });
  return former;
}

export const OBJECT_MISSING = 'it is missing';

/** Says how an object's digest differs from the one that was recorded. Undefined if both are the same. */
export const hashDifference = (found: string, wanted: string): string | undefined =>
  found === wanted ? undefined : `it was changed: its SHA-256 is ${found}, and should be ${wanted}`;
