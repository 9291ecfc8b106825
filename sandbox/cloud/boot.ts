import type { Principal } from './access.ts';
import { refuseMuteAlarms } from './alarm-topics.ts';
import { type Beside, startApis } from './api-gateway.ts';
import { readerOf, type Upload, upload } from './boot-objects.ts';
import type { Identity } from './certificates.ts';
import { startDynamoDb } from './dynamodb.ts';
import { startEventSources } from './event-sources.ts';
import { sendTo } from './event-work.ts';
import { startFront } from './front.ts';
import { accessKeyOf } from './function-config.ts';
import { createGate, type Gate, type Service } from './gate.ts';
import { type Decision, readIam } from './iam.ts';
import { startKms } from './kms.ts';
import { type Lambdas, startLambdas } from './lambda.ts';
import { onlyOne } from './logical-ids.ts';
import { startParameters } from './parameters.ts';
import { startStorage } from './queues-and-buckets.ts';
import { refuseUnknown } from './resource-types.ts';
import { startSecrets } from './secrets.ts';
import { requireRoles } from './service-roles.ts';
import { emulatedServices } from './services.ts';
import { startStepFunctions } from './step-functions.ts';
import type { Storage } from './storage.ts';
import { loadTemplate, type Template } from './template.ts';
import { ACCOUNT, type Faults, fields, REGION, text } from './wire.ts';

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
  /** Objects that are uploaded before the functions start, as an operator does before a deployment. */
  uploads?: Upload[];
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
  const { faults, onLog, minuteMs = 60_000, patience = 1 } = options;
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
  const ownServices = {
    kms: startKms(template),
    secretsmanager: startSecrets(template),
    ssm: startParameters(template),
  };
  const iam = readIam(template, options.onDecision);
  requireRoles(template, iam);
  refuseMuteAlarms(template, iam);
  const services = new Map<string, Service>();
  const gate = createGate(iam, services, faults);
  const lambdas = started(startFunctions(options, { template, front, storage, gate }));
  const describeLagMs = options.describeLagMs ?? minuteMs / 60;
  const states = started(startStepFunctions({ template, gate, patience, describeLagMs }));
  const emulated = emulatedServices(template, { dynamodb, storage, lambdas });
  for (const [name, service] of Object.entries({ ...emulated.services, ...ownServices, states }))
    services.set(name, service);
  const principals = principalsOf(template, lambdas);
  front.open({ gate, services, s3: emulated.s3, principals });
  await apis.open({ iam, lambdas, patience, ...(faults ? { faults } : {}) }, readerOf(storage));
  const report = (line: string) => onLog?.({ functionName: '', line });
  const { queueUrl } = storage;
  started(startEventSources({ template, gate, iam, lambdas, dynamodb, minuteMs, queueUrl, report }));

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

type Around = { template: Template; front: { endpoint: string }; storage: Storage; gate: Gate };

function startFunctions(options: BootOptions, { template, front, storage, gate }: Around): Lambdas {
  const { onLog, minuteMs = 60_000, patience = 1, environment = {}, mostIdle, preload } = options;
  return startLambdas({
    template,
    endpoint: front.endpoint,
    minuteMs,
    patience,
    mostIdle,
    environment,
    preload,
    ...(onLog ? { onLog } : {}),
    onDead: ({ roleArn }, arn, body) => sendTo({ gate, queueUrl: storage.queueUrl }, { roleArn }, arn, body),
  });
}

async function invokeFunction(lambdas: Lambdas, name: string, payload: unknown) {
  const answer = await lambdas.invoke(name, payload);
  const parsed = JSON.parse(answer.payload) as unknown;
  return answer.functionError
    ? { payload: parsed, error: text(fields(parsed).errorType) }
    : { payload: parsed };
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
