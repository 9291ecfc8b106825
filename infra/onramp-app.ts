import { Annotations, App, type AppProps, Tags } from 'aws-cdk-lib/core';
import { siteFiles } from '../docs/site.ts';
import { bundle, bundleWithLists, bundleWithSite, type CodeBundle, type Entry } from './bundle.ts';
import { bundledLists, warningOfLists } from './bundled-lists.ts';
import type { Code, SandboxProps } from './code.ts';
import { CONSOLE_HANDLER, OPERATIONS } from './console.ts';
import { OnrampStack } from './onramp-stack.ts';
import { ReplicaWatchStack } from './replica-watch-stack.ts';
import type { Sandbox } from './sandbox.ts';
import { readContext, readSettings, type Settings } from './settings.ts';
import { siteFolder } from './site.ts';
import { type FunctionSource, readSources } from './sources.ts';
import { StateStack } from './state-stack.ts';

const FUNCTIONS = new URL('../functions/', import.meta.url).pathname;

/** Makes the CDK app with the service's stack and the state stack. `context` overrides `cdk.json`. */
export async function onrampApp(
  context: Record<string, unknown> = {},
  props: AppProps = {},
): Promise<{ app: App; state: StateStack; stack: OnrampStack; settings: Settings }> {
  const app = new App({
    analyticsReporting: false,
    treeMetadata: false,
    ...props,
    context: { ...readContext(), ...context },
  });
  const settings = await readSettings(app.node);
  // This module is imported only for the sandbox, because production must not depend on it.
  const ofSandbox = settings.stage === 'sandbox' ? await import('./sandbox.ts') : undefined;
  const parts = await ofSandbox?.readSandbox();
  const [code, files, sandbox, lists, consoleCode] = await Promise.all([
    readCode(parts?.instead),
    siteOf(settings, parts),
    ofSandbox && parts && readSandboxCode(ofSandbox, parts),
    bundledLists(settings.stage),
    settings.console && bundled(OPERATIONS, [{ path: CONSOLE_HANDLER }]),
  ]);
  const name = settings.stage === 'sandbox' ? 'OnrampSandbox' : 'OnrampProduction';
  const withLists = lists === undefined ? undefined : bundleWithLists(code.bundle, lists);
  const withSite = bundleWithSite(code.bundle, files);
  const env = { region: settings.region };
  const state = new StateStack(app, `${name}State`, { env, settings });
  const stack = new OnrampStack(app, name, {
    env,
    settings,
    state,
    code: { ...code, withLists, withSite, console: consoleCode },
    sandbox,
  });
  if (settings.stage === 'production')
    for (const region of settings.replicaRegions)
      new ReplicaWatchStack(app, `${name}Replicas-${region}`, { region, home: settings.region });
  Tags.of(app).add('service', 'onramp');
  Tags.of(app).add('stage', settings.stage);
  // The sandbox's lists are invented, so they never become outdated.
  const warning = settings.stage === 'production' ? warningOfLists(lists, Date.now()) : undefined;
  if (warning) Annotations.of(stack).addWarningV2('onramp:bundledLists', warning);
  return { app, state, stack, settings };
}

// Tests synthesize many templates in one process, from the same sources.
const bundles = new Map<string, Promise<CodeBundle>>();

function bundled(root: string, entries: readonly Entry[]): Promise<CodeBundle> {
  const key = JSON.stringify([root, entries]);
  const found = bundles.get(key) ?? bundle(root, entries);
  bundles.set(key, found);
  return found;
}

/** Bundles the product's functions. If `instead` has a function with the same path, it replaces the product's one. */
async function readCode(instead: readonly FunctionSource[] = []): Promise<Code> {
  const own = await readSources(FUNCTIONS);
  const sources = own.map((source) => instead.find(({ path }) => path === source.path) ?? source);
  return { sources, bundle: await bundled(FUNCTIONS, sources) };
}

/** The public pages of the stage. In the sandbox they also describe the sandbox's own endpoints. */
async function siteOf(
  { stage, edge }: Settings,
  parts: Sandbox | undefined,
): Promise<Record<string, string>> {
  const server = edge.apiDomain ? `https://${edge.apiDomain.name}` : undefined;
  const others = (await parts?.readOperations()) ?? [];
  return siteFolder(await siteFiles({ stage, others, server }));
}

async function readSandboxCode(
  { simulatorLists, simulatorPrices, simulatorPtax, simulatorSecrets }: typeof import('./sandbox.ts'),
  { root, routes, sources }: Sandbox,
): Promise<SandboxProps> {
  const handlers = [{ path: 'providers/handler' }, ...sources];
  return {
    routes,
    secretsFor: simulatorSecrets,
    listSourcesFor: simulatorLists,
    priceUrlsFor: simulatorPrices,
    ptaxUrlFor: simulatorPtax,
    code: { sources, bundle: await bundled(root, handlers) },
  };
}
