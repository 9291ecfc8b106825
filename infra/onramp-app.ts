import { App, type AppProps } from 'aws-cdk-lib/core';
import { bundle } from './bundle.ts';
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
  const [code, sandbox] = await Promise.all([
    readCode(),
    settings.stage === 'sandbox' ? readSandboxCode() : undefined,
  ]);
  const name = settings.stage === 'sandbox' ? 'OnrampSandbox' : 'OnrampProduction';
  return { app, stack: new OnrampStack(app, name, { settings, code, sandbox }), settings };
}

async function readCode(): Promise<Code> {
  const sources = await readSources(FUNCTIONS);
  return { sources, bundle: await bundle(FUNCTIONS, sources) };
}

// Loaded here and nowhere else: production neither has nor reads what belongs to the sandbox.
async function readSandboxCode(): Promise<SandboxProps> {
  const { readSandbox, simulatorSecrets } = await import('./sandbox.ts');
  const { root, routes, sources } = await readSandbox();
  const handlers = [{ path: 'providers/handler' }, ...sources];
  return { routes, secretsFor: simulatorSecrets, code: { sources, bundle: await bundle(root, handlers) } };
}
