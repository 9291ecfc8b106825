import type { ArchiveBucket, ArchiveRegister, Document } from '../../domain/books/archive-ports.ts';
import type { Clock } from '../../domain/ports.ts';
import { dayInBrasilia } from '../../domain/time.ts';

type ArchivePorts = { archiveBucket: ArchiveBucket; archiveRegister: ArchiveRegister; clock: Clock };

/**
 * Archives a document once. If a former run died between the upload and the register, the document is uploaded again.
 * The bucket then has two versions, and the register names the second.
 */
export async function archive(document: Document, ports: ArchivePorts): Promise<void> {
  const { archiveBucket, archiveRegister, clock } = ports;
  const { key } = document;
  if (await archiveRegister.findObject(key)) return;
  const uploaded = await archiveBucket.upload(document);
  const at = clock.now();
  await archiveRegister.register({ key, ...uploaded, day: dayInBrasilia(at), at });
}
