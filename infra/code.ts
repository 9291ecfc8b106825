import type { ListSources } from '../functions/adapters/lists/publishers.ts';
import type { Route } from '../functions/routes.ts';
import type { Bundle } from './bundle.ts';
import type { ProviderSecrets } from './provider-secrets.ts';
import type { Source } from './sources.ts';

/** Functions in one folder, bundled together. */
export type Code = { sources: readonly Source[]; bundle: Bundle; withLists?: Bundle };

/** What the stage sandbox has besides. */
export type SandboxProps = {
  code: Code;
  routes: readonly Route[];
  secretsFor: (simulatorsUrl: string) => ProviderSecrets;
  listSourcesFor: (simulatorsUrl: string) => ListSources;
};
