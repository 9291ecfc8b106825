import type { Needs } from '../../domain/ports.ts';
import type { ReadList } from '../../domain/screening/list-refresh.ts';
import { isGone, type OpenReviewCase } from '../../domain/screening/review-case.ts';

export const GONE_NEEDS = ['caseMarks', 'clock', 'log'] as const;
type Ports = Needs<typeof GONE_NEEDS>;

/** The screening lists in force: the version of their index, and the entries of each list. */
type InForce = { version: string; lists: readonly Pick<ReadList, 'list' | 'entries'>[] };

/**
 * Marks each open review case whose entry is no longer on its list: docs/operations.md, "Review cases". If the entry is
 * on the list again, the case loses the mark. If a run dies, the next run changes the remaining cases.
 */
export async function markGoneEntries({ version, lists }: InForce, ports: Ports): Promise<void> {
  const { caseMarks, clock, log } = ports;
  const isListed = ({ candidate }: OpenReviewCase) =>
    lists.some(({ list, entries }) => list === candidate.list && entries.has(candidate.entryId));
  const open = await caseMarks.listOpen();
  const changed = open.filter((each) => isGone(each) === isListed(each));
  for (const each of changed)
    await caseMarks.mark(each.id, isGone(each) ? undefined : { at: clock.now(), edition: version });
  if (changed.length > 0) log.info('review cases marked', { cases: changed.length, version });
}
