import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Functions } from './functions.ts';

/** The functions that run at a fixed rate. */
export const SCHEDULES: Record<string, Duration> = {
  SweepStuckTransactions: Duration.minutes(1),
  QueueDueDeliveries: Duration.minutes(1),
  ReconcilePix: Duration.minutes(5),
  ReconcileBooks: Duration.hours(1),
  ReturnUnmatchedPayments: Duration.minutes(1),
  WatchTransfers: Duration.minutes(1),
  ReviewPendingKyc: Duration.minutes(1),
  RefreshLists: Duration.hours(2),
  ReadTreasuryFloat: Duration.minutes(1),
  RescreenClients: Duration.minutes(5),
};

type SchedulesProps = { functions: Functions; deadLetters: IQueue };

export class Schedules extends Construct {
  constructor(scope: Construct, id: string, { functions, deadLetters }: SchedulesProps) {
    super(scope, id);
    for (const [name, every] of Object.entries(SCHEDULES)) {
      const target = new LambdaFunction(functions.find(name), { deadLetterQueue: deadLetters });
      new Rule(this, name, { schedule: Schedule.rate(every), targets: [target] });
    }
  }
}
