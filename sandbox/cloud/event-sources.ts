import type { DynamoDb } from './dynamodb.ts';
import { fillTemplate, matchesPattern } from './event-pattern.ts';
import type { Gate } from './front.ts';
import { functionArnOf, type Iam, type Principal } from './iam.ts';
import type { FunctionConfig, Lambdas } from './lambda.ts';
import { followStream } from './streams.ts';
import type { Template } from './template.ts';
import { ACCOUNT, awsError, type Fields, fields, list, REGION, sleep, text } from './wire.ts';

/**
 * Everything that starts work without a request: event source mappings for queues and streams, pipes, and
 * schedules.
 */
type EventSources = { stop(): Promise<void> };

type EventSourceOptions = {
  template: Template;
  gate: Gate;
  iam: Iam;
  lambdas: Lambdas;
  dynamodb: DynamoDb;
  minuteMs: number;
  queueUrl(name: string): string;
  report(line: string): void;
};

type Running = EventSourceOptions & { signal: AbortSignal };

const SHORTEST_INTERVAL_MS = 250;
/**
 * The length of a long poll of a queue, in seconds. It is short, because the emulator does not end a long
 * poll when a hidden message becomes visible again.
 */
const LONG_POLL_SECONDS = 1;
/**
 * The default number of batches of a queue that are processed at once. Lambda also starts with five pollers
 * for a queue.
 */
const BATCHES_AT_ONCE = 5;

export function startEventSources(options: EventSourceOptions): EventSources {
  const stopping = new AbortController();
  const running = { ...options, signal: stopping.signal };
  const { template } = options;
  const all = (type: string) =>
    template.ofType(type).map(({ logicalId }) => ({ logicalId, properties: template.properties(logicalId) }));
  // All mappings, pipes, rules and schedules are checked before the first one starts. A template that AWS
  // would refuse thus starts nothing.
  const mappings = all('AWS::Lambda::EventSourceMapping').map((one) => mapping(running, one.properties));
  const pipes = all('AWS::Pipes::Pipe').map((one) => pipe(running, one.logicalId, one.properties));
  const rules = all('AWS::Events::Rule').map((one) => rule(running, one.logicalId, one.properties));
  const schedules = all('AWS::Scheduler::Schedule').map((one) => schedule(running, one.properties));
  const work = [...mappings, ...pipes, ...rules, ...schedules].map((start) => start());
  return {
    async stop() {
      stopping.abort();
      // Waits at most 50 ms for open long polls, which take up to a second. They fail when the queues stop,
      // which happens after this.
      await Promise.race([Promise.allSettled(work), sleep(50)]);
    },
  };
}

type Start = () => Promise<void>;
const nothing: Start = async () => undefined;

function mapping(running: Running, properties: Fields): Start {
  if (properties.Enabled === false) return nothing;
  const config = running.lambdas.find(text(properties.FunctionName));
  if (!config) throw new Error(`An event source mapping names no function: ${text(properties.FunctionName)}`);
  const principal = { roleArn: config.roleArn };
  const source = text(properties.EventSourceArn);
  const functionArn = functionArnOf(text(properties.FunctionName));
  if (source.includes(':sqs:')) {
    for (const action of ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes']) {
      if (running.iam.isAllowed(principal, { action: `sqs:${action}`, resource: source })) continue;
      const why = `does not have permissions to call ${action} on SQS`;
      throw new Error(`${config.logicalId}: the provided execution role ${why} (${source})`);
    }
    requireVisibility(running, config, source);
    return () => pollQueue(running, { source, principal, functionArn, properties });
  }
  if (!source.includes(':dynamodb:')) throw new Error(`The event source ${source} is not simulated`);
  const deliver = async (records: Fields[]) => {
    const { functionError, payload } = await running.lambdas.invoke(functionArn, { Records: records });
    if (functionError) throw new Error(payload);
  };
  return () => follow(running, source, principal, properties, deliver);
}

/**
 * Throws if the visibility time-out of the queue is shorter than the function's time-out. Lambda refuses such
 * a mapping.
 */
function requireVisibility({ template }: Running, config: FunctionConfig, source: string): void {
  const queue = template
    .ofType('AWS::SQS::Queue')
    .find(({ logicalId }) => template.attribute(logicalId, 'Arn') === source);
  const visible = Number(queue ? (template.properties(queue.logicalId).VisibilityTimeout ?? 30) : Infinity);
  if (visible >= config.timeoutSeconds) return;
  const limit = `Function timeout: ${config.timeoutSeconds} seconds`;
  throw new Error(`${config.logicalId}: queue visibility timeout: ${visible} seconds is less than ${limit}`);
}

type QueueSource = { source: string; principal: Principal; functionArn: string; properties: Fields };

async function pollQueue(running: Running, queue: QueueSource): Promise<void> {
  const { gate, signal, queueUrl, report } = running;
  const QueueUrl = queueUrl(queue.source.split(':').at(-1) ?? '');
  const scaling = Number(fields(queue.properties.ScalingConfig).MaximumConcurrency ?? BATCHES_AT_ONCE);
  const busy = new Set<Promise<void>>();
  const receive = async (most: number, waitSeconds: number) => {
    const output = await gate.perform(queue.principal, 'sqs', 'ReceiveMessage', {
      QueueUrl,
      MaxNumberOfMessages: Math.min(most, 10),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    return list(output.Messages).map(fields);
  };
  while (!signal.aborted) {
    if (busy.size >= scaling) {
      await Promise.race(busy);
      continue;
    }
    try {
      const messages = await gather(queue.properties, receive, signal);
      if (messages.length === 0) continue;
      const batch = processBatch(running, queue, QueueUrl, messages)
        .catch((error: Error) => report(`${queue.source}: ${error.message}`))
        .finally(() => busy.delete(batch));
      busy.add(batch);
    } catch (error) {
      if (signal.aborted) return;
      report(`${queue.source}: ${(error as Error).message}`);
      await sleep(1000, signal);
    }
  }
}

/**
 * Waits for a first message. Then collects more until the batch is full or its batching window
 * (`MaximumBatchingWindowInSeconds`) ends.
 */
async function gather(
  properties: Fields,
  receive: (most: number, waitSeconds: number) => Promise<Fields[]>,
  signal: AbortSignal,
): Promise<Fields[]> {
  const size = Number(properties.BatchSize ?? 10);
  const windowMs = Number(properties.MaximumBatchingWindowInSeconds ?? 0) * 1000;
  const messages = await receive(size, LONG_POLL_SECONDS);
  const until = Date.now() + windowMs;
  while (messages.length > 0 && messages.length < size && Date.now() < until && !signal.aborted) {
    const waitSeconds = Math.max(1, Math.floor((until - Date.now()) / 1000));
    messages.push(...(await receive(size - messages.length, waitSeconds)));
  }
  return messages;
}

async function processBatch(
  { gate, lambdas }: Running,
  { source, principal, functionArn, properties }: QueueSource,
  QueueUrl: string,
  messages: Fields[],
): Promise<void> {
  const records = messages.map((message) => sqsRecord(message, source));
  const wanted = records.filter((record) => passes(properties, { ...record, body: parsed(record.body) }));
  const failed =
    wanted.length === 0
      ? new Set<string>()
      : failedItems(await lambdas.invoke(functionArn, { Records: wanted }), wanted, properties);
  const done = records.filter(({ messageId }) => !failed.has(text(messageId)));
  for (let from = 0; from < done.length; from += 10) {
    const Entries = done
      .slice(from, from + 10)
      .map(({ receiptHandle }, index) => ({ Id: String(index), ReceiptHandle: receiptHandle }));
    await gate.perform(principal, 'sqs', 'DeleteMessageBatch', { QueueUrl, Entries });
  }
}

/**
 * The ids of the messages that failed. They are not deleted from the queue. After their visibility time-out
 * SQS delivers them again, or moves them to the dead-letter queue if they failed too often.
 */
function failedItems(
  { functionError, payload }: { functionError?: string; payload: string },
  records: Fields[],
  properties: Fields,
): Set<string> {
  const everyone = new Set(records.map(({ messageId }) => text(messageId)));
  if (functionError) return everyone;
  if (!list(properties.FunctionResponseTypes).includes('ReportBatchItemFailures')) return new Set();
  const reported = fields(JSON.parse(payload)).batchItemFailures;
  const ids = list(reported).map((item) => text(fields(item).itemIdentifier));
  // An empty or unknown identifier means that the whole batch failed. This is Lambda's rule.
  return ids.every((id) => everyone.has(id)) ? new Set(ids) : everyone;
}

function sqsRecord(message: Fields, source: string): Fields {
  const attributes = Object.entries(fields(message.MessageAttributes)).map(([name, value]) => {
    const { StringValue, BinaryValue, DataType } = fields(value);
    return [name, { stringValue: StringValue, binaryValue: BinaryValue, dataType: DataType }];
  });
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: fields(message.Attributes),
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: source,
    awsRegion: REGION,
  };
}

function parsed(body: unknown): unknown {
  try {
    return JSON.parse(text(body));
  } catch {
    return body;
  }
}

function passes(properties: Fields, event: Fields): boolean {
  const filters = list(fields(properties.FilterCriteria).Filters);
  if (filters.length === 0) return true;
  return filters.some((filter) => matchesPattern(JSON.parse(text(fields(filter).Pattern)), event));
}

function pipe(running: Running, logicalId: string, properties: Fields): Start {
  if (properties.DesiredState === 'STOPPED') return nothing;
  if (properties.Enrichment) throw new Error(`${logicalId}: enrichment of a pipe is not simulated`);
  const source = text(properties.Source);
  if (!source.includes(':dynamodb:')) throw new Error(`${logicalId}: the source ${source} is not simulated`);
  const principal = { roleArn: text(properties.RoleArn) };
  const parameters = fields(fields(properties.SourceParameters).DynamoDBStreamParameters);
  const { InputTemplate } = fields(properties.TargetParameters);
  const deliver = async (records: Fields[]) => {
    const bodies = records.map((record) =>
      InputTemplate === undefined ? JSON.stringify(record) : fillTemplate(text(InputTemplate), record),
    );
    await deliverAll(running, principal, text(properties.Target), bodies);
  };
  const source_ = { ...parameters, FilterCriteria: fields(properties.SourceParameters).FilterCriteria };
  return () => follow(running, source, principal, source_, deliver);
}

async function deliverAll(
  running: Running,
  principal: Principal,
  target: string,
  bodies: string[],
): Promise<void> {
  if (target.includes(':sqs:')) {
    for (const body of bodies) await send(running, principal, target, body);
    return;
  }
  if (!target.includes(':lambda:')) throw new Error(`The pipe's target ${target} is not simulated`);
  const Payload = bodies.map(parsed);
  const answer = await running.gate.perform(principal, 'lambda', 'Invoke', { FunctionName: target, Payload });
  if (answer.FunctionError) throw new Error(text(answer.Payload));
}

async function send({ gate, queueUrl }: Running, principal: Principal, arn: string, MessageBody: string) {
  const QueueUrl = queueUrl(arn.split(':').at(-1) ?? '');
  await gate.perform(principal, 'sqs', 'SendMessage', { QueueUrl, MessageBody });
}

function follow(
  running: Running,
  streamArn: string,
  principal: Principal,
  properties: Fields,
  deliver: (records: Fields[]) => Promise<void>,
): Promise<void> {
  const { gate, dynamodb, signal, report } = running;
  const deadLetters =
    text(fields(properties.DeadLetterConfig).Arn) ||
    text(fields(fields(properties.DestinationConfig).OnFailure).Destination);
  return followStream({
    streamArn,
    startingPosition: text(properties.StartingPosition) || 'LATEST',
    batchSize: Number(properties.BatchSize ?? 100),
    mostRetries: Number(properties.MaximumRetryAttempts ?? -1),
    bisects: isBisected(properties),
    read: (operation, input) => gate.perform(principal, 'streams', operation, input),
    onWrite: dynamodb.onWrite,
    deliver: async (records) => {
      const wanted = records.filter((record) => passes(properties, record));
      if (wanted.length > 0) await deliver(wanted);
    },
    giveUp: async (info) => {
      if (deadLetters) await send(running, principal, deadLetters, JSON.stringify(info));
    },
    signal,
    report,
  });
}

/**
 * True if a failed batch is split into halves, which are tried separately. The setting has one name for pipes
 * and another for mappings.
 */
const isBisected = ({ OnPartialBatchItemFailure, BisectBatchOnFunctionError }: Fields): boolean =>
  OnPartialBatchItemFailure === 'AUTOMATIC_BISECT' || BisectBatchOnFunctionError === true;

function rule(running: Running, logicalId: string, properties: Fields): Start {
  if (properties.State === 'DISABLED') return nothing;
  if (properties.EventPattern) throw new Error(`${logicalId}: rules on event patterns are not simulated`);
  const everyMs = intervalOf(running, logicalId, text(properties.ScheduleExpression));
  if (everyMs === undefined) return nothing;
  const arn = running.template.attribute(logicalId, 'Arn');
  const event = () => ({
    version: '0',
    id: crypto.randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: ACCOUNT,
    time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    region: REGION,
    resources: [arn],
    detail: {},
  });
  const targets = list(properties.Targets).map(fields);
  return repeat(running, everyMs, async () => {
    for (const target of targets) {
      const input = target.Input === undefined ? event() : parsed(target.Input);
      try {
        await fire(running, text(target.Arn), text(target.RoleArn), arn, input);
      } catch (error) {
        running.report((error as Error).message);
        const deadLetters = text(fields(target.DeadLetterConfig).Arn);
        if (deadLetters) await send(running, eventsOf(arn), deadLetters, JSON.stringify(input));
      }
    }
  });
}

function schedule(running: Running, properties: Fields): Start {
  if (properties.State === 'DISABLED') return nothing;
  const everyMs = intervalOf(running, text(properties.Name), text(properties.ScheduleExpression));
  if (everyMs === undefined) return nothing;
  const { Arn, RoleArn, Input } = fields(properties.Target);
  const input = Input === undefined ? {} : parsed(Input);
  running.iam.requireTrust(text(RoleArn), 'scheduler.amazonaws.com', text(properties.Name));
  return repeat(running, everyMs, () => fire(running, text(Arn), text(RoleArn), '', input));
}

/** EventBridge as the principal of a call, with the context keys that queue policies check. */
const eventsOf = (ruleArn: string): Principal => ({
  roleArn: 'events.amazonaws.com',
  context: { 'aws:SourceArn': ruleArn, 'aws:SourceAccount': ACCOUNT },
});

async function fire(running: Running, target: string, roleArn: string, ruleArn: string, input: unknown) {
  if (target.includes(':sqs:')) {
    // A rule has no role for a queue, so the queue's own policy must allow EventBridge. A target with a role
    // uses that role.
    return send(running, roleArn ? { roleArn } : eventsOf(ruleArn), target, JSON.stringify(input));
  }
  if (target.includes(':states:')) {
    const start = { stateMachineArn: target, input: JSON.stringify(input) };
    await running.gate.perform({ roleArn }, 'states', 'StartExecution', start);
    return;
  }
  const allowed = roleArn
    ? running.iam.isAllowed({ roleArn }, { action: 'lambda:InvokeFunction', resource: target })
    : running.iam.mayInvoke(target, 'events.amazonaws.com', ruleArn);
  if (!allowed) throw awsError('AccessDeniedException', `${ruleArn || roleArn} may not invoke ${target}`);
  await running.lambdas.invokeLater(target, input);
}

/**
 * Returns the interval of a `rate(…)` in milliseconds. Returns undefined for any other expression and reports
 * that the schedule is left out. A `cron(…)` names an hour of the day, and a local sandbox seldom runs that
 * long.
 */
function intervalOf({ minuteMs, report }: Running, name: string, expression: string): number | undefined {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression);
  if (!rate) {
    report(`${name}: the schedule ${expression} is left out`);
    return undefined;
  }
  const minutes = Number(rate[1]) * { minute: 1, hour: 60, day: 1440 }[rate[2] as 'minute' | 'hour' | 'day'];
  return Math.max(SHORTEST_INTERVAL_MS, minutes * minuteMs);
}

/**
 * Node's timers overflow after 24 days. A longer interval is therefore slept in parts of at most this many
 * milliseconds.
 */
const LONGEST_SLEEP_MS = 2_000_000_000;

/**
 * Repeats `act`, and starts a run only after the previous run has ended. Without this, runs would pile up: a
 * short `minuteMs` shortens the interval but does not make functions faster.
 */
function repeat({ signal, report }: Running, everyMs: number, act: () => Promise<void>): Start {
  return async () => {
    let next = Date.now() + everyMs;
    while (!signal.aborted) {
      await sleep(Math.min(LONGEST_SLEEP_MS, Math.max(0, next - Date.now())), signal);
      if (signal.aborted || Date.now() < next - 1) continue;
      await act().catch((error: Error) => report(error.message));
      next = Math.max(next + everyMs, Date.now());
    }
  };
}
