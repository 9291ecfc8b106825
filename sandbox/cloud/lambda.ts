import { functionArnOf, functionNameOf } from './arns.ts';
import { type EventRules, eventRulesOf, tryEvent } from './asynchronous-events.ts';
import { type FunctionCode, openFunctionCode } from './function-code.ts';
import { configOf, type FunctionConfig } from './function-config.ts';
import { environmentOf } from './function-environment.ts';
import { type IdleLimit, idleLimitOf } from './idle-limit.ts';
import { startInstance } from './instance.ts';
import { type Instances, instancesOf } from './instances.ts';
import { type Answer, runOnce } from './invocation.ts';
import { refuseLargeEvent, refuseLargeRequest } from './payload-limits.ts';
import type { Resource } from './physical-ids.ts';
import type { Template } from './template.ts';
import { awsError } from './wire.ts';

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

type Pool = { config: FunctionConfig; instances: Instances; rules: EventRules };

export function startLambdas(options: LambdaOptions): Lambdas {
  const stopping = new AbortController();
  const code = openFunctionCode(options.template);
  const pools = readPools(options, code);

  async function invoke(nameOrArn: string, payload: unknown): Promise<Answer> {
    const { instances, config } = pools.required(nameOrArn);
    const event = JSON.stringify(payload ?? {});
    refuseLargeRequest(event);
    const instance = await instances.take();
    try {
      return await runOnce({ ...config, arn: functionArnOf(nameOrArn) }, instance, event);
    } finally {
      instances.giveBack(instance);
    }
  }

  function invokeLater(nameOrArn: string, payload: unknown): Promise<void> {
    const { rules, config } = pools.required(nameOrArn);
    const { deadLetters } = rules;
    refuseLargeEvent(payload);
    const first = Promise.withResolvers<void>();
    tryEvent({
      ...rules,
      minuteMs: options.minuteMs,
      signal: stopping.signal,
      invoke: () => invoke(nameOrArn, payload),
      tried: first.resolve,
      giveUp: () => (deadLetters ? options.onDead(config, deadLetters, JSON.stringify(payload)) : undefined),
    })
      .catch((error: Error) =>
        options.onLog?.({ functionName: config.name, line: `asynchronous invocation lost: ${error}` }),
      )
      .finally(first.resolve);
    return first.promise;
  }

  return {
    invoke,
    invokeLater,
    find: (nameOrArn) => pools.find(nameOrArn)?.config,
    async stop() {
      stopping.abort();
      await Promise.all(pools.all.map(({ instances }) => instances.stop()));
      code.remove();
    },
  };
}

/** The functions of the template, each with its instances. */
function readPools(options: LambdaOptions, code: FunctionCode) {
  const { template } = options;
  const limit = idleLimitOf(options.mostIdle ?? MOST_IDLE);
  const all = template.ofType('AWS::Lambda::Function').map((one) => poolOf(one, options, { code, limit }));
  const byName = new Map(all.map((pool) => [pool.config.name, pool]));
  const qualified = new Set(
    template
      .ofType('AWS::Lambda::Version', 'AWS::Lambda::Alias')
      .map(({ logicalId }) => template.ref(logicalId)),
  );

  function find(nameOrArn: string): Pool | undefined {
    const arn = functionArnOf(nameOrArn);
    const isKnown = !/:function:[^:]+:/.test(arn) || arn.endsWith(':$LATEST') || qualified.has(arn);
    return isKnown ? byName.get(functionNameOf(arn)) : undefined;
  }

  function required(nameOrArn: string): Pool {
    const pool = find(nameOrArn);
    if (!pool) throw awsError('ResourceNotFoundException', `Function not found: ${nameOrArn}`, 404);
    return pool;
  }

  return { all, find, required };
}

/** Shared by all functions. */
type Shared = { code: FunctionCode; limit: IdleLimit };

function poolOf(resource: Resource, options: LambdaOptions, { code, limit }: Shared): Pool {
  const { template, endpoint, minuteMs, patience } = options;
  const properties = template.properties(resource.logicalId);
  const config = configOf(template, resource, patience);
  const env = { ...options.environment, ...environmentOf(properties, config, endpoint) };
  const start = () =>
    startInstance(options, {
      functionName: config.name,
      properties,
      env,
      taskRoot: code.folderOf(resource, properties),
    });
  return {
    config,
    instances: instancesOf(start, limit),
    rules: eventRulesOf(template, resource.logicalId, minuteMs),
  };
}
