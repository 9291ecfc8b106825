import {
  byUrgency,
  type CaseDecision,
  dueAtOf,
  isDecidable,
  isDecided,
  isDecidedSo,
  isGone,
  type OpenReviewCase,
  type ReviewCase,
} from '../functions/domain/screening/review-case.ts';
import { listOpenActs, listOpenActsAbout, waitingWords } from './act-list.ts';
import { assignCommands } from './case-assigning.ts';
import { closeCommand } from './case-closing.ts';
import { decidedWords, reviewCaseFacts, sheetOfCase } from './case-lines.ts';
import { decidedTable, lastYear, partnerIdIn, requireCase, searchCommand } from './case-search.ts';
import { undoCommand } from './case-undoing.ts';
import { type Command, type Disclosure, type Given, type Order, type Plan, requireWords } from './command.ts';
import type { Desk } from './desk.ts';
import type { Cell, Sheet, Table } from './shown.ts';
import { misused, refuseOrder } from './words.ts';

export const reviewCommands: Command[] = [
  {
    name: 'reviews list',
    takes: '[--partner <partner>] [--rejected | --gone | --decided]',
    about:
      'clients who wait for a review; --rejected: refused clients; ' +
      '--gone: cases whose entry has left its list; --decided: the decisions of a year',
    options: ['partner', 'rejected', 'gone', 'decided'],
    run: listReviewCases,
  },
  searchCommand,
  ...assignCommands,
  {
    name: 'reviews show',
    takes: '<case>',
    about: 'the case with the client’s name, birth date and CPF; reading it is recorded',
    run: showReviewCase,
  },
  {
    name: 'reviews clear',
    takes: '<case>',
    about: 'the client is not the listed person; the pair is not raised again while both stay the same',
    needsReason: true,
    run: (given, desk) => decideCase(given, desk, 'CLEARED'),
  },
  {
    name: 'reviews confirm',
    takes: '<case>',
    about: 'the client is the listed person and is refused; this also overrules a clearance',
    needsReason: true,
    run: (given, desk) => decideCase(given, desk, 'CONFIRMED'),
  },
  undoCommand,
  closeCommand,
];

async function listReviewCases(given: Given, desk: Desk): Promise<Table> {
  requireWords(given);
  const { rejected, gone, decided } = given.flags;
  if ([rejected, gone, decided].filter(Boolean).length > 1)
    misused('Name only one of --rejected, --gone and --decided.');
  const partnerId = await partnerIdIn(given, desk);
  const isWanted = (each: ReviewCase) => partnerId === undefined || each.partnerId === partnerId;
  if (decided) return decidedTable(await desk.cases.listDecided(lastYear(desk)), isWanted);
  const opened = rejected ? 'REJECTED' : 'PENDING';
  const isShown = (each: OpenReviewCase) => (gone ? isGone(each) : each.opened === opened) && isWanted(each);
  const hours = await desk.policy.getReviewHours();
  const [cases, acts] = await Promise.all([desk.cases.listOpen(), listOpenActs(desk)]);
  const waiting = new Set(acts.map(({ first }) => first.subject));
  const now = desk.clock.now();
  const rows = byUrgency(cases.filter(isShown), hours).map((each) =>
    openRow(each, { dueAt: dueAtOf(each, hours), now, waits: waiting.has(each.id) }),
  );
  return { head: OPEN_HEAD, rows, empty: 'No client has such a case.' };
}

const OPEN_HEAD = [
  ...['case', 'opened', 'partner', 'list', 'entry', 'score'],
  ...['zone', 'because', 'record', 'mark', 'due', 'assigned'],
];

/**
 * The facts that a row of an open case shows beside the case. `waits` is true if an act about the case is proposed, or
 * approved and not ended.
 */
type Around = { dueAt: number; now: number; waits: boolean };

function openRow(found: OpenReviewCase, { dueAt, now, waits }: Around): Cell[] {
  const { id, openedAt, partnerId, candidate, opened, assigned } = found;
  const { list, entryId, score, zone, explanation } = candidate;
  const ofCase = isGone(found) ? ['ENTRY_GONE'] : dueAt < now ? ['OVERDUE'] : [];
  const mark = [...ofCase, ...(waits ? ['WAITS'] : [])].join(', ') || undefined;
  const first = [id, new Date(openedAt), partnerId, list, entryId, score, zone, explanation, opened];
  return [...first, mark, new Date(dueAt), assigned?.to];
}

async function showReviewCase(given: Given, desk: Desk): Promise<Disclosure> {
  const found = await requireCase(given, desk);
  return { ...showingOf(found, desk), perform: () => sheetWithActs(found, desk) };
}

/**
 * Shows a case for the terminal, with the open acts about it below its status. The console shows these acts elsewhere
 * on its page.
 */
async function sheetWithActs(found: ReviewCase, desk: Desk): Promise<Sheet> {
  const [{ sheet }, acts] = await Promise.all([sheetOfCase(found, desk), listOpenActsAbout(found.id, desk)]);
  const [id, status, ...rest] = sheet;
  const waits = acts.map((act) => ['waits', waitingWords(act)]);
  return { sheet: [id, status, ...waits, ...rest].filter((row) => row !== undefined) };
}

/** Makes the recorded reading of a case. */
export function showingOf(found: ReviewCase, desk: Desk): Disclosure {
  return {
    subject: found.id,
    clientId: found.clientId,
    facts: reviewCaseFacts(found),
    perform: () => sheetOfCase(found, desk),
  };
}

async function decideCase(given: Given, desk: Desk, status: CaseDecision['status']): Promise<Plan> {
  const found = await requireCase(given, desk);
  const decisionBy = ({ by, at, reason }: Order) => ({ status, decidedBy: by, decidedAt: at, reason });
  const isDone = given.resumed && isDecided(found) && isDecidedSo(found, decisionBy(given.resumed));
  if (isDecided(found) && !isDecidable(found, status) && !isDone) refuseOrder(decidedWords(found));
  const { id, clientId } = found;
  const others = (await listOpenActsAbout(id, desk)).filter((act) => act.id !== given.act);
  return {
    subject: id,
    clientId,
    will: [
      ...willOf(found, status),
      ...others.map((act) => `although another act waits: ${waitingWords(act)}`),
    ],
    facts: reviewCaseFacts(found),
    before: { status: found.status, entryVersion: found.candidate.entryVersion },
    after: { status },
    isDone,
    async perform(order) {
      const decision = decisionBy(order);
      const now = await desk.cases.decide(id, decision);
      if (!isDecidedSo(now, decision)) refuseOrder(decidedWords(now));
      return [`The case ${id} is ${status}.`];
    },
  };
}

function willOf({ clientId, partnerId, candidate, opened, status }: ReviewCase, to: CaseDecision['status']) {
  const { list, entryId, listed = 'found by a document number' } = candidate;
  const client = `the client ${clientId.slice(0, 12)}… of ${partnerId}`;
  const entry = `${list} ${entryId} (${listed})`;
  if (to === 'CONFIRMED') {
    return [
      `record that ${client} is ${entry}, and refuse the client`,
      ...(status === 'CLEARED' ? ['although the case was cleared before'] : []),
      'none of its tokens carries a purchase any more; waiting records are refused within a minute',
    ];
  }
  return [
    `record that ${client} is not ${entry}, while both stay the same`,
    opened === 'PENDING'
      ? 'waiting records are decided within a minute'
      : 'its token stays REJECTED; the next submission is not refused for this',
  ];
}
