/**
 * One act of an operator, done or only proposed: docs/operations.md, "Two persons". It is stored as a
 * list of events, which `place` numbers from 1. An event is never changed.
 */
import type { ActName } from './act-rules.ts';
import type { Operator } from './operator.ts';

/**
 * Some fields of a database row, as they are before the act or will be after it. They are ids, amounts and
 * states, and never personal data.
 */
export type ActShownState = Readonly<Record<string, unknown>>;

/** The content of an act. Only the act's first event, `ORDERED` or `PROPOSED`, has it. */
export type ActWanted = {
  name: ActName;
  reason?: string;
  /** The effects of the act, in the words that the operator was shown. For an act that only reads, what was read. */
  will?: readonly string[];
  /** `before` and `after` are absent if the act only reads data. */
  before?: ActShownState;
  after?: ActShownState;
};

/**
 * The words and flags of the command. They are stored, so that the command can be carried out after the
 * approval.
 */
type ActCall = { command: string; words: readonly string[]; flags: Readonly<Record<string, unknown>> };

type BegunAct = { kind: 'ORDERED' } & ActWanted;
type ProposedAct = { kind: 'PROPOSED'; expiresAt: number; call: ActCall } & ActWanted;
type DecidedAct = { kind: 'APPROVED' | 'WITHDRAWN'; reason?: string };
/**
 * `STALE`: the data that the act would change have changed since the proposal. `RESUMED`: an operator has
 * started an approved act again, because its last run did not finish.
 */
type NotedAct = { kind: 'EXPIRED' | 'STALE' | 'RESUMED' | 'DONE' };
type FailedAct = { kind: 'FAILED'; error: string };

export type Happened = BegunAct | ProposedAct | DecidedAct | NotedAct | FailedAct;
/**
 * `subject` names what the act is about, such as the id of a partner or a purchase. In an `EXPIRED` event,
 * `who` is the operator who found that the proposal has expired.
 */
export type ActEvent = {
  act: string;
  place: number;
  subject: string;
  at: number;
  who: Operator;
} & Happened;

export type ActState = ActEvent['kind'];
type FirstEvent = Extract<ActEvent, { kind: 'ORDERED' | 'PROPOSED' }>;
export type Proposal = Extract<ActEvent, { kind: 'PROPOSED' }>;
type LaterState = Exclude<ActState, 'ORDERED' | 'PROPOSED'>;

/** The states that may follow on each state. After a state without a follower the act is over. */
export const FOLLOWERS: Readonly<Record<ActState, readonly LaterState[]>> = {
  ORDERED: ['DONE', 'FAILED'],
  PROPOSED: ['APPROVED', 'WITHDRAWN', 'EXPIRED', 'STALE'],
  APPROVED: ['RESUMED', 'STALE', 'DONE'],
  RESUMED: ['RESUMED', 'STALE', 'DONE'],
  WITHDRAWN: [],
  EXPIRED: [],
  STALE: [],
  DONE: [],
  FAILED: [],
};

/** An act with all of its events, the first one first. */
export type Act = { id: string; first: FirstEvent; last: ActEvent; events: readonly ActEvent[] };

/** Makes the act from its events. Undefined where the first event is missing. */
export function actOf(events: readonly ActEvent[]): Act | undefined {
  const [first] = events;
  if (first?.kind !== 'ORDERED' && first?.kind !== 'PROPOSED') return undefined;
  return { id: first.act, first, last: events.at(-1) ?? first, events };
}

/** Makes the next event of an act. Undefined if an event of this kind may not follow the last one. */
export function following(
  { id, last }: Act,
  happened: Happened,
  { at, who }: { at: number; who: Operator },
): ActEvent | undefined {
  const isAllowed = FOLLOWERS[last.kind].some((kind) => kind === happened.kind);
  const { subject, place } = last;
  return isAllowed ? { act: id, place: place + 1, subject, at, who, ...happened } : undefined;
}

/** The approval by the second person. */
export const approvalOf = ({ events }: Act) => events.find(({ kind }) => kind === 'APPROVED');

/**
 * The state of an act at the instant `now`. A proposal expires by the clock, even if no `EXPIRED` event was
 * written.
 */
export function stateAt({ first, last }: Act, now: number): ActState {
  const isExpired = last.kind === 'PROPOSED' && first.kind === 'PROPOSED' && now >= first.expiresAt;
  return isExpired ? 'EXPIRED' : last.kind;
}
