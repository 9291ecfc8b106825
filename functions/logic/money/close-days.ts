import { dayAfter, dayBefore, isClosable, manifestKey, manifestText } from '../../domain/books/manifest.ts';
import type { Needs } from '../../domain/ports.ts';
import { dayInBrasilia, endOfDayInBrasilia } from '../../domain/time.ts';

const CLOSING_NEEDS = ['archiveBucket', 'archiveRegister', 'clock'] as const;
type Ports = Needs<typeof CLOSING_NEEDS>;

/**
 * Begins the archive's chain of daily manifests, unless it exists. The first manifest will be that of the
 * present day in Brasília.
 */
export async function beginChain({ archiveRegister, clock }: Ports): Promise<void> {
  if (await archiveRegister.findProgress()) return;
  const day = dayBefore(dayInBrasilia(clock.now()));
  await archiveRegister.saveProgress({ day, evidenceUpTo: endOfDayInBrasilia(day) });
}

/**
 * Closes each day that is due: uploads its manifest, and links the manifest to the chain. If a run dies
 * between the two, the next run uploads the manifest again. The bucket may then have two versions of it. The
 * chain therefore stores the version id.
 */
export async function closeDays({ archiveBucket, archiveRegister, clock }: Ports): Promise<void> {
  for (;;) {
    const was = await archiveRegister.findProgress();
    if (!was) return;
    const day = dayAfter(was.day);
    if (!isClosable(day, was, clock.now())) return;
    const text = manifestText(was, await archiveRegister.listDay(day));
    const { versionId, sha256 } = await archiveBucket.upload({ key: manifestKey(day), text });
    if (!(await archiveRegister.saveProgress({ ...was, day, manifest: { day, versionId, sha256 } }, was)))
      return;
  }
}
