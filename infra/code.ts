import type { ListSources } from '../functions/adapters/lists/publishers.ts';
import type { PriceUrls } from '../functions/adapters/price/exchanges.ts';
import type { Route } from '../functions/routes.ts';
import type { CodeBundle } from './bundle.ts';
import type { ProviderSecrets } from './provider-secrets.ts';
import type { FunctionSource } from './sources.ts';

/** The functions of one folder, and their bundle. `withLists` and `withSite` are the same bundle with further files. */
export type Code = {
  sources: readonly FunctionSource[];
  bundle: CodeBundle;
  withLists?: CodeBundle;
  withSite?: CodeBundle;
  /** The code of the console. Absent if the stage has none. */
  console?: CodeBundle;
};

/** The parts that only the stage sandbox has. */
export type SandboxProps = {
  code: Code;
  routes: readonly Route[];
  secretsFor: (simulatorsUrl: string) => ProviderSecrets;
  listSourcesFor: (simulatorsUrl: string) => ListSources;
  priceUrlsFor: (simulatorsUrl: string) => PriceUrls;
  ptaxUrlFor: (simulatorsUrl: string) => string;
};
