import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Alias, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { ROUTES, type Route } from '../functions/routes.ts';
import { Alarms } from './alarms.ts';
import { OnrampApi } from './api.ts';
import { addGatewayAnswers, addRoutes } from './api-routes.ts';
import { addBackend, type Backend } from './backend.ts';
import { addBudget } from './budget.ts';
import { CallbackApi } from './callback-api.ts';
import { Canaries } from './canary.ts';
import type { Code, SandboxProps } from './code.ts';
import { addConsumers } from './consumers.ts';
import { addFunctions, type Functions } from './functions.ts';
import { Machine } from './machine.ts';
import { Outbox } from './outbox.ts';
import { addOutputs } from './outputs.ts';
import { Schedules } from './schedules.ts';
import type { Settings } from './settings.ts';
import type { StateStack } from './state-stack.ts';
import { WebAcl } from './web-acl.ts';

export type OnrampStackProps = StackProps & {
  settings: Settings;
  state: StateStack;
  code: Code;
  sandbox?: SandboxProps;
};

const routesOf = (api: Route['api']): readonly Route[] =>
  (ROUTES as readonly Route[]).filter((route) => route.api === api);

const PARTNER_ROUTES = routesOf(undefined);
const CALLBACK_ROUTES = routesOf('callbacks');

/** The service, without its state. Each capability is a construct of its own. */
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
    const functions = this.addAll(code, backend);
    const target = (route: Route) => targetOf(route, functions);
    addRoutes(api, PARTNER_ROUTES, target);
    addRoutes(callbackApi, CALLBACK_ROUTES, target);
    for (const each of [api, callbackApi]) addGatewayAnswers(each);
    if (sandbox) this.addSandbox(sandbox, backend, api);
    const alarms = this.addCallers([api, callbackApi], functions, backend);
    functions.requireAllFound();
    addBudget(this, 'Budget', { monthlyUsd: settings.monthlyBudgetUsd, topic: alarms.topic });
    addOutputs(this, { backend, functions, api, callbackApi, alarmsTopic: alarms.topic.topicArn });
  }

  private addAll({ sources, bundle, withLists }: Code, backend: Backend): Functions {
    const { settings, queues } = backend;
    return addFunctions(this, {
      settings,
      sources,
      code: bundle,
      codeWithLists: withLists,
      backend,
      deadLetters: queues.deadLetters.schedule,
    });
  }

  private addSandbox({ code, routes }: SandboxProps, backend: Backend, api: OnrampApi): void {
    const functions = this.addAll(code, backend);
    addRoutes(api, routes, ({ function: id }) => functions.find(id));
    functions.requireAllFound();
  }

  /** The callers of functions besides the API, the alarms, and what an alarm stops. */
  private addCallers(apis: readonly OnrampApi[], functions: Functions, backend: Backend): Alarms {
    const { settings, keys, tables, queues } = backend;
    const { stage } = settings;
    const { webhook: target, deadLetters } = queues;
    addConsumers(functions, queues, settings.edge);
    const machine = new Machine(this, 'Machine', { settings, functions });
    const { stateMachine } = machine;
    const { events } = tables.byName;
    const { pipe } = new Outbox(this, 'Outbox', { events, target, deadLetters: deadLetters.outbox });
    new Schedules(this, 'Schedules', { functions, deadLetters: deadLetters.schedule });
    const alarms = new Alarms(this, 'Alarms', {
      stage,
      resources: { queues, stateMachine, apis, pipe, tables, functions, edge: settings.edge },
      key: keys.data,
      settings: settings.alarms,
    });
    const rollback = alarmsOf(alarms, ROLLBACK_ALARMS);
    machine.putLive(rollback);
    if (stage === 'production')
      new Canaries(this, 'Canaries', { aliases: aliasesIn(this), alarms: rollback });
    return alarms;
  }
}

/** A partner calls its own settings by hand. A tenth of so few calls would show nothing. */
const BY_HAND = '/laas/partner';

function targetOf({ path, function: id }: Route, functions: Functions): IFunction {
  const found = functions.find(id);
  return path.startsWith(BY_HAND) ? found : found.live;
}

/** The alarms that a bad version raises within minutes. A dead letter takes half an hour. */
const ROLLBACK_ALARMS = [
  'ApiErrors',
  'ExecutionsFailed',
  'ExecutionsAborted',
  'RequestFailed',
  'CallbackFailed',
  'StepFailed',
];

const alarmsOf = (alarms: Alarms, names: string[]) =>
  names.map((name) => alarms.node.findChild(name) as Alarm);

const aliasesIn = (stack: Stack) => stack.node.findAll().filter((each) => each instanceof Alias);
