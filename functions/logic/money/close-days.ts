import { dayAfter, dayBefore, isClosable, manifestKey, manifestText } from '../../domain/books/manifest.ts';
import type { Needs } from '../../domain/ports.ts';
import { dayInBrasilia, endOfDayInBrasilia } from '../../domain/time.ts';

export const CLOSING_NEEDS = ['archiveBucket', 'archiveRegister', 'clock'] as const;
type Ports = Needs<typeof CLOSING_NEEDS>;

/**
 * Begins the chain of manifests. The first manifest will be that of the present day. Repeated calls change
 * nothing.
 */
export async function beginChain({ archiveRegister, clock }: Ports): Promise<void> {
  if (await archiveRegister.findProgress()) return;
  const day = dayBefore(dayInBrasilia(clock.now()));
  await archiveRegister.saveProgress({ day, evidenceUpTo: endOfDayInBrasilia(day) });
}

/**
 * Closes each day whose time has come: uploads its manifest, and links it to the chain. If a run dies in between, the
 * next one uploads the manifest again. The chain names the version that it means.
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
