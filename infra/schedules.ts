import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { SCHEDULES } from '../functions/domain/watching/schedules.ts';
import type { Functions } from './functions.ts';

type SchedulesProps = { functions: Functions; deadLetters: IQueue };

export class Schedules extends Construct {
  constructor(scope: Construct, id: string, { functions, deadLetters }: SchedulesProps) {
    super(scope, id);
    for (const [name, { everyMinutes }] of Object.entries(SCHEDULES)) {
      const period = Duration.minutes(everyMinutes);
      // EventBridge gives an event up after the period, because the next one does its work.
      const target = new LambdaFunction(functions.find(name), {
        deadLetterQueue: deadLetters,
        maxEventAge: period,
      });
      new Rule(this, name, { schedule: Schedule.rate(period), targets: [target] });
    }
  }
}
