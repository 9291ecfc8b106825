import { type Alarm, BY_ITSELF, LASTING, type Runbook, type Watched } from './alarm.ts';

type AwsAlarm = Runbook & Pick<Alarm, 'source' | 'threshold' | 'minutes' | 'periods'>;

const SQS = 'AWS/SQS';
const STATES = 'AWS/States';
const RESTARTS = 'The sweeper starts another while the purchase is open.';
const QUEUES = '[Dead-letter queues](operations.md#dead-letter-queues).';
/** The steps for messages that a function could not handle. */
const OF_CONSUMER = {
  look:
    '`said "message failed" 12`. If empty, the provider was down: `said "message comes again" 12`. Else ' +
    '`of DeliverWebhook` or `of ProcessCallback`.',
  ends: QUEUES,
};
/** The steps for a queue whose messages wait too long. */
const OF_SLOW_CONSUMER = {
  look: 'Throttles and errors of `DeliverWebhook` or `ProcessCallback` on the dashboard.',
  ends: 'Mend the cause, or raise the account’s concurrency.',
};

type DeadLetters = Extract<Watched, { deadLetters: string }>['deadLetters'];

/**
 * The alarm of a dead-letter queue. It rings if the queue has a message. Messages stay for 14 days, and it
 * does no harm to handle one twice. SQS redrives only what another queue sent, and not what a pipe or a schedule sent.
 */
function deadLetters(queue: DeadLetters, lost: Runbook): AwsAlarm {
  return {
    ...lost,
    source: {
      kind: 'AWS',
      namespace: SQS,
      names: ['ApproximateNumberOfMessagesVisible'],
      statistic: 'Maximum',
      of: { deadLetters: queue },
    },
    threshold: 1,
    minutes: 1,
  };
}

/**
 * The source and the limit of an alarm that rings if the oldest message of a queue is older than `threshold`
 * seconds.
 */
const age = (
  queue: 'webhook' | 'callback',
  threshold: number,
): Pick<Alarm, 'source' | 'threshold' | 'minutes'> => ({
  source: {
    kind: 'AWS',
    namespace: SQS,
    names: ['ApproximateAgeOfOldestMessage'],
    statistic: 'Maximum',
    of: { queue },
  },
  threshold,
  minutes: 1,
});

/** The source and the limit of an alarm that rings at the first event within five minutes. */
const summedMetric = (
  namespace: string,
  names: readonly string[],
  of: Watched,
): Pick<Alarm, 'source' | 'threshold' | 'minutes'> => ({
  source: { kind: 'AWS', namespace, names, statistic: 'Sum', of },
  threshold: 1,
  minutes: 5,
});

/** Tables that every purchase writes. DynamoDB refuses writes if one of their keys gets too many. */
const WRITTEN_BY_PURCHASES = [
  ...['transactions', 'events', 'deliveries', 'settlements', 'ledger'],
  ...['kycRecords', 'requests', 'floats', 'promises', 'reservations'],
];
/**
 * Indexes of these tables in which many rows share a key. The metrics of a table do not count what its indexes refuse.
 * Source: Amazon DynamoDB Developer Guide, "DynamoDB metrics and dimensions".
 */
const WRITTEN_INDEXES = [
  ...['transactions.due', 'transactions.ofPartner', 'events.due', 'events.ofPartner', 'deliveries.due'],
  ...['settlements.due', 'ledger.day', 'ledger.ofPartner', 'promises.held', 'reservations.held'],
];

const DYNAMODB = 'AWS/DynamoDB';
const BUSY_TABLE = {
  means: 'One key is too busy, or the load grew too fast.',
  look: 'The dashboard names the table or index, and its load.',
  ends: 'A grown load is served after some minutes. Tell the developers about a busy key.',
  urgency: 'TODAY',
} as const;

export const AWS_ALARMS = {
  WebhookDeadLetters: deadLetters('webhook', {
    when: 'A delivery of a webhook failed in six visits',
    means: 'The service failed, not the partner’s endpoint.',
    ...OF_CONSUMER,
    urgency: 'TODAY',
  }),
  CallbackDeadLetters: deadLetters('callback', {
    when: 'A provider’s callback could not be processed in six visits',
    means: 'Schedules find later what it reported.',
    ...OF_CONSUMER,
    urgency: 'TODAY',
  }),
  OutboxDeadLetters: deadLetters('outbox', {
    when: 'The pipe could not send an event to the webhook queue',
    means: '`QueueDueDeliveries` queues it after two minutes.',
    look: 'The rights of the pipe’s role on stream and queue; a message.',
    ends: QUEUES,
    urgency: 'TODAY',
  }),
  ScheduleDeadLetters: deadLetters('schedule', {
    when: 'A run of a schedule failed three times, or did not begin within its period',
    means: 'The next run does its work.',
    look: 'The error in a message’s attributes; the function’s log.',
    ends: QUEUES,
    urgency: 'TODAY',
  }),
  SigningKeyTouched: {
    when: 'Somebody changed a signing key, or another role than that of `SettleStablecoin` signed',
    means: 'A stranger who can sign can take the funds.',
    look: 'The queue of `KeyWatch`: `userIdentity` says who it was, `eventName` what.',
    ends: '[Signing keys](operations.md#signing-keys).',
    urgency: 'NOW',
    source: {
      kind: 'AWS',
      namespace: SQS,
      names: ['ApproximateNumberOfMessagesVisible'],
      statistic: 'Maximum',
      of: 'keys',
    },
    threshold: 1,
    minutes: 1,
  },
  WebhookAge: {
    when: 'A delivery has waited in its queue for five minutes',
    means: 'Partners hear late.',
    ...OF_SLOW_CONSUMER,
    urgency: 'NOW',
    ...age('webhook', 300),
  },
  CallbackAge: {
    when: 'A callback has waited in its queue for two minutes',
    means: 'Clients have paid, and their purchases do not go on.',
    ...OF_SLOW_CONSUMER,
    urgency: 'NOW',
    ...age('callback', 120),
  },
  CallbackLate: {
    when: 'A tenth of the callbacks is handled later than a minute after it came',
    means: 'Clients have paid, and wait. A provider may answer slowly.',
    look: '`said "message comes again"`, and the age of the queue on the dashboard.',
    ends: BY_ITSELF,
    urgency: 'TODAY',
    source: { kind: 'OWN', name: 'CallbackLag', statistic: 'p90' },
    threshold: 60_000,
    minutes: 15,
  },
  UnmatchedPaymentsFlood: {
    when: 'A hundred unmatched payments came within an hour',
    means: 'They are returned, at our cost.',
    look: 'Characters 2 to 9 of each `endToEndId` in `ops unmatched list` are the ISPB of the sender’s bank.',
    ends: 'Ask the provider to block the sender.',
    urgency: 'TODAY',
    source: { kind: 'OWN', name: 'UnmatchedPaymentsFound', statistic: 'Sum' },
    threshold: 100,
    minutes: 60,
  },
  ExecutionsFailed: {
    when: 'An execution of the state machine failed',
    means: RESTARTS,
    look:
      '`aws stepfunctions list-executions --state-machine-arn "$StateMachineArn" --status-filter FAILED ' +
      '--max-items 10`. The first 26 characters of a `name` are the purchase’s id for `ops tx show`.',
    ends: BY_ITSELF,
    urgency: 'NOW',
    ...summedMetric(STATES, ['ExecutionsFailed'], 'machine'),
  },
  ExecutionsAborted: {
    when: 'A person stopped an execution of the state machine',
    means: RESTARTS,
    look: 'The caller of `StopExecution` in CloudTrail.',
    ends: BY_ITSELF,
    urgency: 'TODAY',
    ...summedMetric(STATES, ['ExecutionsAborted'], 'machine'),
  },
  ExecutionsThrottled: {
    when: 'Step Functions has delayed steps for ten minutes',
    means: 'The account’s quota of transitions is used up.',
    look: 'The quota `StateTransition throttle token refill rate`.',
    ends: 'Ask AWS for more.',
    urgency: 'NOW',
    ...summedMetric(STATES, ['ExecutionThrottled'], 'machine'),
    ...LASTING,
  },
  FunctionsThrottled: {
    when: 'Lambda has refused calls for ten minutes',
    means: 'The account’s concurrency is used up.',
    look: '`aws lambda get-account-settings`.',
    ends: 'Ask AWS for more: [The edge](operations.md#the-edge).',
    urgency: 'NOW',
    ...summedMetric('AWS/Lambda', ['Throttles'], 'account'),
    ...LASTING,
  },
  TablesThrottled: {
    when: 'DynamoDB refuses writes of a table that purchases use',
    ...BUSY_TABLE,
    ...summedMetric(DYNAMODB, ['WriteThrottleEvents'], { tables: WRITTEN_BY_PURCHASES }),
  },
  IndexesThrottled: {
    when: 'DynamoDB refuses writes of an index that purchases use',
    ...BUSY_TABLE,
    ...summedMetric(DYNAMODB, ['WriteThrottleEvents'], { indexes: WRITTEN_INDEXES }),
  },
  ReadsThrottled: {
    when: 'DynamoDB refuses reads of a table that purchases use',
    ...BUSY_TABLE,
    ...summedMetric(DYNAMODB, ['ReadThrottleEvents'], { tables: WRITTEN_BY_PURCHASES }),
  },
  ApiErrors: {
    when: 'API Gateway has had no answer of a function to three requests',
    means: 'It ran too long, crashed, or could not start. Partners see 5xx.',
    look: '`resourcePath` in the API’s access log; that function’s last lines.',
    ends: BY_ITSELF,
    urgency: 'NOW',
    source: { kind: 'OWN', name: 'ApiFailed', statistic: 'Sum' },
    threshold: 3,
    minutes: 5,
  },
  ApiThrottled: {
    when: 'API Gateway refuses requests of a method',
    means: 'All partners together, or one alone, send too many.',
    look: 'The busiest `resourcePath` in the API’s access log.',
    ends: 'Suspend a partner that floods, or raise the limit in `infra/throttles.ts`.',
    urgency: 'NOW',
    source: { kind: 'OWN', name: 'ApiThrottled', statistic: 'Sum' },
    threshold: 100,
    minutes: 5,
  },
  PipeFailed: {
    when: 'The pipe from the events to the webhook queue fails or is delayed',
    means: '`QueueDueDeliveries` queues such events after two minutes.',
    look: 'The rights of the pipe’s role on stream and queue.',
    ends: BY_ITSELF,
    urgency: 'TODAY',
    ...summedMetric(
      'AWS/EventBridge/Pipes',
      ['ExecutionFailed', 'ExecutionThrottled', 'ExecutionTimeout'],
      'pipe',
    ),
  },
} as const satisfies Record<string, AwsAlarm>;
