/** Finds acts, and shows each as a row. */
import { type Act, type ActEvent, actOf, stateAt } from '../functions/domain/acts/act.ts';
import { DAY_MS } from '../functions/domain/time.ts';
import { type Given, requireWords } from './command.ts';
import type { Desk } from './desk.ts';
import { onlyOne } from './short-ids.ts';
import type { Cell } from './shown.ts';
import { instant, refuseOrder } from './words.ts';

export const HEAD = ['act', 'what', 'subject', 'state', 'who', 'second', 'at', 'reason'];
/**
 * How far back open acts are searched. A proposal waits for a week at most, but an approved act may stay
 * unfinished for longer.
 */
const OPEN_MS = 31 * DAY_MS;

export async function listOpenActs(desk: Desk): Promise<Act[]> {
  return openIn(await listRecentActs(desk), desk);
}

/** All acts of the last month, also those that have ended. */
async function listRecentActs({ acts, clock }: Desk): Promise<Act[]> {
  const now = clock.now();
  return actsIn(await acts.listBetween(now - OPEN_MS, now + DAY_MS));
}

const openIn = (acts: readonly Act[], { clock }: Desk) => acts.filter((act) => isOpenAct(act, clock.now()));

/** The open acts whose subject is `subject`: the id of a case, of a purchase or of another thing. */
export async function listOpenActsAbout(subject: string, desk: Desk): Promise<Act[]> {
  return openIn(actsIn(await desk.acts.listOfSubject(subject)), desk);
}

/** Shows an open act in one line: its command, who proposed it and when, and how to see it. */
export const waitingWords = ({ id, first }: Act): string =>
  `${first.name} by ${first.who.id}, ${instant(first.at)}: acts show ${id}`;

const OPEN = ['PROPOSED', 'APPROVED', 'RESUMED'];
export const isOpenAct = (act: Act, now: number) => OPEN.includes(stateAt(act, now));

/**
 * Groups the events by act, and sorts the acts by their first event. An act whose first event is not among
 * the events is left out.
 */
export function actsIn(events: readonly ActEvent[]): Act[] {
  const byAct = [...Map.groupBy(events, ({ act }) => act).values()];
  const found = byAct.map((some) => actOf(some.toSorted((one, other) => one.place - other.place)));
  return found.filter((act) => act !== undefined).sort((one, other) => one.first.at - other.first.at);
}

/**
 * The events with which a person decides about a proposal. If the author withdraws it, no second person has decided.
 */
const DECIDED = ['APPROVED', 'WITHDRAWN'];

export function actCells(act: Act, now: number): Cell[] {
  const { id, first } = act;
  const second = act.events.find(({ kind, who }) => DECIDED.includes(kind) && who.id !== first.who.id);
  return [
    id,
    first.name,
    first.subject,
    stateAt(act, now),
    first.who.id,
    second?.who.id,
    new Date(first.at),
    first.reason,
  ];
}

/**
 * Finds an act by its id or by the beginning of its id. An open act comes before those that have ended, because the
 * operator who types a beginning usually wants to decide about it.
 */
export async function requireAct(given: Given, desk: Desk): Promise<Act> {
  const [text] = requireWords(given, '<act>');
  const id = text.toUpperCase();
  const whole = await desk.acts.findAct(id);
  if (whole) return whole;
  const recent = await listRecentActs(desk);
  const found = onlyOne(id, openIn(recent, desk)) ?? onlyOne(id, recent);
  return found ?? refuseOrder(`There is no act ${text} of the last month. audit list has older ones.`);
}
