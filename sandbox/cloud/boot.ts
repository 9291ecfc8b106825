import { refuseMuteAlarms } from './alarm-topics.ts';
import { type Beside, type ReadObject, startApis } from './api-gateway.ts';
import type { Identity } from './certificates.ts';
import { type DynamoDb, dynamodbNeeds, startDynamoDb } from './dynamodb.ts';
import { encryptionNeeds } from './encryption.ts';
import { startEventSources } from './event-sources.ts';
import { createGate, type S3, type Service, startFront } from './front.ts';
import { type Decision, functionArnOf, type Iam, type Need, type Principal, readIam } from './iam.ts';
import { startKms } from './kms.ts';
import { accessKeyOf, type Lambdas, startLambdas } from './lambda.ts';
import { startParameters } from './parameters.ts';
import { sqsNeeds, startStorage } from './queues-and-buckets.ts';
import { refuseUnknown } from './resource-types.ts';
import { s3Needs } from './s3-needs.ts';
import { startSecrets } from './secrets.ts';
import { startStepFunctions } from './step-functions.ts';
import type { Storage } from './storage.ts';
import { streamNeeds } from './streams.ts';
import { loadTemplate, type Template } from './template.ts';
import { ACCOUNT, type Faults, type Fields, fields, REGION, text } from './wire.ts';
import { writeRates } from './write-rate.ts';

export type BootOptions = {
  /** The directory with the templates and assets of a CDK synthesis. */
  assembly: string;
  /** For example `OnrampSandbox`, for the file `OnrampSandbox.template.json`. */
  stackName: string;
  /**
   * Ports, by the RestApi's logical id or its `Name`. The operating system chooses a free port for any other
   * API.
   */
  apiPorts?: Record<string, number>;
  /** The server certificate of custom domains that require client certificates. */
  identity?: Identity;
  beside?: Beside;
  /**
   * Objects that are uploaded before the functions start, as an operator does before a deployment. `bucket`
   * is the beginning of the bucket's logical id.
   */
  uploads?: { bucket: string; key: string; body: string }[];
  /** The port of the AWS services, if it is free. */
  port?: number;
  /**
   * The real milliseconds that stand for one minute in schedules and in the delays before Lambda's retries.
   * The default is 60,000. A schedule runs at most once in 250 ms.
   */
  minuteMs?: number;
  /** Receives each line that a function prints. */
  onLog?: (line: { functionName: string; line: string }) => void;
  faults?: Faults;
  /** Receives each decision of the IAM policies: whether a role may make a call. */
  onDecision?: (decision: Decision) => void;
  /** The most idle instances that all functions together may keep. */
  mostIdle?: number;
  /** Variables that each function gets besides those of the template. They apply on this machine, never on AWS. */
  environment?: Record<string, string>;
  /**
   * The file of a module that every function instance imports before its handler, so that a test can observe
   * the instance.
   */
  preload?: string;
  /**
   * Multiplies the time-outs of functions, of the states that call them, and of APIs. On a busy machine a
   * call may be slow although the code has no fault. The default is 1.
   */
  patience?: number;
  /**
   * The delay with which DescribeExecution shows a role the start and the end of an execution. The default is
   * one sixtieth of `minuteMs`.
   */
  describeLagMs?: number;
};

export type Cloud = {
  endpoint: string;
  region: string;
  account: string;
  /** The base URL of each RestApi, without a stage, by the RestApi's `Name`. */
  apis: Record<string, string>;
  physical(logicalIdPrefix: string): string;
  resources: Record<string, { type: string; ref: string; properties: unknown }>;
  outputs: Record<string, string>;
  invoke(functionLogicalIdPrefix: string, payload: unknown): Promise<{ payload: unknown; error?: string }>;
  stop(): Promise<void>;
};

/**
 * Runs a synthesized stack on this machine. This code knows only CloudFormation's resource types, not the
 * product.
 */
export async function boot(options: BootOptions): Promise<Cloud> {
  const cleanups: (() => Promise<void>)[] = [];
  try {
    return await start(options, cleanups);
  } catch (error) {
    await stopAll(cleanups);
    throw error;
  }
}

/** Stops the parts in reverse order, because a part that started later uses the earlier ones. */
async function stopAll(cleanups: (() => Promise<void>)[]): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

async function start(options: BootOptions, cleanups: (() => Promise<void>)[]): Promise<Cloud> {
  const { faults, onLog, minuteMs = 60_000, patience = 1, environment = {} } = options;
  const started = <T extends { stop(): Promise<void> }>(part: T): T => {
    cleanups.push(part.stop);
    return part;
  };
  const template = loadTemplate(options.assembly, options.stackName);
  refuseUnknown(template);
  const front = started(await startFront(options.port));
  const { apiPorts: ports, identity, beside } = options;
  const apis = started(await startApis(template, { ports, identity, beside }));
  const dynamodb = started(await startDynamoDb(template));
  const storage = started(await startStorage(template, front.endpoint));
  await upload(options.uploads ?? [], template, storage);
  const kms = startKms(template);
  const secrets = startSecrets(template);
  const parameters = startParameters(template);
  const iam = readIam(template, options.onDecision);
  requireRoles(template, iam);
  refuseMuteAlarms(template, iam);
  const services = new Map<string, Service>();
  const gate = createGate(iam, services, faults);
  const lambdas = started(
    startLambdas({
      template,
      endpoint: front.endpoint,
      minuteMs,
      patience,
      mostIdle: options.mostIdle,
      environment,
      preload: options.preload,
      ...(onLog ? { onLog } : {}),
      async onDead({ roleArn }, arn, MessageBody) {
        const QueueUrl = storage.queueUrl(arn.split(':').at(-1) ?? '');
        await gate.perform({ roleArn }, 'sqs', 'SendMessage', { QueueUrl, MessageBody });
      },
    }),
  );
  const machines = started(
    startStepFunctions({ template, gate, patience, describeLagMs: options.describeLagMs ?? minuteMs / 60 }),
  );
  const encrypted = encryptionNeeds(template);
  services
    .set('dynamodb', {
      ...tables(dynamodb),
      throttle: writeRates(template),
      needs: (operation, input) => encrypted(dynamodbNeeds(operation, input)),
    })
    .set('streams', streams(dynamodb))
    .set('sqs', { needs: (operation, input) => encrypted(sqsNeeds(operation, input)), call: storage.sqs })
    .set('kms', kms)
    .set('secretsmanager', secrets)
    .set('ssm', parameters)
    .set('states', machines)
    .set('lambda', functions(lambdas));
  front.open({
    gate,
    services,
    s3: buckets(storage, encrypted),
    principals: principalsOf(template, lambdas),
  });
  await apis.open({ iam, lambdas, patience, ...(faults ? { faults } : {}) }, readerOf(storage));
  const report = (line: string) => onLog?.({ functionName: '', line });
  started(
    startEventSources({
      template,
      gate,
      iam,
      lambdas,
      dynamodb,
      minuteMs,
      queueUrl: storage.queueUrl,
      report,
    }),
  );

  return {
    endpoint: front.endpoint,
    region: REGION,
    account: ACCOUNT,
    apis: apis.urls,
    physical: (prefix) => template.ref(onlyOne(template, prefix)),
    resources: describe(template),
    outputs: template.outputs(),
    invoke: (prefix, payload) =>
      invokeFunction(lambdas, template.ref(onlyOne(template, prefix, 'AWS::Lambda::Function')), payload),
    stop: () => stopAll(cleanups),
  };
}

async function upload(uploads: NonNullable<BootOptions['uploads']>, template: Template, storage: Storage) {
  for (const { bucket, key, body } of uploads) {
    const url = `/${template.ref(onlyOne(template, bucket, 'AWS::S3::Bucket'))}/${key}`;
    await storage.forward({ method: 'PUT', url, headers: {}, body: Buffer.from(body) });
  }
}

async function invokeFunction(lambdas: Lambdas, name: string, payload: unknown) {
  const answer = await lambdas.invoke(name, payload);
  const parsed = JSON.parse(answer.payload) as unknown;
  return answer.functionError
    ? { payload: parsed, error: text(fields(parsed).errorType) }
    : { payload: parsed };
}

/**
 * Reads an object of the local S3. A missing object fails the boot: it is a trust store, and API Gateway
 * would refuse a domain without it.
 */
const readerOf =
  (storage: Storage): ReadObject =>
  async ({ bucket, key }) => {
    const url = `/${bucket}/${key}`;
    const { status, body } = await storage.forward({
      method: 'GET',
      url,
      headers: {},
      body: Buffer.alloc(0),
    });
    if (status !== 200) throw new Error(`The trust store s3:/${url} cannot be read: ${status}`);
    return body.toString();
  };

/**
 * Throws if a function, state machine or pipe has a role that its service cannot assume. AWS would refuse to
 * create such a resource.
 */
function requireRoles(template: Template, iam: Iam): void {
  const takers = [
    ['AWS::Lambda::Function', 'Role', 'lambda'],
    ['AWS::StepFunctions::StateMachine', 'RoleArn', 'states'],
    ['AWS::Pipes::Pipe', 'RoleArn', 'pipes'],
  ] as const;
  for (const [type, property, service] of takers) {
    for (const { logicalId, properties } of template.ofType(type)) {
      iam.requireTrust(text(template.resolve(properties[property])), `${service}.amazonaws.com`, logicalId);
    }
  }
}

function onlyOne(template: Template, prefix: string, type?: string): string {
  if (template.resources.has(prefix)) return prefix;
  const found = [...template.resources.values()].filter(
    (resource) => resource.logicalId.startsWith(prefix) && (!type || resource.type === type),
  );
  // CDK names the parts of a resource after that resource, for example its role. If only a hash of eight
  // characters follows the prefix, the resource is the wanted one and not one of its parts.
  const exact = found.filter(({ logicalId }) => /^[0-9A-F]{8}$/.test(logicalId.slice(prefix.length)));
  const [only, ...others] = exact.length > 0 ? exact : found;
  if (only && others.length === 0) return only.logicalId;
  throw new Error(`${found.length} resources have a logical id that starts with ${prefix}`);
}

function describe(template: Template): Cloud['resources'] {
  const entries = [...template.resources.values()].map(({ logicalId, type }) => [
    logicalId,
    {
      type,
      ref: template.ref(logicalId),
      get properties() {
        return template.properties(logicalId);
      },
    },
  ]);
  return Object.fromEntries(entries);
}

function principalsOf(template: Template, lambdas: Lambdas): Map<string, Principal> {
  const all = template.ofType('AWS::Lambda::Function').map(({ logicalId }): [string, Principal] => {
    const functionName = template.ref(logicalId);
    return [accessKeyOf(logicalId), { functionName, roleArn: lambdas.find(functionName)?.roleArn ?? 'none' }];
  });
  return new Map(all);
}

function tables(dynamodb: DynamoDb): Pick<Service, 'call' | 'forward'> {
  return {
    call: (operation, input) => dynamodb.call(`DynamoDB_20120810.${operation}`, input),
    forward: (operation, body) => dynamodb.forward(`DynamoDB_20120810.${operation}`, body),
  };
}

/**
 * Serves DynamoDB Streams. GetRecords gives only an iterator, but permissions are for a stream. The map
 * therefore holds the stream of each iterator.
 */
function streams(dynamodb: DynamoDb): Service {
  const iterators = new Map<string, string>();
  return {
    needs: streamNeeds(iterators),
    async call(operation, input) {
      const StreamArn = dynamodb.streamArns.get(text(input.StreamArn)) ?? input.StreamArn;
      const output = await dynamodb.call(`DynamoDBStreams_20120810.${operation}`, { ...input, StreamArn });
      const from = text(input.StreamArn) || iterators.get(text(input.ShardIterator)) || '';
      iterators.delete(text(input.ShardIterator));
      for (const key of ['ShardIterator', 'NextShardIterator']) {
        if (output[key]) iterators.set(text(output[key]), from);
      }
      return output;
    },
  };
}

function functions(lambdas: Lambdas): Service {
  return {
    needs: (_, input) => [
      { action: 'lambda:InvokeFunction', resource: functionArnOf(text(input.FunctionName)) },
    ],
    async call(_, input): Promise<Fields> {
      const name = text(input.FunctionName);
      if (input.InvocationType === 'Event') {
        void lambdas.invokeLater(name, input.Payload);
        return { StatusCode: 202, Payload: '' };
      }
      const { payload, functionError } = await lambdas.invoke(name, input.Payload);
      return {
        StatusCode: 200,
        Payload: payload,
        ...(functionError ? { FunctionError: functionError } : {}),
      };
    },
  };
}

function buckets(storage: Storage, encrypted: (needs: Need[]) => Need[]): S3 {
  return { needs: (...request) => encrypted(s3Needs(...request)), forward: storage.forward };
}
