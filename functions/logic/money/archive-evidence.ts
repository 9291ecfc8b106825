import { SLICED, sliceAfter, sliceKey, sliceLine } from '../../domain/books/evidence-slice.ts';
import type { Needs } from '../../domain/ports.ts';
import type { Period } from '../../domain/time.ts';
import { archive } from './archive.ts';

export const EVIDENCE_NEEDS = [
  'evidenceLists',
  'actLists',
  'archiveBucket',
  'archiveRegister',
  'clock',
] as const;
type Ports = Needs<typeof EVIDENCE_NEEDS>;

/**
 * Archives the evidence and the acts of operators, slice by slice. It ends at the first slice that is not yet old
 * enough (`sliceAfter`), or at the instant `until`. The progress is saved after each slice. If another run has saved
 * its own meanwhile, this run ends.
 */
export async function archiveEvidence(ports: Ports, until: number): Promise<void> {
  const { archiveRegister, clock } = ports;
  while (clock.now() < until) {
    const was = await archiveRegister.findProgress();
    const slice = was && sliceAfter(was.evidenceUpTo, clock.now());
    if (!slice) return;
    await archiveSlice(slice, ports);
    if (!(await archiveRegister.saveProgress({ ...was, evidenceUpTo: slice.to }, was))) return;
  }
}

async function archiveSlice(slice: Period, ports: Ports): Promise<void> {
  const lists = { evidence: ports.evidenceLists, acts: ports.actLists };
  for (const table of SLICED) {
    const rows = await lists[table].listBetween(slice);
    const text = rows.map((row) => `${sliceLine(row)}\n`).join('');
    if (text) await archive({ key: sliceKey(table, slice), text }, ports);
  }
}
