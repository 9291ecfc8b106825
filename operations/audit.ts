import { type Act, type ActEvent, stateAt } from '../functions/domain/acts/act.ts';
import { DAY_MS } from '../functions/domain/time.ts';
import { actCells, actsIn, HEAD } from './act-list.ts';
import { type Command, type Flags, type Given, requireText, requireWords } from './command.ts';
import { type Span, spanIn } from './dates.ts';
import type { Desk } from './desk.ts';
import { shownLines, type Told } from './shown.ts';

export const auditCommands: Command[] = [
  {
    name: 'audit list',
    takes:
      '[--since <instant>] [--until <instant>] [--subject <id>] [--who <operator>] ' +
      '[--act <words>] [--text <words>]',
    about:
      'what operators did, wanted and approved, in the last 30 days by default; --json: before and after',
    options: ['since', 'until', 'subject', 'who', 'act', 'text'],
    run: listActs,
  },
];

const DEFAULT_DAYS = 30;
/** The first event of an act is at most this much older than the act's other events. */
const LONGEST_MS = 31 * DAY_MS;

/** The acts that fit the options of `audit list`. The console shows the same acts. */
export async function findActs(given: Given, desk: Desk): Promise<Act[]> {
  const span = spanIn(given, desk.clock.now(), DEFAULT_DAYS);
  return actsIn(await actEventsIn(given, span, desk)).filter(actFilter(given));
}

async function listActs(given: Given, desk: Desk): Promise<Told> {
  requireWords(given);
  const now = desk.clock.now();
  const found = await findActs(given, desk);
  const table = {
    head: HEAD,
    rows: found.map((act) => actCells(act, now)),
    empty: 'No operator did such a thing.',
  };
  return { lines: shownLines(table), json: found.map((act) => actJson(act, now)) };
}

/**
 * Returns the events of each act that has an event between `since` and `until`, even if the act began
 * earlier.
 */
async function actEventsIn(given: Given, { since, until }: Span, { acts }: Desk): Promise<ActEvent[]> {
  const isWithin = ({ at }: ActEvent) => at >= since && at < until;
  const events =
    given.flags.subject === undefined
      ? await acts.listBetween(since - LONGEST_MS, until)
      : await acts.listOfSubject(requireText(given, 'subject'));
  const wanted = new Set(events.filter(isWithin).map(({ act }) => act));
  return events.filter(({ act }) => wanted.has(act));
}

/**
 * Filters acts by `--act`, `--who` and `--text`. Each option matches a part of the text, in upper or lower
 * case. `--text` searches the whole event as JSON: who, why, before and after.
 */
function actFilter(given: Given): (act: Act) => boolean {
  const has = (option: keyof Flags, words: readonly string[]) =>
    given.flags[option] === undefined ||
    words.some((word) => word.toLowerCase().includes(requireText(given, option).toLowerCase()));
  return ({ first, events }) =>
    has('act', [first.name]) &&
    has(
      'who',
      events.map(({ who }) => who.id),
    ) &&
    has(
      'text',
      events.map((event) => JSON.stringify(event)),
    );
}

function actJson(act: Act, now: number) {
  const { id, first, events } = act;
  return { act: id, what: first.name, subject: first.subject, state: stateAt(act, now), events };
}
