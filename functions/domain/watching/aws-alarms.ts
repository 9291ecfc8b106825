import { type Alarm, MEND_OR_GO_BACK, type Runbook, type Watched } from './alarm.ts';

type AwsAlarm = Runbook & Pick<Alarm, 'source' | 'threshold' | 'minutes'>;

const SQS = 'AWS/SQS';
const STATES = 'AWS/States';
const RESTARTS = 'The sweeper starts another execution while the purchase is open.';
const QUEUES = '[Dead-letter queues](operations.md#dead-letter-queues) has the commands';
const REDRIVE = `Mend the cause. ${QUEUES}: redrive the messages.`;
const READ_AND_DELETE = `Mend the cause. ${QUEUES}: delete the messages. A schedule has done the work.`;
/** The first look at messages that a function could not handle. */
const lookAt = (consumer: string): string =>
  `Run \`said "message failed" 12\` for the error. Without a line the provider was down: ` +
  `\`said "message comes again" 12\`. Without that, \`${consumer}\` ended without an answer: see its log.`;

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
const sum = (
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
  means: 'One key of the table or index is too busy, or the load grew too fast. Calls are repeated and slow.',
  look: 'The dashboard names the table or index. Compare its load with the last days.',
  ends: 'A load that grew is served after some minutes. Tell the developers about a busy key.',
  urgency: 'TODAY',
} as const;

export const AWS_ALARMS = {
  WebhookDeadLetters: deadLetters('webhook', {
    when: 'A delivery of a webhook failed in five visits',
    means:
      'The service itself failed, and not the endpoint of the partner. An open delivery is queued again.',
    look: lookAt('DeliverWebhook'),
    ends: REDRIVE,
    urgency: 'TODAY',
  }),
  CallbackDeadLetters: deadLetters('callback', {
    when: 'A provider’s callback could not be processed in five visits',
    means: 'Schedules find later what it reported.',
    look: lookAt('ProcessCallback'),
    ends: REDRIVE,
    urgency: 'TODAY',
  }),
  OutboxDeadLetters: deadLetters('outbox', {
    when: 'The pipe could not send an event to the webhook queue',
    means: '`QueueDueDeliveries` queues such an event after two minutes.',
    look: 'Compare the rights of the pipe’s role with the stream and the queue. Then read a message.',
    ends: READ_AND_DELETE,
    urgency: 'TODAY',
  }),
  ScheduleDeadLetters: deadLetters('schedule', {
    when: 'A run of a schedule failed three times, or did not begin within the period of the schedule',
    means:
      'The next run does its work. If runs go on failing, the schedule’s own alarm rings. ' +
      'A failed run of a schedule of each minute does not come here.',
    look: 'Read a message: its attributes have the error. The log of the function has the cause.',
    ends: READ_AND_DELETE,
    urgency: 'TODAY',
  }),
  SigningKeyTouched: {
    when: 'Somebody changed a signing key, or another role than that of `SettleStablecoin` signed',
    means: 'A stranger who can sign can take the wallets’ funds. A deployment may change a policy, too.',
    look:
      'Read the events in the queue of `KeyWatch`: `aws sqs receive-message`. ' +
      'Its `userIdentity` says who it was, and `eventName` what.',
    ends:
      'If it was no deployment and no person of yours, follow [Signing keys](operations.md#signing-keys): ' +
      'hold the wallets and move their funds. Then delete the messages.',
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
    means: 'The consumer does not keep up, or it fails. Partners learn late of their purchases.',
    look: 'Compare the throttles and the errors of `DeliverWebhook` on the dashboard.',
    ends: 'Raise the concurrency of the account, or mend the cause.',
    urgency: 'NOW',
    ...age('webhook', 300),
  },
  CallbackAge: {
    when: 'A callback has waited in its queue for two minutes',
    means: 'Clients have paid, and their purchases do not go on.',
    look: 'Compare the throttles and the errors of `ProcessCallback` on the dashboard.',
    ends: 'Raise the concurrency of the account, or mend the cause.',
    urgency: 'NOW',
    ...age('callback', 120),
  },
  CallbackLate: {
    when: 'A tenth of the callbacks is handled later than a minute after it came',
    means: 'Clients have paid, and their purchases go on late. A provider may answer slowly.',
    look: 'Compare the age of the callback queue on the dashboard. Run `said "message comes again"`.',
    ends: 'It ends when the provider and our consumer keep up.',
    urgency: 'TODAY',
    source: { kind: 'OWN', name: 'CallbackLag', statistic: 'p90' },
    threshold: 60_000,
    minutes: 15,
  },
  UnmatchedPaymentsFlood: {
    when: 'A hundred unmatched payments came within an hour',
    means: 'Somebody sends very many Pix that are no purchase’s. They are returned, at our cost.',
    look: 'Characters 2 to 9 of each `endToEndId` in `ops unmatched list` are the ISPB of the sender’s bank.',
    ends: 'Ask the provider to block the sender.',
    urgency: 'TODAY',
    source: { kind: 'OWN', name: 'UnmatchedPaymentsFound', statistic: 'Sum' },
    threshold: 100,
    minutes: 60,
  },
  ExecutionsFailed: {
    when: 'An execution of the state machine ended by an error that its definition does not catch',
    means: RESTARTS,
    look:
      'List them: `aws stepfunctions list-executions --state-machine-arn "$StateMachineArn" ' +
      '--status-filter FAILED --max-items 10`. A `name` begins with the purchase’s id, 26 characters: run ' +
      '`ops tx show` with it. The last event of the execution has the cause.',
    ends: 'Mend the cause. The purchase goes on by itself.',
    urgency: 'NOW',
    ...sum(STATES, ['ExecutionsFailed'], 'machine'),
  },
  ExecutionsAborted: {
    when: 'A person stopped an execution of the state machine',
    means: RESTARTS,
    look: 'CloudTrail has the call `StopExecution` with its caller.',
    ends: 'It ends by itself.',
    urgency: 'TODAY',
    ...sum(STATES, ['ExecutionsAborted'], 'machine'),
  },
  ExecutionsThrottled: {
    when: 'Step Functions delays the steps of purchases',
    means: 'More transitions a second are wanted than the quota of the account allows.',
    look: 'Compare the quota `StateTransition throttle token refill rate` with the started executions.',
    ends: 'Ask AWS for a higher quota. The steps go on by themselves.',
    urgency: 'NOW',
    ...sum(STATES, ['ExecutionThrottled'], 'machine'),
  },
  FunctionsThrottled: {
    when: 'Lambda refuses calls of functions',
    means: 'The concurrency of the account is used up. Requests, callbacks and steps wait or fail.',
    look: 'Run `aws lambda get-account-settings`. Compare it with the concurrency on the dashboard.',
    ends: 'Ask AWS for a higher quota of concurrent executions.',
    urgency: 'NOW',
    ...sum('AWS/Lambda', ['Throttles'], 'account'),
  },
  TablesThrottled: {
    when: 'DynamoDB refuses writes of a table that purchases use',
    ...BUSY_TABLE,
    ...sum(DYNAMODB, ['WriteThrottleEvents'], { tables: WRITTEN_BY_PURCHASES }),
  },
  IndexesThrottled: {
    when: 'DynamoDB refuses writes, because an index of a table that purchases use is busy',
    ...BUSY_TABLE,
    ...sum(DYNAMODB, ['WriteThrottleEvents'], { indexes: WRITTEN_INDEXES }),
  },
  ReadsThrottled: {
    when: 'DynamoDB refuses reads of a table that purchases use',
    ...BUSY_TABLE,
    ...sum(DYNAMODB, ['ReadThrottleEvents'], { tables: WRITTEN_BY_PURCHASES }),
  },
  ApiErrors: {
    when: 'API Gateway has had no answer of a function to three requests',
    means: 'A function ran too long, ended without an answer, or could not start. Partners see 5xx.',
    look: 'Find `resourcePath` in the API’s access log. Read the last lines of that function.',
    ends: MEND_OR_GO_BACK,
    urgency: 'NOW',
    source: { kind: 'OWN', name: 'ApiFailed', statistic: 'Sum' },
    threshold: 3,
    minutes: 5,
  },
  ApiThrottled: {
    when: 'API Gateway refuses requests, because the method has too many',
    means: 'All partners together, or one that ignores its own limit, send more than the method accepts.',
    look: 'Find the busiest `resourcePath` in the API’s access log.',
    ends: 'Suspend a partner that floods, or raise the limit in `infra/throttles.ts`.',
    urgency: 'NOW',
    source: { kind: 'OWN', name: 'ApiThrottled', statistic: 'Sum' },
    threshold: 100,
    minutes: 5,
  },
  PipeFailed: {
    when: 'The pipe from the events to the webhook queue fails or is delayed',
    means: '`QueueDueDeliveries` queues such events after two minutes. Webhooks are late.',
    look: 'Compare the rights of the pipe’s role with the stream and the queue.',
    ends: 'It ends with the next event that the pipe sends.',
    urgency: 'TODAY',
    ...sum('AWS/EventBridge/Pipes', ['ExecutionFailed', 'ExecutionThrottled', 'ExecutionTimeout'], 'pipe'),
  },
} as const satisfies Record<string, AwsAlarm>;
