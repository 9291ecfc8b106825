import { evidenceKey, evidenceLine, sliceAfter } from '../../domain/books/evidence-slice.ts';
import type { Needs } from '../../domain/ports.ts';
import { archive } from './archive.ts';

export const EVIDENCE_NEEDS = ['evidenceLists', 'archiveBucket', 'archiveRegister', 'clock'] as const;
type Ports = Needs<typeof EVIDENCE_NEEDS>;

/**
 * Archives the evidence, slice by slice, up to the present or until the time is over. The progress is saved after each
 * slice. If another run has saved its own meanwhile, this run ends.
 */
export async function archiveEvidence(ports: Ports, until: number): Promise<void> {
  const { archiveRegister, clock } = ports;
  while (clock.now() < until) {
    const was = await archiveRegister.findProgress();
    const slice = was && sliceAfter(was.evidenceUpTo, clock.now());
    if (!slice) return;
    const rows = await ports.evidenceLists.listBetween(slice);
    const lines = rows.map((row) => `${evidenceLine(row)}\n`);
    if (lines.length > 0) await archive({ key: evidenceKey(slice), text: lines.join('') }, ports);
    if (!(await archiveRegister.saveProgress({ ...was, evidenceUpTo: slice.to }, was))) return;
  }
}
