import { CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { ListSources } from '../functions/adapters/lists/publishers.ts';
import { PUBLISHERS } from '../functions/domain/screening/lists.ts';
import { ROUTES, type Route } from '../functions/routes.ts';
import { outputNameOf, tableSetting } from '../functions/settings.ts';
import { TABLE_LIST } from '../functions/tables.ts';
import { Alarms } from './alarms.ts';
import { addGatewayAnswers, addRoutes, addressOf, OnrampApi } from './api.ts';
import type { Backend } from './backend.ts';
import type { Bundle } from './bundle.ts';
import { addConsumers } from './consumers.ts';
import { addFunctions, type Functions } from './functions.ts';
import { Keys } from './keys.ts';
import { Lists } from './lists.ts';
import { Machine, machineArns } from './machine.ts';
import { Outbox } from './outbox.ts';
import type { ProviderSecrets } from './provider-secrets.ts';
import { Queues } from './queues.ts';
import { Schedules } from './schedules.ts';
import { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import { Simulators } from './simulators.ts';
import type { Source } from './sources.ts';
import { Tables } from './tables.ts';

/** Functions in one folder, bundled together. */
export type Code = { sources: readonly Source[]; bundle: Bundle; withLists?: Bundle };

/** What the stage sandbox has besides. */
export type SandboxProps = {
  code: Code;
  routes: readonly Route[];
  secretsFor: (simulatorsUrl: string) => ProviderSecrets;
  listSourcesFor: (simulatorsUrl: string) => ListSources;
};

export type OnrampStackProps = StackProps & { settings: Settings; code: Code; sandbox?: SandboxProps };

const PRICES = 'https://api.binance.com';

/** The names of the tables that operators' commands read. */
function tableOutputs({ byName }: Tables): Record<string, string> {
  const told = TABLE_LIST.filter(({ isWithoutOutput }) => !isWithoutOutput);
  return Object.fromEntries(
    told.map(({ name }) => [outputNameOf(tableSetting(name)), byName[name].tableName]),
  );
}

/** The service: each capability is a construct of its own. */
export class OnrampStack extends Stack {
  constructor(scope: Construct, id: string, props: OnrampStackProps) {
    super(scope, id, { description: 'Stablecoin on-ramp: Pix in, stablecoin out', ...props });
    const { settings, code, sandbox } = props;
    const { stage } = settings;
    const keys = new Keys(this, 'Keys', settings);
    const queues = new Queues(this, 'Queues');
    const tables = new Tables(this, 'Tables', { stage, key: keys.data });
    const lists = new Lists(this, 'Lists', stage);
    const api = new OnrampApi(this, 'OnrampApi', { stage, name: `onramp-${stage}` });
    const simulators =
      sandbox && this.addSimulators(settings, sandbox.code.bundle, { keys, api: addressOf(api, stage) });
    const known = simulators && sandbox.secretsFor(simulators.url);
    const backend: Backend = {
      ...{ settings, tables, keys, queues, lists: lists.bucket, simulators },
      secrets: new Secrets(this, 'Secrets', { settings, known }),
      machine: machineArns(this, stage),
      callbackUrl: `${addressOf(api, stage)}/callbacks/pix`,
      listSources: simulators ? sandbox.listSourcesFor(simulators.url) : { addresses: PUBLISHERS },
      priceUrl: simulators ? `${simulators.url}/price` : PRICES,
    };

    const functions = this.addAll(code, backend);
    addRoutes(api, ROUTES, functions);
    addGatewayAnswers(api);
    addConsumers(functions, queues);
    if (sandbox) this.addSandbox(sandbox, backend, api);
    const { stateMachine } = new Machine(this, 'Machine', { settings, functions });
    const { outbox, schedule } = queues.deadLetters;
    new Outbox(this, 'Outbox', { events: tables.byName.events, target: queues.webhook, deadLetters: outbox });
    new Schedules(this, 'Schedules', { functions, deadLetters: schedule });
    functions.requireAllFound();
    const { deadLetters, webhook } = queues;
    const alarms = { stage, key: keys.data, deadLetters, webhook, stateMachine, api };
    const { topic } = new Alarms(this, 'Alarms', alarms);
    this.tell(backend, functions, { ApiUrl: addressOf(api, stage), AlarmsTopic: topic.topicArn });
    Tags.of(this).add('service', 'onramp');
    Tags.of(this).add('stage', stage);
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
    addRoutes(api, routes, functions);
    functions.requireAllFound();
  }

  private addSimulators(settings: Settings, code: Bundle, { keys, api }: { keys: Keys; api: string }) {
    // The identity provider is told in its dashboard where its webhooks go.
    const environment = { IDENTITY_WEBHOOK_URL: `${api}/callbacks/identity` };
    return new Simulators(this, 'Simulators', { settings, code, key: keys.data, environment });
  }

  /** What operators' commands and the local cloud look up. */
  private tell(backend: Backend, functions: Functions, besides: Record<string, string>): void {
    const { settings, tables, secrets, keys, lists, machine, simulators } = backend;
    const told: Record<string, string> = {
      Stage: settings.stage,
      StateMachineArn: machine.machine,
      ...tableOutputs(tables),
      ListsBucket: lists.bucketName,
      RefreshListsFunction: functions.find('RefreshLists').functionName,
      RescreenClientsFunction: functions.find('RescreenClients').functionName,
      ReconcileBooksFunction: functions.find('ReconcileBooks').functionName,
      DataKeyId: keys.data.keyId,
      SigningKeyIds: keys.signingIds,
      Chain: JSON.stringify(settings.chain),
      LookupSecret: secrets.lookup.secretArn,
      PixSecret: secrets.pix.secretArn,
      IdentitySecret: secrets.identity.secretArn,
      CpfRegistrySecret: secrets.cpfRegistry.secretArn,
      CompanyRegistrySecret: secrets.companyRegistry.secretArn,
      ChainSecret: secrets.chain.secretArn,
      ...(secrets.walletScreening && { WalletScreeningSecret: secrets.walletScreening.secretArn }),
      ...simulators?.outputs,
      ...besides,
    };
    for (const [name, value] of Object.entries(told)) new CfnOutput(this, name, { value });
  }
}
