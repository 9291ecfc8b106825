import {
  type CaseDecision,
  type DecidedReviewCase,
  isDecidable,
  isDecided,
  isDecidedSo,
  type OpenReviewCase,
  type ReviewCase,
} from '../functions/domain/screening/review-case.ts';
import { sheetOfCase } from './case-lines.ts';
import {
  type Command,
  type Disclosure,
  type Given,
  type Order,
  type Plan,
  textOf,
  wordsOf,
} from './command.ts';
import { type Desk, requirePartner } from './desk.ts';
import { onlyOne } from './short-ids.ts';
import type { Cell, Table } from './shown.ts';
import { instant, misused, refused } from './words.ts';

export const reviewCommands: Command[] = [
  {
    name: 'reviews list',
    takes: '[--partner <partner>] [--rejected | --decided]',
    about: 'clients who wait for a review; with --rejected, refused clients; with --decided, the decisions',
    options: ['partner', 'rejected', 'decided'],
    run: listCases,
  },
  {
    name: 'reviews show',
    takes: '<case>',
    about: 'the case with the client’s name, birth date and CPF; reading it is recorded',
    run: showCase,
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
];

async function listCases(given: Given, desk: Desk): Promise<Table> {
  wordsOf(given);
  const { partner, rejected, decided } = given.flags;
  if (rejected && decided) misused('Name either --rejected or --decided.');
  const partnerId =
    partner === undefined ? undefined : (await requirePartner(desk, textOf(given, 'partner'))).id;
  const isWanted = (each: ReviewCase) => partnerId === undefined || each.partnerId === partnerId;
  const empty = 'No client has such a case.';
  if (decided) {
    const rows = (await desk.cases.listDecided()).filter(isWanted).map(decidedRow);
    return { head: DECIDED_HEAD, rows, empty };
  }
  const opened = rejected ? 'REJECTED' : 'PENDING';
  const open = (await desk.cases.listOpen()).filter((each) => each.opened === opened);
  return { head: OPEN_HEAD, rows: open.filter(isWanted).map(openRow), empty };
}

const DECIDED_HEAD = ['case', 'decided', 'partner', 'list', 'entry', 'decision', 'by', 'reason'];
const OPEN_HEAD = ['case', 'opened', 'partner', 'list', 'entry', 'score', 'zone', 'because', 'record'];

function decidedRow({ id, decidedAt, partnerId, candidate, status, decidedBy, reason }: DecidedReviewCase) {
  const { list, entryId } = candidate;
  return [id, new Date(decidedAt), partnerId, list, entryId, status, decidedBy, reason];
}

function openRow({ id, openedAt, partnerId, candidate, opened }: OpenReviewCase): Cell[] {
  const { list, entryId, score, zone, explanation } = candidate;
  return [id, new Date(openedAt), partnerId, list, entryId, score, zone, explanation, opened];
}

async function requireCase(given: Given, { cases }: Desk): Promise<ReviewCase> {
  const [id] = wordsOf(given, '<case>');
  const found = (await cases.findCase(id)) ?? onlyOne(id, await cases.listOpen());
  return found ?? onlyOne(id, await cases.listDecided()) ?? refused(`There is no case ${id}.`);
}

const factsOf = ({ id, clientId, partnerId, pair, candidate }: ReviewCase) => {
  const { list, entryId, entryVersion } = candidate;
  return { case: id, clientId, partnerId, pair, list, entryId, entryVersion };
};

async function showCase(given: Given, desk: Desk): Promise<Disclosure> {
  const found = await requireCase(given, desk);
  return {
    subject: found.id,
    clientId: found.clientId,
    facts: factsOf(found),
    perform: () => sheetOfCase(found, desk),
  };
}

async function decideCase(given: Given, desk: Desk, status: CaseDecision['status']): Promise<Plan> {
  const found = await requireCase(given, desk);
  const decisionBy = ({ by, at, reason }: Order) => ({ status, decidedBy: by, decidedAt: at, reason });
  const isDone = given.resumed && isDecided(found) && isDecidedSo(found, decisionBy(given.resumed));
  if (isDecided(found) && !isDecidable(found, status) && !isDone) refused(decidedWords(found));
  const { id, clientId } = found;
  return {
    subject: id,
    clientId,
    will: willOf(found, status),
    facts: factsOf(found),
    before: { status: found.status, entryVersion: found.candidate.entryVersion },
    after: { status },
    isDone,
    async perform(order) {
      const decision = decisionBy(order);
      const now = await desk.cases.decide(id, decision);
      if (!isDecidedSo(now, decision)) refused(decidedWords(now));
      return [`The case ${id} is ${status}.`];
    },
  };
}

function decidedWords({ id, status, decidedBy, decidedAt, reason }: DecidedReviewCase): string {
  const rest = status === 'CLEARED' ? ' Only reviews confirm can change it.' : ' It cannot be changed.';
  return `The case ${id} was ${status} by ${decidedBy}, ${instant(decidedAt)}: ${reason}.${rest}`;
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
