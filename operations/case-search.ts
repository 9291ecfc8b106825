/** Finds review cases: one by its id, or decided ones by options such as `--cpf`, `--who` or `--partner`. */
import { LIST_IDS } from '../functions/domain/screening/lists.ts';
import type { DecidedReviewCase, ReviewCase } from '../functions/domain/screening/review-case.ts';
import type { DecidedCases, DecidedIn } from '../functions/domain/screening/review-case-ports.ts';
import { personIdOf } from '../functions/logic/kyc/person-blocks.ts';
import {
  type Command,
  cpfIn,
  type Disclosure,
  type Flags,
  type Given,
  requireText,
  requireWords,
} from './command.ts';
import { readDataSubject } from './data-subject.ts';
import { lastDays, spanIn } from './dates.ts';
import { type Desk, requirePartner } from './desk.ts';
import { onlyOne } from './short-ids.ts';
import type { Cell, Table } from './shown.ts';
import { misused, refuseOrder } from './words.ts';

const FILTERS = ['cpf', 'list', 'entry', 'name', 'who', 'decision', 'partner', 'since', 'until'] as const;
export const DECISIONS = ['CLEARED', 'CONFIRMED', 'CLOSED'] as const;

export const searchCommand: Command = {
  name: 'reviews search',
  takes:
    '[--cpf <cpf>] [--partner <partner>] [--list <list>] [--entry <id>] [--name <words>] ' +
    `[--who <operator>] [--decision <${DECISIONS.join('|')}>] [--since <instant>] [--until <instant>]`,
  about:
    'decided cases of the last year, the newest first; --name: of the listed person; --cpf: of the ' +
    'client, of all years; the search is recorded',
  options: FILTERS,
  run: searchCases,
};

const DAYS = 365;
/** The most cases that one search shows. */
const MOST_SHOWN = 200;

export const lastYear = ({ clock }: Pick<Desk, 'clock'>): DecidedIn => lastDays(DAYS, clock.now());

/** The id of the partner that `--partner` names. Undefined without the option. */
export async function partnerIdIn(given: Given, desk: Desk): Promise<string | undefined> {
  if (given.flags.partner === undefined) return undefined;
  return (await requirePartner(desk, requireText(given, 'partner'))).id;
}

export async function requireCase(given: Given, desk: Desk): Promise<ReviewCase> {
  const [id] = requireWords(given, '<case>');
  return findCaseByText(id, desk);
}

/**
 * Finds a case by its id or by the beginning of its id. The beginning finds only cases that are open or were
 * decided in the last year.
 */
export async function findCaseByText(id: string, desk: Desk): Promise<ReviewCase> {
  const { cases } = desk;
  const found = (await cases.findCase(id)) ?? onlyOne(id, await cases.listOpen());
  if (found) return found;
  const decided = await cases.listDecided(lastYear(desk));
  return onlyOne(id, decided.cases) ?? refuseOrder(`There is no case ${id}.`);
}

/**
 * Searches decided cases. The record of the search has the names of the options and the keyed hash of the CPF. It does
 * not have the texts of the options, because these may name a person.
 */
async function searchCases(given: Given, desk: Desk): Promise<Disclosure> {
  requireWords(given);
  const { flags } = given;
  const isWanted = caseFilter(given);
  const personId = flags.cpf === undefined ? undefined : await personIdOf(cpfIn(given), desk.lookup);
  await partnerIdIn(given, desk);
  const period = spanIn(given, desk.clock.now(), DAYS);
  const options = FILTERS.filter((name) => flags[name] !== undefined);
  const by = options.length === 0 ? 'without an option' : `by ${options.join(', ')}`;
  return {
    subject: 'reviews search',
    reads: [`search decided cases ${by}`, ...(personId ? [`of the person ${personId}`] : [])],
    facts: { options, personId },
    perform: async () => decidedTable(await decidedIn(given, period, desk), isWanted),
  };
}

/**
 * Reads the decided cases of the period. With `--cpf` and without a named period, it reads the person's cases
 * of all years.
 */
async function decidedIn(given: Given, period: DecidedIn, desk: Desk): Promise<DecidedCases> {
  const { cpf, since, until } = given.flags;
  if (cpf === undefined) return desk.cases.listDecided(period);
  const all = since === undefined && until === undefined;
  const found = (await casesOfPerson(given, desk)).filter(
    ({ decidedAt }) => all || (decidedAt >= period.since && decidedAt < period.until),
  );
  return { cases: found, isCut: false };
}

/**
 * The decided cases of the person with the CPF of `--cpf`. A person has one client for each partner, so all these
 * clients are searched.
 */
async function casesOfPerson(given: Given, desk: Desk): Promise<DecidedReviewCase[]> {
  const { clientIds } = await readDataSubject(cpfIn(given), desk);
  const found = await Promise.all(clientIds.map((clientId) => desk.cases.listDecidedOf(clientId)));
  return found.flat().sort((one, other) => other.decidedAt - one.decidedAt);
}

function caseFilter(given: Given): (found: DecidedReviewCase) => boolean {
  const list = choiceOf(given, 'list', LIST_IDS);
  const decision = choiceOf(given, 'decision', DECISIONS);
  const [entry, name, who, partner] = (['entry', 'name', 'who', 'partner'] as const).map((option) =>
    given.flags[option] === undefined ? undefined : plainLetters(requireText(given, option)),
  );
  return ({ candidate, status, decidedBy, partnerId }) =>
    (list === undefined || candidate.list === list) &&
    (decision === undefined || status === decision) &&
    (entry === undefined || plainLetters(candidate.entryId) === entry) &&
    (partner === undefined || partnerId === partner) &&
    (who === undefined || plainLetters(decidedBy).includes(who)) &&
    (name === undefined || hasWords(plainLetters(candidate.listed ?? ''), name));
}

function choiceOf<Choice extends string>(given: Given, option: keyof Flags, choices: readonly Choice[]) {
  if (given.flags[option] === undefined) return undefined;
  const text = requireText(given, option);
  const found = choices.find((choice) => choice === text);
  return found ?? misused(`--${option} is one of ${choices.join(', ')}.`);
}

/**
 * The text without accents, in lower case, for comparisons. Publishers and operators may write one name in
 * different ways.
 */
const plainLetters = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

const hasWords = (text: string, words: string): boolean =>
  words.split(/\s+/).every((word) => text.includes(word));

const HEAD = ['case', 'decided', 'partner', 'list', 'entry', 'listed', 'decision', 'by', 'reason'];

export function decidedTable(
  { cases, isCut }: DecidedCases,
  isWanted: (found: DecidedReviewCase) => boolean,
): Table {
  const wanted = cases.filter(isWanted);
  const left = wanted.length - MOST_SHOWN;
  const more = [
    ...(left > 0 ? [`and ${left} more: narrow the search`] : []),
    ...(isCut ? [`only the newest ${cases.length} decisions were read: name an earlier --until`] : []),
  ];
  const rows = wanted.slice(0, MOST_SHOWN).map(decidedRow);
  return { head: HEAD, rows, empty: 'No decided case is such a one.', more };
}

function decidedRow(found: DecidedReviewCase): Cell[] {
  const { id, decidedAt, partnerId, candidate, status, decidedBy, reason } = found;
  const { list, entryId, listed } = candidate;
  return [id, new Date(decidedAt), partnerId, list, entryId, listed, status, decidedBy, reason];
}
