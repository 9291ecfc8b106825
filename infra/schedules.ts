import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { SCHEDULES } from '../functions/domain/watching/schedules.ts';
import type { Functions } from './functions.ts';
import { oldestOf } from './late-runs.ts';

type SchedulesProps = { functions: Functions; deadLetters: IQueue };

export class Schedules extends Construct {
  constructor(scope: Construct, id: string, { functions, deadLetters }: SchedulesProps) {
    super(scope, id);
    for (const [name, { everyMinutes }] of Object.entries(SCHEDULES)) {
      const target = new LambdaFunction(functions.find(name), {
        deadLetterQueue: deadLetters,
        maxEventAge: oldestOf(name),
      });
      const schedule = Schedule.rate(Duration.minutes(everyMinutes));
      new Rule(this, name, { schedule, targets: [target] });
    }
  }
}
