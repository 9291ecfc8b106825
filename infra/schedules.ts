import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { SCHEDULES } from '../functions/domain/watching/schedules.ts';
import type { Functions } from './functions.ts';

type SchedulesProps = { functions: Functions; deadLetters: IQueue };

export class Schedules extends Construct {
  constructor(scope: Construct, id: string, { functions, deadLetters }: SchedulesProps) {
    super(scope, id);
    // The CDK does not change the policy of a queue that is only named. Otherwise it would add a statement with a
    // condition for each rule, and a policy of SQS may have ten conditions.
    const deadLetterQueue = Queue.fromQueueArn(this, 'DeadLetters', deadLetters.queueArn);
    const rules = Object.entries(SCHEDULES).map(([name, { everyMinutes }]) => {
      const period = Duration.minutes(everyMinutes);
      // EventBridge gives an event up after the period, because the next one does its work.
      const target = new LambdaFunction(functions.find(name), { deadLetterQueue, maxEventAge: period });
      return new Rule(this, name, { schedule: Schedule.rate(period), targets: [target] });
    });
    deadLetters.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [deadLetters.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': rules.map(({ ruleArn }) => ruleArn) } },
      }),
    );
  }
}
