import type { FunctionOptions } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { getOf } from '../functions/domain/get.ts';
import { SCHEDULES } from '../functions/domain/watching/schedules.ts';

const MINUTES = new Map(Object.entries(SCHEDULES).map(([id, { everyMinutes }]) => [id, everyMinutes]));

export type LateRuns = Pick<FunctionOptions, 'maxEventAge' | 'retryAttempts' | 'deadLetterQueue'>;

/**
 * For a schedule that runs each minute. A run that could not start is not tried again, because the next one does its
 * work. AWS allows no `maxEventAge` below a minute.
 */
export const EACH_MINUTE: LateRuns = { maxEventAge: Duration.minutes(1), retryAttempts: 0 };

/**
 * If a run of the schedule failed or was throttled, Lambda tries its event again, but only until the next event is due.
 * By default Lambda would try for six hours. Then the event goes to the dead-letter queue. The event of a schedule of
 * each minute is dropped instead, and an alarm rings only when no run succeeds.
 */
export function lateRunsOf(schedule: string, deadLetterQueue: IQueue): LateRuns {
  const minutes = getOf(MINUTES, schedule);
  return minutes === 1 ? EACH_MINUTE : { maxEventAge: Duration.minutes(minutes), deadLetterQueue };
}
