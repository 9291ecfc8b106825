/** The parts that event sources share: mappings of queues and streams, pipes, rules and schedules. */

import type { Principal } from './access.ts';
import type { DynamoDb } from './dynamodb.ts';
import type { Gate } from './gate.ts';
import type { Iam } from './iam.ts';
import type { Lambdas } from './lambda.ts';
import type { Template } from './template.ts';

/** The parts of the cloud that event sources use. `signal` ends their work. */
export type EventWork = {
  template: Template;
  gate: Gate;
  iam: Iam;
  lambdas: Lambdas;
  dynamodb: DynamoDb;
  minuteMs: number;
  queueUrl(name: string): string;
  signal: AbortSignal;
  report(line: string): void;
};

/** Begins the work of one event source, which goes on until the cloud stops. */
export type Start = () => Promise<void>;
/** A source that is switched off. */
export const nothing: Start = async () => undefined;

/** Sends a message to a queue. */
export async function sendTo(
  { gate, queueUrl }: Pick<EventWork, 'gate' | 'queueUrl'>,
  principal: Principal,
  arn: string,
  MessageBody: string,
) {
  const QueueUrl = queueUrl(arn.split(':').at(-1) ?? '');
  await gate.perform(principal, 'sqs', 'SendMessage', { QueueUrl, MessageBody });
}
