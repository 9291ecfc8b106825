/**
 * Closes review cases whose listed person or company is no longer on its sanctions list: docs/operations.md,
 * "Review cases".
 */
import {
  isDecided,
  isDecidedSo,
  isGone,
  type OpenReviewCase,
  type ReviewCase,
} from '../functions/domain/screening/review-case.ts';
import { findCaseByText, partnerIdIn } from './case-search.ts';
import type { Command, Given, Order, Plan } from './command.ts';
import type { Desk } from './desk.ts';
import { type EntriesInForce, findEntriesInForce } from './listed-entry.ts';
import { instant, refuseOrder } from './words.ts';

export const closeCommand: Command = {
  name: 'reviews close',
  takes: '[<case> …] [--partner <partner>]',
  about: 'closes the cases whose entry has left its list (ENTRY_GONE), all or these; it judges nobody',
  options: ['partner'],
  needsReason: true,
  run: closeCases,
};

/** The most cases that one act closes. The limit exists because the record of the act names each case. */
const MOST = 100;

async function closeCases(given: Given, desk: Desk): Promise<Plan> {
  const named = await Promise.all(given.words.map((id) => findCaseByText(id, desk)));
  const found = named.length > 0 ? named : await markedCases(given, desk);
  const { version, isListed } = await requireInForce(found, desk);
  if (!given.resumed) for (const each of named) requireClosable(each, isListed);
  const cases = named.length > 0 ? named : found.filter(({ candidate }) => !isListed(candidate));
  const chosen = cases.slice(0, MOST);
  if (chosen.length === 0) refuseOrder('No open case is marked ENTRY_GONE.');
  const ids = chosen.map(({ id }) => id);
  const left = cases.length - chosen.length;
  return {
    subject: ids.length === 1 ? String(ids[0]) : 'ENTRY_GONE',
    words: ids,
    will: [
      `close ${ids.length} of the cases whose entry is not in the edition ${version}`,
      ...chosen.map(closingWords),
      'nobody is cleared or confirmed, and no token changes',
      'a search that finds the entry again opens its case again',
      ...(left > 0 ? [`${left} more cases wait for the next reviews close`] : []),
    ],
    facts: { cases: ids, edition: version },
    before: { open: ids },
    after: { closed: ids },
    isDone: given.resumed !== undefined && !chosen.some((each) => isCaseClosable(each, isListed)),
    perform: (order) => closeAll(ids, order, desk),
  };
}

async function markedCases(given: Given, desk: Desk): Promise<OpenReviewCase[]> {
  const partnerId = await partnerIdIn(given, desk);
  const open = await desk.cases.listOpen();
  return open.filter((each) => isGone(each) && (partnerId === undefined || each.partnerId === partnerId));
}

/**
 * Reads the lists in force to which the cases belong. The mark `entryGone` of a case is not enough, because a
 * list may have changed since it was set.
 */
async function requireInForce(cases: readonly ReviewCase[], desk: Desk): Promise<EntriesInForce> {
  const lists = cases.map(({ candidate }) => candidate.list);
  const found = await findEntriesInForce(lists, desk);
  return found ?? refuseOrder('No list was published yet.');
}

type IsListed = EntriesInForce['isListed'];

const isCaseClosable = (found: ReviewCase, isListed: IsListed): boolean =>
  !isDecided(found) && isGone(found) && !isListed(found.candidate);

function requireClosable(found: ReviewCase, isListed: IsListed): void {
  const { id, status, candidate } = found;
  if (isDecided(found)) refuseOrder(`The case ${id} is ${status} by ${found.decidedBy}.`);
  if (isListed(candidate))
    refuseOrder(`The entry of the case ${id} is on its list: clear or confirm the case.`);
  if (!isGone(found)) refuseOrder(`The case ${id} has no mark yet: RefreshLists sets it within two hours.`);
}

function closingWords({ id, candidate, ...rest }: ReviewCase): string {
  const { list, entryId, listed = 'found by a document number' } = candidate;
  const since = 'entryGone' in rest && rest.entryGone ? `, gone since ${instant(rest.entryGone.at)}` : '';
  return `  ${id}: ${list} ${entryId} (${listed})${since}`;
}

async function closeAll(ids: readonly string[], { by, at, reason }: Order, desk: Desk): Promise<string[]> {
  const decision = { status: 'CLOSED', decidedBy: by, decidedAt: at, reason } as const;
  const left: string[] = [];
  for (const id of ids) {
    const now = await desk.cases.close(id, decision);
    if (!isDecided(now) || !isDecidedSo(now, decision))
      left.push(`The case ${id} is ${now.status}: it stays.`);
  }
  return [`${ids.length - left.length} of ${ids.length} cases are CLOSED.`, ...left];
}
