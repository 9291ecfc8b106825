import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement, type Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPipe } from 'aws-cdk-lib/aws-pipes';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { getDefined } from '../functions/domain/get.ts';
import { acknowledge } from './nag.ts';
import { OwnRole } from './role.ts';

type OutboxProps = { events: Table; target: IQueue; deadLetters: IQueue };

/**
 * How often the pipe tries to send a record again. Then it moves the record to the dead-letter queue and
 * continues, because one bad event must not delay all others.
 */
const TRIES = 20;

/** Sends the id of each new event to the webhook queue. */
export class Outbox extends Construct {
  readonly pipe: CfnPipe;

  constructor(scope: Construct, id: string, { events, target, deadLetters }: OutboxProps) {
    super(scope, id);
    const streamArn = getDefined(events.tableStreamArn, 'stream of the events');
    const role = this.roleFor(streamArn, [target, deadLetters]);
    this.pipe = new CfnPipe(this, 'Pipe', {
      roleArn: role.roleArn,
      source: streamArn,
      sourceParameters: {
        filterCriteria: { filters: [{ pattern: JSON.stringify({ eventName: ['INSERT'] }) }] },
        dynamoDbStreamParameters: {
          startingPosition: 'TRIM_HORIZON',
          batchSize: 10,
          maximumRetryAttempts: TRIES,
          onPartialBatchItemFailure: 'AUTOMATIC_BISECT',
          deadLetterConfig: { arn: deadLetters.queueArn },
        },
      },
      target: target.queueArn,
      targetParameters: { inputTemplate: '{"eventId": <$.dynamodb.Keys.id.S>}' },
    });
  }

  private roleFor(streamArn: string, queues: IQueue[]): Role {
    const { account } = Stack.of(this);
    const pipes = new ServicePrincipal('pipes.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    });
    const role = new OwnRole(this, 'Role', pipes);
    const allow = (actions: string[], resources: string[]) =>
      role.addToPolicy(new PolicyStatement({ actions, resources }));
    const read = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];
    allow(read, [streamArn]);
    allow(['dynamodb:ListStreams'], ['*']);
    allow(
      ['sqs:SendMessage'],
      queues.map(({ queueArn }) => queueArn),
    );
    acknowledge(role, 'IAM5[Resource::*]', 'ListStreams, which a pipe calls, accepts no resource but *.');
    return role;
  }
}
