/**
 * Finds the states through which an execution of the state machine has gone, from its history. Reads
 * neither inputs nor task tokens.
 */
import type { ExecutionRecord } from './execution.ts';

/** One stay of the execution in a state. `leftAt` is absent for the present state. */
export type Stay = {
  state: string;
  enteredAt: number;
  leftAt?: number;
  /** How often the state's function was called. */
  tries: number;
  /** The names of the errors in this stay, with how often each occurred. */
  errors: Map<string, number>;
};

export type ExecutionWay = { name: string; status: string; stays: Stay[] };

type Event = ExecutionRecord['events'][number];
type StateDetails = { name?: unknown; error?: unknown };

export function wayOf({ name, status = 'UNKNOWN', events }: ExecutionRecord): ExecutionWay {
  const stays: Stay[] = [];
  for (const event of events) followEvent(event, stays);
  return { name, status, stays };
}

function followEvent({ type = '', at, details = {} }: Event, stays: Stay[]): void {
  const { name, error } = details as StateDetails;
  const instant = Date.parse(at ?? '');
  if (type.endsWith('StateEntered')) {
    stays.push({ state: String(name), enteredAt: instant, tries: 0, errors: new Map() });
    return;
  }
  const stay = stays.at(-1);
  if (!stay) return;
  if (type.endsWith('StateExited')) stay.leftAt = instant;
  if (/^(LambdaFunction|Task)Scheduled$/.test(type)) stay.tries += 1;
  if (/^(LambdaFunction|Task)(Failed|TimedOut|ScheduleFailed|StartFailed|SubmitFailed)$/.test(type)) {
    const known = String(error ?? 'unknown');
    stay.errors.set(known, (stay.errors.get(known) ?? 0) + 1);
  }
}

/** The moves between states, by `from>to`, with how often each was made. */
export function stateMoves({ stays }: ExecutionWay): Map<string, number> {
  const moves = new Map<string, number>();
  for (const [index, { state }] of stays.entries()) {
    const next = stays[index + 1];
    if (next) moves.set(moveId(state, next.state), (moves.get(moveId(state, next.state)) ?? 0) + 1);
  }
  return moves;
}

export const moveId = (from: string, to: string): string => `${from}>${to}`;
