import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Functions, OnrampFunction } from './functions.ts';
import type { Queues } from './queues.ts';

/** Who works off which queue. */
export const CONSUMERS = { ProcessCallback: 'callback', DeliverWebhook: 'webhook' } as const;

const BATCH_SIZE = 10;

/** A message of a batch fails alone: the others are not done twice. */
export function addConsumers(functions: Functions, queues: Queues): void {
  for (const [id, queue] of Object.entries(CONSUMERS)) {
    const source = new SqsEventSource(queues[queue], {
      batchSize: BATCH_SIZE,
      reportBatchItemFailures: true,
    });
    functions.find(id).addEventSource(source);
  }
}

/** The sandbox's alone: hears of every KYC record that is put. */
export function addKycFollower(follower: OnrampFunction, kycRecords: Table): void {
  const source = new DynamoEventSource(kycRecords, {
    startingPosition: StartingPosition.TRIM_HORIZON,
    retryAttempts: 3,
    filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('INSERT') })],
  });
  follower.addEventSource(source);
}
