import type { FunctionOptions } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { getOf } from '../functions/domain/get.ts';
import { SCHEDULES } from '../functions/domain/watching/schedules.ts';

const MINUTES = new Map(Object.entries(SCHEDULES).map(([id, { everyMinutes }]) => [id, everyMinutes]));

export type LateRuns = Pick<FunctionOptions, 'maxEventAge' | 'retryAttempts' | 'deadLetterQueue'>;

/** For a function that runs each minute. AWS allows no smaller age than a minute. */
export const EACH_MINUTE: LateRuns = { maxEventAge: Duration.minutes(1), retryAttempts: 0 };

/**
 * How Lambda treats events of the schedule that failed or were throttled. Lambda's own limits are two more tries and
 * six hours. A run of each minute is not repeated, and its event is not kept: only the silence of the schedule rings.
 */
export function lateRunsOf(schedule: string, deadLetterQueue: IQueue): LateRuns {
  const minutes = getOf(MINUTES, schedule);
  return minutes === 1 ? EACH_MINUTE : { maxEventAge: Duration.minutes(minutes), deadLetterQueue };
}
