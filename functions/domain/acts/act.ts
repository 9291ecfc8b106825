/**
 * One thing that an operator did or wants to do. It is a stream of events: docs/decisions.md, "Two pairs of eyes". An
 * event is written once, at the place after the one before it, and is never changed.
 */
import type { ActName } from './act-rules.ts';
import type { Operator } from './operator.ts';

/** A part of a row, as it was or as it is to be: ids, amounts and states, and no personal data. */
export type State = Readonly<Record<string, unknown>>;

/** The content of an act, as its first event has it. */
export type Wanted = {
  name: ActName;
  reason?: string;
  /** In the words in which it was shown. */
  will?: readonly string[];
  /** Absent where data were only read. */
  before?: State;
  after?: State;
};

/** The call of the command, for the person who carries it out. */
export type ActCall = { command: string; words: readonly string[]; flags: Readonly<Record<string, unknown>> };

type Begun = { kind: 'ORDERED' } & Wanted;
type Proposed = { kind: 'PROPOSED'; expiresAt: number; call: ActCall } & Wanted;
type Decided = { kind: 'APPROVED' | 'WITHDRAWN'; reason?: string };
/** `STALE`: what it is about has changed since the proposal. `RESUMED`: the run that carried it out has ended. */
type Noted = { kind: 'EXPIRED' | 'STALE' | 'RESUMED' | 'DONE' };
type Failed = { kind: 'FAILED'; error: string };

export type Happened = Begun | Proposed | Decided | Noted | Failed;
/** `subject` is the id of what it is about. `who` met an expiry. */
export type ActEvent = {
  act: string;
  place: number;
  subject: string;
  at: number;
  who: Operator;
} & Happened;

export type ActState = ActEvent['kind'];
export type FirstEvent = Extract<ActEvent, { kind: 'ORDERED' | 'PROPOSED' }>;
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

/** The act of these events. Undefined where the first one is missing. */
export function actOf(events: readonly ActEvent[]): Act | undefined {
  const [first] = events;
  if (first?.kind !== 'ORDERED' && first?.kind !== 'PROPOSED') return undefined;
  return { id: first.act, first, last: events.at(-1) ?? first, events };
}

/** The event after the last one. Undefined where it may not follow. */
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

/** The state at an instant: nobody need be there when a proposal expires. */
export function stateAt({ first, last }: Act, now: number): ActState {
  const isExpired = last.kind === 'PROPOSED' && first.kind === 'PROPOSED' && now >= first.expiresAt;
  return isExpired ? 'EXPIRED' : last.kind;
}
