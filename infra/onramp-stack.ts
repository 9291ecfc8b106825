import { DomainName } from 'aws-cdk-lib/aws-apigateway';
import { Alias, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { NestedStack, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { getAt, getDefined } from '../functions/domain/get.ts';
import { PAGES, ROUTES, type Route } from '../functions/routes.ts';
import { OnrampApi } from './api.ts';
import { addGatewayAnswers, addRoutes } from './api-routes.ts';
import { addBackend, type Backend } from './backend.ts';
import { CallbackApi } from './callback-api.ts';
import { Canaries, stoppingAlarms } from './canary.ts';
import type { Code, SandboxProps } from './code.ts';
import { Console } from './console.ts';
import { addConsumers } from './consumers.ts';
import { BINARY_TYPES } from './explorer.ts';
import { addFunctions, type Functions } from './functions.ts';
import { KeyWatch } from './key-watch.ts';
import { Machine } from './machine.ts';
import { Outbox } from './outbox.ts';
import { addOutputs } from './outputs.ts';
import { RollbackAlarms } from './rollback-alarms.ts';
import { Schedules } from './schedules.ts';
import type { Settings } from './settings.ts';
import type { StateStack } from './state-stack.ts';
import { WatchStack } from './watch-stack.ts';
import { WebAcl } from './web-acl.ts';

type OnrampStackProps = StackProps & {
  settings: Settings;
  state: StateStack;
  code: Code;
  sandbox?: SandboxProps;
};

const routesOf = (api: Route['api']): readonly Route[] =>
  (ROUTES as readonly Route[]).filter((route) => route.api === api);

const PARTNER_ROUTES = [...routesOf(undefined), ...PAGES];
const CALLBACK_ROUTES = routesOf('callbacks');

/** The stack with the service. The tables, keys and secrets are in `StateStack`. */
export class OnrampStack extends Stack {
  constructor(scope: Construct, id: string, props: OnrampStackProps) {
    const { settings, state, code, sandbox } = props;
    const { stage } = settings;
    const terminationProtection = stage === 'production';
    super(scope, id, {
      description: 'Stablecoin on-ramp: Pix in, stablecoin out',
      terminationProtection,
      ...props,
    });
    const api = new OnrampApi(this, 'OnrampApi', {
      stage,
      name: `onramp-${stage}`,
      binaryMediaTypes: BINARY_TYPES,
      isCompressed: true,
      routes: PARTNER_ROUTES,
      domain: settings.edge.apiDomain ?? undefined,
    });
    const callbackApi = new CallbackApi(this, 'CallbackApi', {
      settings,
      trustStore: state.trustStore,
      routes: CALLBACK_ROUTES,
    });
    const { requestsPerIp } = settings.edge;
    if (requestsPerIp) new WebAcl(this, 'WebAcl', { api, requestsPerIp });
    const { address: apiUrl } = api;
    const backend = addBackend(this, {
      settings,
      state,
      apiUrl,
      callbackApiUrl: callbackApi.address,
      sandbox,
    });
    const scheduled = inner(this, 'Scheduled', 'schedules');
    const account = inner(this, 'Account', 'the partners’ own accounts');
    const functions = addAll(this, { code, backend, scheduled, account });
    const target = (route: Route) => routeTarget(route, functions);
    addRoutes(api, PARTNER_ROUTES, target);
    addRoutes(callbackApi, CALLBACK_ROUTES, target);
    for (const each of [api, callbackApi]) addGatewayAnswers(each);
    if (sandbox) this.addSandbox(sandbox, backend, api);
    const { topicArn: alarmsTopic } = this.addCallers([api, callbackApi], functions, { backend, scheduled });
    functions.requireAllFound();
    const { outputs } = this.addConsole(props, backend);
    this.oneAfterAnother();
    this.spreadDomains();
    addOutputs(this, { backend, functions, api, callbackApi, alarmsTopic, outputs });
  }

  /**
   * Orders the stacks inside this one that have functions, in the order of their making. Lambda takes some 15 changes a
   * second in an account. If too many functions are made at once, CloudFormation makes one a second time, and fails:
   * https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/2075
   */
  private oneAfterAnother(): void {
    const inside = this.node.children.filter((each) => each instanceof NestedStack);
    const withFunctions = inside.filter((each) => !(each instanceof WatchStack));
    const parts = withFunctions.map(({ nestedStackResource }) => getDefined(nestedStackResource, 'resource'));
    for (const [index, part] of parts.entries())
      if (index > 0) part.addResourceDependency(getAt(parts, index - 1));
  }

  /**
   * Lets each domain wait for the former one and its API, which take minutes. API Gateway takes a new domain every 30
   * seconds: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
   */
  private spreadDomains(): void {
    const domains = this.node.findAll().filter((each) => each instanceof DomainName);
    for (const [index, domain] of domains.entries())
      if (index > 0) domain.node.addDependency(getAt(domains, index - 1));
  }

  /** Adds the console, if the stage has one, and returns its outputs. */
  private addConsole({ settings: { console }, state, code }: OnrampStackProps, backend: Backend) {
    if (!console || !state.console || !code.console) return { outputs: {} };
    const inside = inner(this, 'Console', 'the console of operators');
    return new Console(inside, 'Console', { console, state: state.console, code: code.console, backend });
  }

  /**
   * Adds the sandbox's own endpoints. Their functions are in a nested stack, because a stack may have only a limited
   * number of resources.
   */
  private addSandbox({ code, routes }: SandboxProps, backend: Backend, api: OnrampApi): void {
    const inside = inner(this, 'SandboxOnly', 'the sandbox’s own endpoints');
    const functions = addAll(inside, { code, backend, scheduled: inside, account: inside });
    addRoutes(api, routes, ({ function: id }) => functions.find(id));
    functions.requireAllFound();
  }

  /**
   * Adds everything that calls functions, except the APIs: queues, state machine, outbox and schedules. Also
   * adds the alarms, and the deployments that an alarm stops. Returns the topic of the alarms.
   */
  private addCallers(
    apis: readonly OnrampApi[],
    functions: Functions,
    { backend, scheduled }: Pick<All, 'backend' | 'scheduled'>,
  ): Topic {
    const { settings, keys, tables, queues } = backend;
    const { stage, edge } = settings;
    const { webhook: target, deadLetters } = queues;
    addConsumers(functions, queues, edge);
    const machine = new Machine(this, 'Machine', { settings, functions });
    const { stateMachine } = machine;
    const { events } = tables.byName;
    const { pipe } = new Outbox(this, 'Outbox', { events, target, deadLetters: deadLetters.outbox });
    new Schedules(scheduled, 'Schedules', { functions, deadLetters: deadLetters.schedule });
    const { trail } = settings;
    const keyWatch = stage === 'production' ? new KeyWatch(this, 'KeyWatch', { keys, trail }) : undefined;
    const resources = { queues, stateMachine, apis, pipe, tables, functions, edge, keyWatch };
    const watch = { stage, resources };
    const { topic, alarms } = new RollbackAlarms(this, 'Alarms', {
      watch,
      key: keys.data,
      settings: settings.alarms,
    });
    const stopping = stoppingAlarms(alarms, this.node);
    machine.putLive(stopping);
    if (stage === 'production')
      new Canaries(this, 'Canaries', { aliases: aliasesIn(this), alarms: stopping });
    new WatchStack(this, 'Watch', { watch, topic, rollbackAlarms: alarms, settings });
    return topic;
  }
}

/** Makes a stack inside the service's stack, because a stack has at most 500 resources. */
function inner(scope: Construct, id: string, what: string): NestedStack {
  const stack = new NestedStack(scope, id, { description: `Stablecoin on-ramp: ${what}` });
  stack.nestedStackResource?.overrideLogicalId(id);
  return stack;
}

type All = { code: Code; backend: Backend; scheduled: Construct; account: Construct };

function addAll(scope: Construct, { code, backend, scheduled, account }: All): Functions {
  const { sources, bundle, withLists, withSite } = code;
  const { settings, queues } = backend;
  return addFunctions(scope, {
    scopes: { schedules: scheduled, account },
    settings,
    sources,
    code: bundle,
    codeWithLists: withLists,
    codeWithSite: withSite,
    backend,
    deadLetters: queues.deadLetters.schedule,
  });
}

/**
 * Whether people call the route by hand: partners' settings and documents. These routes get no canary
 * deployment, because their few calls would show nothing.
 */
const isByHand = ({ path, function: id }: Route) => path.startsWith('/laas/partner') || id === 'GetDocs';

function routeTarget(route: Route, functions: Functions): IFunction {
  const found = functions.find(route.function);
  return isByHand(route) ? found : found.live;
}

const aliasesIn = (stack: Stack) => stack.node.findAll().filter((each) => each instanceof Alias);
