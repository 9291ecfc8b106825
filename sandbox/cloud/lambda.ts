import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { CODE_CACHE } from '../../operations/code-cache.ts';
import { functionArnOf, functionNameOf } from './iam.ts';
import { type Instance, type Instances, idleLimitOf, instancesOf } from './instances.ts';
import type { Resource, Template } from './template.ts';
import { awsError, type Fields, fields, list, REGION, sleep, text } from './wire.ts';

/**
 * The answer of a function. Functions run in worker threads, each with its own heap and environment.
 * `terminate()` ends a thread even in an endless loop. A thread starts in about 40 ms, with a third of the
 * time and memory of a process. An idle instance is frozen, as on Lambda.
 */
export type Answer = { payload: string; functionError?: 'Unhandled' };

export type Lambdas = {
  invoke(nameOrArn: string, payload: unknown): Promise<Answer>;
  /**
   * Accepts an event and does not wait for its result. A failed event is tried again after one minute, and
   * once more after two further minutes, as on Lambda. An event that is too old for another try is given up. A
   * minute lasts `minuteMs` milliseconds here. The promise resolves when the first try ends.
   */
  invokeLater(nameOrArn: string, payload: unknown): Promise<void>;
  find(nameOrArn: string): FunctionConfig | undefined;
  stop(): Promise<void>;
};

export type FunctionConfig = {
  name: string;
  arn: string;
  logicalId: string;
  roleArn: string;
  accessKeyId: string;
  timeoutSeconds: number;
  /**
   * The real time in milliseconds that an invocation may take here: the function's time-out multiplied by
   * `patience`.
   */
  limitMs: number;
};

type LambdaOptions = {
  template: Template;
  endpoint: string;
  minuteMs: number;
  patience: number;
  /** Variables besides the template's. */
  environment: Record<string, string>;
  /** The file of a module that every instance imports before its handler. */
  preload?: string;
  onLog?: (line: { functionName: string; line: string }) => void;
  /** The most idle instances that all functions together may keep. */
  mostIdle?: number;
  /** Sends an event whose tries have all failed to the function's dead-letter queue. */
  onDead(config: FunctionConfig, queueArn: string, body: string): Promise<void>;
};

/** Idle instances are cheaper than starts: those of a burst stay for the next one. They hold about 25 MB each. */
const MOST_IDLE = 150;
const INIT_LIMIT_SECONDS = 10;
const PAYLOAD_LIMIT_BYTES = 6 * 1024 * 1024;
const EVENT_LIMIT_BYTES = 1024 * 1024;
/** Lambda's own limit for the age of an asynchronous event: six hours. */
const OLDEST_SECONDS = 6 * 60 * 60;

type Report = {
  ready?: boolean;
  payload?: string;
  initError?: Fields;
  error?: Fields;
};
type Pool = {
  config: FunctionConfig;
  instances: Instances;
  asyncRetries: number;
  /** The milliseconds for which an asynchronous event may wait. */
  oldestMs: number;
  /** The ARN of the dead-letter queue. Empty if the function has none. */
  deadLetters: string;
};

export function accessKeyOf(logicalId: string): string {
  return `ASIA${logicalId}`;
}

export function startLambdas(options: LambdaOptions): Lambdas {
  const { template, minuteMs, onLog, onDead } = options;
  const stopping = new AbortController();
  const shared: Shared = {
    inlineCode: { folder: '' },
    idleLimit: idleLimitOf(options.mostIdle ?? MOST_IDLE),
  };
  const pools = new Map<string, Pool>();
  const qualified = new Set(
    template
      .ofType('AWS::Lambda::Version', 'AWS::Lambda::Alias')
      .map(({ logicalId }) => template.ref(logicalId)),
  );
  for (const resource of template.ofType('AWS::Lambda::Function')) {
    const pool = poolOf(resource, options, shared);
    pools.set(pool.config.name, pool);
  }

  function poolAt(nameOrArn: string): Pool | undefined {
    const arn = functionArnOf(nameOrArn);
    const isKnown = !/:function:[^:]+:/.test(arn) || arn.endsWith(':$LATEST') || qualified.has(arn);
    return isKnown ? pools.get(functionNameOf(arn)) : undefined;
  }

  function required(nameOrArn: string): Pool {
    const pool = poolAt(nameOrArn);
    if (!pool) throw awsError('ResourceNotFoundException', `Function not found: ${nameOrArn}`, 404);
    return pool;
  }

  async function invoke(nameOrArn: string, payload: unknown): Promise<Answer> {
    const { instances, config } = required(nameOrArn);
    const event = JSON.stringify(payload ?? {});
    if (Buffer.byteLength(event) > PAYLOAD_LIMIT_BYTES) {
      throw awsError('RequestTooLargeException', 'Request must be smaller than 6291456 bytes', 413);
    }
    const instance = await instances.take();
    try {
      return await runOnce({ ...config, arn: functionArnOf(nameOrArn) }, instance, event);
    } finally {
      instances.giveBack(instance);
    }
  }

  async function invokeWithRetries(nameOrArn: string, payload: unknown, tried: () => void): Promise<void> {
    const { asyncRetries, oldestMs, deadLetters, config } = required(nameOrArn);
    const giveUpAt = Date.now() + oldestMs;
    for (let retry = 0; !stopping.signal.aborted; retry++) {
      const { functionError } = await invoke(nameOrArn, payload);
      tried();
      if (!functionError || stopping.signal.aborted) return;
      const pauseMs = (retry + 1) * minuteMs;
      if (retry < asyncRetries && Date.now() + pauseMs < giveUpAt) await sleep(pauseMs, stopping.signal);
      else return deadLetters ? onDead(config, deadLetters, JSON.stringify(payload)) : undefined;
    }
  }

  return {
    invoke,
    invokeLater: (nameOrArn, payload) => {
      required(nameOrArn);
      refuseLargeEvent(payload);
      const first = Promise.withResolvers<void>();
      invokeWithRetries(nameOrArn, payload, first.resolve)
        .catch((error: Error) =>
          onLog?.({
            functionName: functionNameOf(nameOrArn),
            line: `asynchronous invocation lost: ${error}`,
          }),
        )
        .finally(first.resolve);
      return first.promise;
    },
    find: (nameOrArn) => poolAt(nameOrArn)?.config,
    async stop() {
      stopping.abort();
      await Promise.all([...pools.values()].map(({ instances }) => instances.stop()));
      const { folder } = shared.inlineCode;
      if (folder) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Shared by all functions. `folder` is empty until a function has its code in the template. */
type Shared = { inlineCode: { folder: string }; idleLimit: ReturnType<typeof idleLimitOf> };

function poolOf(resource: Resource, options: LambdaOptions, { inlineCode, idleLimit }: Shared): Pool {
  const { template, endpoint, minuteMs, patience } = options;
  const properties = template.properties(resource.logicalId);
  const name = template.ref(resource.logicalId);
  const timeoutSeconds = Number(properties.Timeout ?? 3);
  const config: FunctionConfig = {
    name,
    arn: template.attribute(resource.logicalId, 'Arn'),
    logicalId: resource.logicalId,
    roleArn: text(properties.Role),
    accessKeyId: accessKeyOf(resource.logicalId),
    timeoutSeconds,
    limitMs: timeoutSeconds * 1000 * patience,
  };
  const env = { ...options.environment, ...environment(properties, config, endpoint) };
  const start = () =>
    startInstance(options, {
      functionName: name,
      properties,
      env,
      taskRoot: codeOf(template, resource, properties, inlineCode),
    });
  const later = template
    .ofType('AWS::Lambda::EventInvokeConfig')
    .map(({ logicalId }) => template.properties(logicalId))
    .find(({ FunctionName }) => functionNameOf(text(FunctionName)) === name);
  const deadLetters =
    text(fields(fields(later?.DestinationConfig).OnFailure).Destination) ||
    text(fields(properties.DeadLetterConfig).TargetArn);
  return {
    config,
    instances: instancesOf(start, idleLimit),
    asyncRetries: Number(later?.MaximumRetryAttempts ?? 2),
    oldestMs: (Number(later?.MaximumEventAgeInSeconds ?? OLDEST_SECONDS) / 60) * minuteMs,
    deadLetters,
  };
}

type Code = { functionName: string; taskRoot: string; properties: Fields; env: Record<string, string> };

/** Starts an instance of a function in a worker thread. */
function startInstance({ preload, onLog, patience }: LambdaOptions, code: Code): Instance {
  const { functionName, taskRoot, properties, env } = code;
  const invocations = new SharedArrayBuffer(4);
  const worker = new Worker(new URL('./lambda-worker.ts', import.meta.url), {
    workerData: {
      taskRoot,
      handler: text(properties.Handler),
      preload,
      invocations,
    },
    // Without this cache, each instance would compile the same code again.
    env: { ...env, LAMBDA_TASK_ROOT: taskRoot, NODE_COMPILE_CACHE: CODE_CACHE },
    argv: [],
    execArgv: (env.NODE_OPTIONS ?? '').split(' ').filter((flag) => flag === '--enable-source-maps'),
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: Math.max(128, Number(properties.MemorySize ?? 128)),
      // With V8's default of 48 MB, short-lived objects pile up in the heap of each instance before they
      // are freed.
      maxYoungGenerationSizeMb: 4,
    },
  });
  for (const stream of [worker.stdout, worker.stderr]) {
    createInterface({ input: stream }).on('line', (line) => onLog?.({ functionName, line }));
  }
  return watch({ worker, thaw: () => thaw(invocations) }, INIT_LIMIT_SECONDS * 1000 * patience);
}

/** Tells a frozen instance that an event comes. */
function thaw(invocations: SharedArrayBuffer): void {
  const given = new Int32Array(invocations);
  Atomics.add(given, 0, 1);
  Atomics.notify(given, 0);
}

function watch({ worker, thaw }: Pick<Instance, 'worker' | 'thaw'>, limitMs: number): Instance {
  const instance: Instance = { worker, thaw, dead: false, ready: Promise.resolve(undefined) };
  instance.ready = new Promise((resolve) => {
    const limit = setTimeout(() => resolve(timedOut('init', INIT_LIMIT_SECONDS)), limitMs);
    worker.once('message', (report: Report) => resolve(report.initError));
    worker.once('exit', () => resolve(undefined));
    worker.once('message', () => clearTimeout(limit)).once('exit', () => clearTimeout(limit));
  });
  worker.on('error', () => {
    // The listener of the running invocation reports the error. An idle instance has no such listener, and
    // without this one its error would end the process.
    instance.dead = true;
  });
  worker.on('exit', () => {
    instance.dead = true;
  });
  return instance;
}

async function runOnce(config: FunctionConfig, instance: Instance, event: string): Promise<Answer> {
  const requestId = randomUUID();
  const init = await instance.ready;
  if (init) {
    instance.dead = true;
    return failure(init);
  }
  if (instance.dead) return failure(exited(requestId, 'exit status 1'));
  const { worker } = instance;
  const { limitMs } = config;
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      instance.dead = true;
      finish(failure(timedOut(requestId, config.timeoutSeconds)));
    }, limitMs);
    const onMessage = (report: Report) =>
      finish(report.error ? failure(report.error) : success(report.payload));
    const onExit = (code: number) => {
      instance.dead = true;
      finish(failure(exited(requestId, `exit status ${code}`)));
    };
    const onError = (error: Error) => {
      instance.dead = true;
      finish(failure({ errorType: error.name, errorMessage: error.message, trace: [] }));
    };
    worker.once('message', onMessage).once('exit', onExit).once('error', onError);
    instance.thaw();
    worker.postMessage({
      event,
      requestId,
      deadline: Date.now() + limitMs,
      functionName: config.name,
      functionArn: config.arn,
      traceId: traceId(),
    });
    function finish(answer: Answer): void {
      clearTimeout(timer);
      worker.off('message', onMessage).off('exit', onExit).off('error', onError);
      resolve(answer);
    }
  });
}

function success(payload = 'null'): Answer {
  if (Buffer.byteLength(payload) <= PAYLOAD_LIMIT_BYTES) return { payload };
  return failure({
    errorType: 'Function.ResponseSizeTooLarge',
    errorMessage: `Response payload size exceeded ${PAYLOAD_LIMIT_BYTES} bytes.`,
  });
}

function failure(error: Fields): Answer {
  return { payload: JSON.stringify(error), functionError: 'Unhandled' };
}

function timedOut(requestId: string, seconds: number): Fields {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`,
  };
}

function exited(requestId: string, status: string): Fields {
  return {
    errorType: 'Runtime.ExitError',
    errorMessage: `RequestId: ${requestId} Error: Runtime exited with error: ${status}`,
  };
}

/**
 * Throws for an event of more than 1 MiB. Lambda's limit for asynchronous events is smaller than the one for
 * synchronous calls, 6 MiB.
 */
function refuseLargeEvent(payload: unknown): void {
  const size = Buffer.byteLength(JSON.stringify(payload ?? {}));
  if (size <= EVENT_LIMIT_BYTES) return;
  const limit = `too large for the Event invocation type (limit ${EVENT_LIMIT_BYTES} bytes)`;
  throw awsError('RequestTooLargeException', `${size} byte payload is ${limit}`, 413);
}

function traceId(): string {
  const hex = randomUUID().replaceAll('-', '');
  return `Root=1-${hex.slice(0, 8)}-${hex.slice(8)};Parent=${hex.slice(0, 16)};Sampled=0`;
}

/**
 * The function's environment: the variables in the template and those that Lambda sets. The variables of this
 * process are not passed on.
 */
function environment(properties: Fields, config: FunctionConfig, endpoint: string): Record<string, string> {
  const variables = Object.entries(fields(fields(properties.Environment).Variables));
  refuseEnvironment(config.logicalId, variables);
  return {
    ...Object.fromEntries(variables.map(([key, value]) => [key, String(value)])),
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_LAMBDA_FUNCTION_NAME: config.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize ?? 128),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${config.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_EXECUTION_ENV: `AWS_Lambda_${text(properties.Runtime)}`,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: config.accessKeyId,
    AWS_SECRET_ACCESS_KEY: `local-${config.logicalId}`,
    _HANDLER: text(properties.Handler),
    _X_AMZN_TRACE_ID: traceId(),
    TZ: ':UTC',
  };
}

/**
 * Throws if a variable has a name that Lambda reserves, or if the variables exceed 4,096 bytes. Lambda would
 * refuse the function.
 */
function refuseEnvironment(logicalId: string, variables: [string, unknown][]): void {
  const reserved = variables.map(([name]) => name).filter((name) => RESERVED.test(name));
  if (reserved.length > 0) throw new Error(`${logicalId} sets reserved variables: ${reserved.join(', ')}`);
  const size = Buffer.byteLength(JSON.stringify(Object.fromEntries(variables)));
  if (size > 4096) throw new Error(`${logicalId} has ${size} bytes of variables; Lambda takes 4096`);
}

const RESERVED = new RegExp(
  [
    '^(_HANDLER|_X_AMZN_TRACE_ID|AWS_(DEFAULT_)?REGION|AWS_EXECUTION_ENV|AWS_LAMBDA_\\w+',
    'AWS_ACCESS_KEY(_ID)?|AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|LAMBDA_(TASK_ROOT|RUNTIME_DIR))$',
  ].join('|'),
);

function codeOf(
  template: Template,
  resource: Resource,
  properties: Fields,
  inline: { folder: string },
): string {
  if (properties.PackageType === 'Image')
    throw new Error(`${resource.logicalId} is an image; only zip code runs here`);
  if (list(properties.Layers).length > 0)
    throw new Error(`${resource.logicalId} uses layers; bundle them instead`);
  const { S3Key, ZipFile } = fields(properties.Code);
  if (ZipFile !== undefined) return writeInline(resource.logicalId, text(ZipFile), inline);
  const folder = template.asset(text(S3Key));
  if (!statSync(folder).isDirectory())
    throw new Error(`${folder} is not a folder; zip files are not unpacked here`);
  return folder;
}

function writeInline(logicalId: string, code: string, inline: { folder: string }): string {
  inline.folder ||= mkdtempSync(join(tmpdir(), 'cloud-inline-'));
  const folder = mkdtempSync(join(inline.folder, `${logicalId}-`));
  const isModule = /^\s*(import|export)\s/m.test(code);
  writeFileSync(join(folder, isModule ? 'index.mjs' : 'index.cjs'), code);
  return folder;
}
