import { CfnOutput, type Stack } from 'aws-cdk-lib/core';
import { outputNameOf, type Setting, tableSetting } from '../functions/settings.ts';
import { TABLE_LIST } from '../functions/tables.ts';
import type { OnrampApi } from './api.ts';
import type { Backend } from './backend.ts';
import type { Functions } from './functions.ts';

/** The functions that operators invoke by hand. */
const INVOKED = ['RefreshLists', 'RescreenClients', 'ReconcileBooks'];

type OutputsProps = {
  backend: Backend;
  functions: Functions;
  api: OnrampApi;
  callbackApi: OnrampApi;
  alarmsTopic: string;
  /** Outputs of parts that only some stages have. */
  outputs: Readonly<Record<string, string | undefined>>;
};

/** Adds the outputs of the stack: names and addresses that the operators' command and the local cloud need. */
export function addOutputs(stack: Stack, props: OutputsProps): void {
  const { backend, functions, api, callbackApi, alarmsTopic, outputs: others } = props;
  const settings = Object.entries(outputSettings(backend)) as [Setting, string | undefined][];
  const invoked = INVOKED.map((id) => [`${id}Function`, functions.find(id).functionName] as const);
  const outputs = [
    ...settings.map(([setting, value]) => [outputNameOf(setting), value] as const),
    ...invoked,
    ...Object.entries(backend.simulators?.outputs ?? {}),
    ['ApiUrl', api.address] as const,
    // The target to which an operator must point the alias of each domain in DNS.
    ['ApiDomainTarget', api.domainName?.domainNameAliasDomainName] as const,
    ['CallbackDomainTarget', callbackApi.domainName?.domainNameAliasDomainName] as const,
    ['AlarmsTopic', alarmsTopic] as const,
    ...Object.entries(others),
  ];
  for (const [name, value] of outputs) if (value !== undefined) new CfnOutput(stack, name, { value });
}

function outputSettings(backend: Backend): { [Name in Setting]?: string } {
  const { settings, secrets, keys, lists, history, lookup, machine } = backend;
  return {
    stage: settings.stage,
    stateMachineArn: machine.machine,
    ...outputTableNames(backend),
    listsBucket: lists.bucketName,
    historyBucket: history.bucketName,
    dataKeyId: keys.data.keyId,
    signingKeyIds: keys.signingIds,
    chain: JSON.stringify(settings.chain),
    operators: JSON.stringify(settings.operators),
    promiseLimits: JSON.stringify(settings.promiseLimits),
    lookupSecret: lookup.secretArn,
    pixSecret: secrets.pix.secretArn,
    pixCallbackSecret: secrets.pixCallback.secretArn,
    identitySecret: secrets.identity.secretArn,
    cpfRegistrySecret: secrets.cpfRegistry.secretArn,
    companyRegistrySecret: secrets.companyRegistry.secretArn,
    chainSecret: secrets.chain.secretArn,
    walletScreeningSecret: secrets.walletScreening?.secretArn,
  };
}

function outputTableNames({ tables }: Backend): Record<string, string> {
  const read = TABLE_LIST.filter(({ isWithoutOutput }) => !isWithoutOutput);
  return Object.fromEntries(read.map(({ name }) => [tableSetting(name), tables.byName[name].tableName]));
}
