/** Finds past outages in the histories of a purchase's executions: a step failed some times, and then went on. */
import type { ExecutionRecord } from './execution.ts';

/**
 * A series of equal failures of a step that is over. `to` is when the step went on, or first failed in
 * another way.
 */
export type Outage = { step: string; message: string; from: number; to: number; times: number };

type Event = ExecutionRecord['events'][number];
type StepFailure = { step: string; error: string; message: string };

/**
 * The outages of the execution that are over. A series that still lasts is left out, because it is the cause of the
 * present delay.
 */
export function outagesOf({ events }: Pick<ExecutionRecord, 'events'>): Outage[] {
  const over: Outage[] = [];
  let step = '';
  let open: (StepFailure & Pick<Outage, 'from' | 'times'>) | undefined;
  for (const event of events) {
    const at = Date.parse(event.at ?? '');
    const entered = stateIn(event);
    const failure = failureOfEvent(event, step);
    if (open && failure && isSameFailure(open, failure)) open.times += 1;
    else if (open && (failure || hasGoneOn(event, entered, step))) {
      const { error: _, ...outage } = open;
      over.push({ ...outage, to: at });
      open = undefined;
    }
    if (!open && failure && isOutageFailure(failure)) open = { ...failure, from: at, times: 1 };
    if (entered !== undefined && !BETWEEN.includes(entered)) step = entered;
  }
  return over;
}

/** The states that lie between two visits of the same step. */
const BETWEEN = ['LookAgain', 'WhatNow'];

const stateIn = ({ type = '', details }: Event): string | undefined =>
  type.endsWith('StateEntered') ? readText(details, 'name') : undefined;

const hasGoneOn = ({ type = '' }: Event, entered: string | undefined, step: string): boolean =>
  /^(Task|LambdaFunction)Succeeded$|^Execution/.test(type) ||
  (entered !== undefined && entered !== step && !BETWEEN.includes(entered));

/**
 * Whether the failure is of a provider, of AWS or of our code. Other errors are normal outcomes of a step, such as a
 * wait for a reviewer.
 */
const isOutageFailure = ({ error }: StepFailure) => error === 'Unavailable' || /^Lambda\.|Error$/.test(error);

function failureOfEvent({ type = '', details }: Event, step: string): StepFailure | undefined {
  if (!/^(Task|LambdaFunction)(Failed|TimedOut|ScheduleFailed)$/.test(type)) return undefined;
  const cause = readField(details, 'cause');
  const message = typeof cause === 'string' ? cause : readText(cause, 'errorMessage');
  return { step, error: readText(details, 'error'), message: shortenedMessage(message) };
}

const isSameFailure = (one: StepFailure, other: StepFailure) =>
  one.step === other.step && one.error === other.error && one.message === other.message;

function readField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const readText = (value: unknown, name: string): string => String(readField(value, name) ?? '');

const LONGEST = 200;
export const shortenedMessage = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, LONGEST);
