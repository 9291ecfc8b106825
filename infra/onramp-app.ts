import { Annotations, App, type AppProps } from 'aws-cdk-lib/core';
import { bundle, bundleWithLists } from './bundle.ts';
import { bundledLists, warningOfLists } from './bundled-lists.ts';
import { type Code, OnrampStack, type SandboxProps } from './onramp-stack.ts';
import { readContext, readSettings, type Settings } from './settings.ts';
import { readSources } from './sources.ts';

const FUNCTIONS = new URL('../functions/', import.meta.url).pathname;

/** The app with its one stack, from the code as it lies here. `context` wins over `cdk.json`. */
export async function onrampApp(
  context: Record<string, unknown> = {},
  props: AppProps = {},
): Promise<{ app: App; stack: OnrampStack; settings: Settings }> {
  const app = new App({
    analyticsReporting: false,
    treeMetadata: false,
    ...props,
    context: { ...readContext(), ...context },
  });
  const settings = await readSettings(app.node);
  const [code, sandbox, lists] = await Promise.all([
    readCode(),
    settings.stage === 'sandbox' ? readSandboxCode() : undefined,
    bundledLists(settings.stage),
  ]);
  const name = settings.stage === 'sandbox' ? 'OnrampSandbox' : 'OnrampProduction';
  const withLists = lists === undefined ? undefined : bundleWithLists(code.bundle, lists);
  const env = { region: settings.region };
  const stack = new OnrampStack(app, name, { env, settings, code: { ...code, withLists }, sandbox });
  // The sandbox's are as old as its made-up people.
  const warning = settings.stage === 'production' ? warningOfLists(lists, Date.now()) : undefined;
  if (warning) Annotations.of(stack).addWarningV2('onramp:bundledLists', warning);
  return { app, stack, settings };
}

async function readCode(): Promise<Code> {
  const sources = await readSources(FUNCTIONS);
  return { sources, bundle: await bundle(FUNCTIONS, sources) };
}

// Loaded here and nowhere else: production neither has nor reads what belongs to the sandbox.
async function readSandboxCode(): Promise<SandboxProps> {
  const { readSandbox, simulatorLists, simulatorSecrets } = await import('./sandbox.ts');
  const { root, routes, sources } = await readSandbox();
  const handlers = [{ path: 'providers/handler' }, ...sources];
  return {
    routes,
    secretsFor: simulatorSecrets,
    listSourcesFor: simulatorLists,
    code: { sources, bundle: await bundle(root, handlers) },
  };
}
