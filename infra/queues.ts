import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { daysKept } from '../functions/domain/retention.ts';
import { acknowledge } from './nag.ts';

const TRIES = 6;
export const CONSUMER_TIMEOUT = Duration.seconds(60);
/**
 * How long a message is hidden while a function handles it. AWS advises six times the function's time-out, so that the
 * message does not come again meanwhile. `functions/entry/queue.ts` shortens this time for the first failures.
 */
const VISIBILITY = Duration.seconds(6 * CONSUMER_TIMEOUT.toSeconds());

/**
 * The queues of work, and the dead-letter queues for messages that failed. A message in a dead-letter queue
 * raises an alarm.
 */
export class Queues extends Construct {
  readonly webhook: Queue;
  readonly callback: Queue;
  readonly deadLetters: Record<'webhook' | 'callback' | 'outbox' | 'schedule', Queue>;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.deadLetters = {
      webhook: deadLetterQueue(this, 'WebhookDeadLetters'),
      callback: deadLetterQueue(this, 'CallbackDeadLetters'),
      outbox: deadLetterQueue(this, 'OutboxDeadLetters'),
      schedule: deadLetterQueue(this, 'ScheduleDeadLetters'),
    };
    acknowledge(
      this.deadLetters.outbox,
      'SQS3',
      'It is the dead-letter queue of the pipe from the events’ stream.',
    );
    acknowledge(
      this.deadLetters.schedule,
      'SQS3',
      'It is the dead-letter queue of the nested stack’s schedules.',
    );
    this.webhook = workQueue(this, 'Webhook', this.deadLetters.webhook);
    this.callback = workQueue(this, 'Callback', this.deadLetters.callback);
  }
}

function workQueue(scope: Construct, id: string, deadLetters: Queue): Queue {
  return new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    visibilityTimeout: VISIBILITY,
    retentionPeriod: Duration.days(daysKept('queues')),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: TRIES },
  });
}

function deadLetterQueue(scope: Construct, id: string): Queue {
  return new Queue(scope, id, {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(daysKept('queues')),
  });
}
