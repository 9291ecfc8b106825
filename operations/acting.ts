/**
 * Proposes and carries out the acts of operators, and records each step: docs/operations.md,
 * "Two persons".
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type Act,
  type ActEvent,
  type ActShownState,
  type ActState,
  type ActWanted,
  actOf,
  approvalOf,
  following,
  type Happened,
  type Proposal,
} from '../functions/domain/acts/act.ts';
import { isOneOf } from '../functions/domain/acts/act-policy.ts';
import type { ActRule, Second } from '../functions/domain/acts/act-rules.ts';
import type { Operator } from '../functions/domain/acts/operator.ts';
import { getDefined } from '../functions/domain/get.ts';
import { HOUR_MS } from '../functions/domain/time.ts';
import { newReservation, reservedIds } from '../functions/logic/ids.ts';
import type { Command, Disclosure, Given, Order, Plan } from './command.ts';
import type { Desk } from './desk.ts';
import { recorded } from './recorded.ts';
import { isLines, type Shown } from './shown.ts';
import { refuseOrder } from './words.ts';

/** `act` is the id of a new act. Without it the act gets a random one. */
type Who = { desk: Desk; operator: Operator; act?: string };
/**
 * `print` shows the result of an act, such as a new key. It is called before the end of the act is recorded,
 * because a failed record must not hide the result.
 */
export type At = Who & { print(shown: Shown): void };
type Ordered = { name: string; outcome: Plan | Disclosure; call: { reason?: string } };
type Proposed = Ordered & { outcome: Plan; second: Second; command: string; given: Given };

/** Refuses an operator who has none of the roles that may do the act `name`. */
export async function requireActAllowed(name: string, { desk, operator }: Who): Promise<ActRule> {
  const rule = await desk.policy.findRule(name);
  if (!rule) throw new Error(`no rule says who may do ${name}`);
  if (isOneOf(operator.roles, rule.by)) return rule;
  return refuseOrder(`${operator.id} may not do that: ${name} is for ${rule.by.join(', ')}.`);
}

/**
 * Carries out an act that needs no second person. The act is recorded before its change is made, and its end is
 * recorded again.
 */
export async function order({ name, outcome, call: { reason } }: Ordered, at: At): Promise<void> {
  const act = await beginAct(outcome.subject, { kind: 'ORDERED', ...wantedOf(name, outcome, reason) }, at);
  const { who, at: orderedAt } = act.first;
  const order = { by: who.id, at: orderedAt, reason: reason ?? '' };
  const made = recorded({ name, outcome, order }, at.desk).catch(async (error: Error) => {
    await noteAct(act, { kind: 'FAILED', error: error.name }, at);
    throw error;
  });
  at.print(withActId(act, 'DONE', await made));
  await noteAct(act, { kind: 'DONE' }, at);
}

/** Records the proposal of a change. Another person must approve it before the change is made. */
export async function propose(proposed: Proposed, at: At): Promise<void> {
  const { name, outcome, call, second, command, given } = proposed;
  const expiresAt = at.desk.clock.now() + second.withinHours * HOUR_MS;
  const { reason: _, yes: __, json: ___, outputs: ____, ...flags } = given.flags;
  const wanted = wantedOf(name, outcome, call.reason);
  const asked = { command, words: outcome.words ?? given.words, flags: { ...flags, ...outcome.flags } };
  const { id } = await beginAct(outcome.subject, { kind: 'PROPOSED', expiresAt, call: asked, ...wanted }, at);
  const lines = [id, `Nothing is changed yet. Another person calls: acts approve ${id}`];
  at.print(withActId({ id }, 'PROPOSED', lines));
}

/** For scripts, adds the act's id and its state to the lines that people see. */
export const withActId = ({ id }: Pick<Act, 'id'>, state: ActState, shown: Shown): Shown =>
  isLines(shown) ? { lines: shown, json: { act: id, state, said: shown } } : shown;

function wantedOf(name: string, outcome: Plan | Disclosure, reason: string | undefined): ActWanted {
  const shown = 'will' in outcome ? outcome : undefined;
  const reads = 'reads' in outcome ? outcome.reads : undefined;
  return {
    name: name as ActWanted['name'],
    ...(reason !== undefined && { reason }),
    ...(reads && { will: reads }),
    ...(shown && { will: shown.will, before: plainState(shown.before), after: plainState(shown.after) }),
  };
}

/** The state in the form in which it is read from DynamoDB, so that a state before and after storing compare equal. */
const plainState = (state: ActShownState): ActShownState =>
  JSON.parse(JSON.stringify(state)) as ActShownState;

async function beginAct(
  subject: string,
  happened: Extract<Happened, { kind: 'ORDERED' | 'PROPOSED' }>,
  { desk, operator, act = newActId(desk) }: At,
): Promise<Act> {
  const at = desk.clock.now();
  const event: ActEvent = { act, place: 1, subject, at, who: operator, ...happened };
  if (!(await desk.acts.add(event))) refuseOrder(`The act ${act} has begun already.`);
  return getDefined(actOf([event]), 'act');
}

export const newActId = ({ clock, random }: Pick<Desk, 'clock' | 'random'>): string =>
  reservedIds(newReservation(clock.now(), random)).request().slice(0, ID_CHARACTERS);

/** The length of an act's id. Ten characters hold 50 random bits, and a person can still type them. */
const ID_CHARACTERS = 10;

/**
 * Adds an event to the act, and returns the act with it. Returns undefined if another event was written first, or if
 * this event may not follow the last one.
 */
export async function noteAct(
  act: Act,
  happened: Happened,
  { desk, operator }: Who,
): Promise<Act | undefined> {
  const at = Math.max(desk.clock.now(), act.last.at);
  const event = following(act, happened, { at, who: operator });
  if (!event || !(await desk.acts.add(event))) return undefined;
  return actOf([...act.events, event]);
}

/** Runs the command of a proposal again, and returns the change as the command would make it now. */
export async function resumedPlan(
  proposal: Proposal,
  resumed: Order | undefined,
  asked: AskedAct,
): Promise<Plan> {
  const { command: name, words, flags } = proposal.call;
  const command = getDefined(await asked.findCommand(name), `command ${name}`);
  const reason = proposal.reason === undefined ? {} : { reason: proposal.reason };
  const given = {
    words: [...words],
    flags: { ...flags, ...reason },
    ask: asked.ask,
    act: proposal.act,
    ...(resumed && { resumed }),
  };
  const plan = await command.run(given, asked.desk);
  if (!('will' in plan)) throw new Error(`${name} proposes no change`);
  return plan;
}

export type AskedAct = {
  desk: Desk;
  ask: Given['ask'];
  findCommand(name: string): Promise<Command | undefined>;
};

/** Whether the change is still the one that was proposed. */
export function isAsProposed({ subject, before, after }: Plan, proposal: Proposal): boolean {
  const proposed = [proposal.subject, proposal.before, proposal.after];
  return isDeepStrictEqual([subject, plainState(before), plainState(after)], proposed);
}

/**
 * The order of an approved act. It names both persons, and is undefined before the approval. It is computed
 * from the act's events alone. A later run of the act therefore gets an equal order, and can recognise a
 * change that was made under this order.
 */
export function orderOf(act: Act): Order | undefined {
  const approval = approvalOf(act);
  if (!approval) return undefined;
  const { who, reason = '' } = act.first;
  return { by: `${who.id} with ${approval.who.id}`, at: approval.at, reason };
}

/**
 * Makes the change of an approved act. After any failure or refusal the act stays open. An earlier run may
 * have made the change and lost the answer, and the command then refuses to make it again. The next run finds
 * out whether the change was made.
 */
export async function carryOut(act: Act, plan: Plan, at: At): Promise<void> {
  const order = getDefined(orderOf(act), 'order of an approved act');
  const make = () => recorded({ name: act.first.name, outcome: plan, order }, at.desk);
  at.print(withActId(act, 'DONE', plan.isDone ? [plan.doneWords ?? DONE_WORDS] : await make()));
  await noteAct(act, { kind: 'DONE' }, at);
}

const DONE_WORDS = 'It was carried out before, and nothing is left to do.';
