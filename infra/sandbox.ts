/**
 * Everything that only the stage `sandbox` has: simulators, their endpoints and credentials, and a local chain. Another
 * stage does not import this file.
 */
import { join } from 'node:path';
import { type Operation, readOperations } from '../docs/openapi/operations.ts';
import type { Chain } from '../functions/adapters/chain/chain.ts';
import type { ListSources } from '../functions/adapters/lists/publishers.ts';
import type { PriceUrls } from '../functions/adapters/price/exchanges.ts';
import { mapLists, PUBLISHERS, type Publisher } from '../functions/domain/screening/lists.ts';
import type { Route } from '../functions/routes.ts';
import { localChain as deployed, localTokens } from '../sandbox/chain/deploy.ts';
import { defaultSettings } from '../sandbox/providers/world.ts';
import { ROUTES } from '../sandbox/routes.ts';
import type { ProviderSecrets } from './provider-secrets.ts';
import { type FunctionSource, readSources } from './sources.ts';

const ROOT = new URL('../sandbox/', import.meta.url);

/** The secret part of the address to which the simulated payment provider sends callbacks. */
const CALLBACK_TOKEN = 'sandbox-callback-token-0000000000000000';

const { chainId, sanctionsOracle } = deployed;

/**
 * The settings of the local chain. The simulators' own chain has the same contracts at the same addresses. A
 * transfer is confirmed and final after about one second on a laptop, and after about eight seconds in AWS.
 */
export const localChain: Chain = {
  chainId,
  tokens: localTokens,
  sanctionsOracle,
  confirmations: 2,
  blockSeconds: 0.25,
  finality: 4,
};

/**
 * The lists as the simulators at `url` serve them. The lists are short, so the least number of entries that
 * is accepted is 1.
 */
export function simulatorLists(url: string): ListSources {
  const addresses = Object.keys(PUBLISHERS).map((publisher) => [publisher, `${url}/lists/${publisher}`]);
  return {
    addresses: Object.fromEntries(addresses) as Record<Publisher, string>,
    fewest: mapLists(() => 1),
  };
}

/** The addresses of the simulated exchanges. */
export const simulatorPrices = (url: string): PriceUrls => ({
  common: `${url}/`,
  BINANCE: 'price',
  MERCADO_BITCOIN: 'mercado-bitcoin',
  FOXBIT: 'foxbit',
});

/** The address of the simulated PTAX. */
export const simulatorPtax = (url: string): string => `${url}/ptax`;

/** A directory with the simulators' lists, in the form that a refresh publishes. */
export async function sandboxLists(): Promise<string> {
  const { writeBundledLists } = await import('../sandbox/bundled-lists.ts');
  return writeBundledLists(simulatorLists('http://simulators'));
}

export type Sandbox = {
  root: string;
  routes: readonly Route[];
  sources: FunctionSource[];
  /** Functions of the sandbox that replace the product's functions with the same path. */
  instead: FunctionSource[];
  /** Reads the descriptions of the sandbox's endpoints. */
  readOperations: () => Promise<Operation[]>;
};

export async function readSandbox(): Promise<Sandbox> {
  const root = ROOT.pathname;
  const folder = join(root, 'instead');
  const [sources, others] = await Promise.all([readSources(root, ['api']), readSources(folder)]);
  const instead = others.map((source) => ({ ...source, file: join(folder, `${source.path}.ts`) }));
  return { root, routes: ROUTES, sources, instead, readOperations: () => readOperations(root, ROUTES) };
}

/** The secrets for the simulators at `url`, in the form in which operators enter production's secrets. */
export function simulatorSecrets(url: string): ProviderSecrets {
  const { psp, cpfRegistry, companyRegistry, identity, chainalysis } = defaultSettings;
  return {
    pix: {
      baseUrl: `${url}/psp/v2`,
      profile: 'efi',
      tokenUrl: `${url}/psp/oauth/token`,
      clientId: psp.clientId,
      clientSecret: psp.clientSecret,
      locationHosts: [psp.locationBase.split('/')[0]],
    },
    pixCallback: { key: psp.chave, callbackToken: CALLBACK_TOKEN },
    identity: { baseUrl: `${url}/identity`, ...identity },
    cpfRegistry: { baseUrl: `${url}/cpf-registry`, ...cpfRegistry },
    companyRegistry: { baseUrl: `${url}/company-registry`, ...companyRegistry },
    walletScreening: { baseUrl: `${url}/chainalysis`, ...chainalysis },
    chain: { rpcUrls: [`${url}/chain`] },
  };
}
