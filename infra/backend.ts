import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Stack } from 'aws-cdk-lib/core';
import type { ListSources } from '../functions/adapters/lists/publishers.ts';
import type { PriceUrls } from '../functions/adapters/price/exchanges.ts';
import { getDefined } from '../functions/domain/get.ts';
import { PUBLISHERS } from '../functions/domain/screening/lists.ts';
import type { SandboxProps } from './code.ts';
import type { Grant } from './grant.ts';
import type { Keys } from './keys.ts';
import { machineArns } from './machine-arns.ts';
import { Queues } from './queues.ts';
import { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import { Simulators } from './simulators.ts';
import type { StateStack } from './state-stack.ts';
import type { Tables } from './tables.ts';

const EXCHANGES: PriceUrls = {
  BINANCE: 'https://api.binance.com',
  MERCADO_BITCOIN: 'https://api.mercadobitcoin.net',
  FOXBIT: 'https://api.foxbit.com.br',
};

const PTAX = 'https://olinda.bcb.gov.br/olinda/servico/PTAX/versao/v1/odata';

/** Everything that functions may need permissions or settings for. */
export type Backend = {
  settings: Settings;
  tables: Tables;
  keys: Keys;
  lookup: ISecret;
  secrets: Secrets;
  queues: Queues;
  lists: IBucket;
  history: IBucket;
  machine: { machine: string; executions: string };
  /**
   * The URL at which the payment provider calls the service. The service registers this URL at the provider,
   * with the callback's secret token at its end. The provider appends `/pix`.
   */
  callbackUrl: string;
  /** The URL of the API for partners. Clients also open pages below it. */
  apiUrl: string;
  priceUrls: PriceUrls;
  ptaxUrl: string;
  /** Where the lists are downloaded from, in the form of the setting `listSources`. */
  listSources: ListSources;
  /** The simulated providers. Present only in a sandbox. */
  simulators?: { table: Table; variables: Record<string, string>; outputs: Record<string, string> };
};

/**
 * Makes the grant of one need, which is a name in a function's list `needs`. `id` is the function that gets
 * the grant.
 */
export type Granter = (backend: Backend, id: string) => Grant;

type BackendProps = {
  settings: Settings;
  state: StateStack;
  apiUrl: string;
  callbackApiUrl: string;
  sandbox?: SandboxProps;
};

/** Adds to the stack everything that functions need, except what the state stack has. */
export function addBackend(stack: Stack, props: BackendProps): Backend {
  const { settings, state, apiUrl, callbackApiUrl, sandbox } = props;
  const { keys, tables, lists, history, lookup } = state;
  const simulators = sandbox && addSimulators(stack, { ...props, sandbox });
  const known = simulators && sandbox.secretsFor(simulators.url);
  return {
    settings,
    keys,
    tables,
    lists,
    history,
    lookup,
    simulators,
    queues: new Queues(stack, 'Queues'),
    secrets: state.secrets ?? new Secrets(stack, 'Secrets', { settings, known }),
    machine: machineArns(stack, settings.stage),
    callbackUrl: `${callbackApiUrl}/callbacks/pix`,
    apiUrl,
    listSources: simulators ? sandbox.listSourcesFor(simulators.url) : { addresses: PUBLISHERS },
    priceUrls: simulators ? sandbox.priceUrlsFor(simulators.url) : EXCHANGES,
    ptaxUrl: simulators ? sandbox.ptaxUrlFor(simulators.url) : PTAX,
  };
}

type SimulatorsProps = BackendProps & { sandbox: SandboxProps };

function addSimulators(stack: Stack, { settings, state, apiUrl, sandbox }: SimulatorsProps): Simulators {
  // In production an operator enters the URL for callbacks at the identity provider. The simulator reads it
  // from this variable.
  const environment = { IDENTITY_WEBHOOK_URL: `${apiUrl}/callbacks/identity` };
  const { bundle: code } = sandbox.code;
  const kept = getDefined(state.simulators, 'the simulators’ state');
  return new Simulators(stack, 'Simulators', { settings, code, state: kept, environment });
}
