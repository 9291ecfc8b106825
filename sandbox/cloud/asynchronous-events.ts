import { functionNameOf } from './arns.ts';
import type { Answer } from './invocation.ts';
import type { Template } from './template.ts';
import { type Fields, fields, sleep, text } from './wire.ts';

/** How often and how long a function's asynchronous event is tried. */
export type EventRules = {
  retries: number;
  /** The milliseconds for which an event may wait for a try. */
  oldestMs: number;
  /** The ARN of the dead-letter queue. Empty if the function has none. */
  deadLetters: string;
};

/** Lambda's own limit for the age of an asynchronous event: six hours. */
const OLDEST_SECONDS = 6 * 60 * 60;

export function eventRulesOf(template: Template, logicalId: string, minuteMs: number): EventRules {
  const name = template.ref(logicalId);
  const properties = template.properties(logicalId);
  const own = template
    .ofType('AWS::Lambda::EventInvokeConfig')
    .map((config) => template.properties(config.logicalId))
    .find(({ FunctionName }) => functionNameOf(text(FunctionName)) === name);
  return {
    retries: Number(own?.MaximumRetryAttempts ?? 2),
    oldestMs: (Number(own?.MaximumEventAgeInSeconds ?? OLDEST_SECONDS) / 60) * minuteMs,
    deadLetters: deadLettersOf(fields(own), properties),
  };
}

function deadLettersOf({ DestinationConfig }: Fields, { DeadLetterConfig }: Fields): string {
  return (
    text(fields(fields(DestinationConfig).OnFailure).Destination) || text(fields(DeadLetterConfig).TargetArn)
  );
}

type Tries = EventRules & {
  minuteMs: number;
  signal: AbortSignal;
  invoke(): Promise<Answer>;
  /** Called after each try. */
  tried(): void;
  /** Called when the event is given up. */
  giveUp(): Promise<void> | undefined;
};

/** Tries an event until it succeeds, has no retry left, or is too old for the next one. */
export async function tryEvent(tries: Tries): Promise<void> {
  const { retries, oldestMs, minuteMs, signal } = tries;
  const giveUpAt = Date.now() + oldestMs;
  for (let retry = 0; !signal.aborted; retry++) {
    const { functionError } = await tries.invoke();
    tries.tried();
    if (!functionError || signal.aborted) return;
    const pauseMs = (retry + 1) * minuteMs;
    if (retry >= retries || Date.now() + pauseMs >= giveUpAt) return tries.giveUp();
    await sleep(pauseMs, signal);
  }
}
