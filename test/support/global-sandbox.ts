import type { TestProject } from 'vitest/node';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { controlKeyOf } from '../../sandbox/seed.ts';

/** What tests in other threads may know of the one sandbox that they share. */
export type SharedSandbox = {
  url: string;
  rpcUrl: string;
  /** One address for all AWS clients; the credentials of `operator` may do everything. */
  awsEndpoint: string;
  region: string;
  simulatorsUrl: string;
  /** What the simulators' control interface wants. */
  controlKey: string;
  /** Physical ids by logical id. */
  refs: Record<string, string>;
  /** The stack's outputs, as `cdk deploy --outputs-file` would write them. */
  outputs?: Record<string, string>;
};

declare module 'vitest' {
  export interface ProvidedContext {
    sandbox: SharedSandbox;
  }
}

/** One hurried sandbox for all tests of a run: fifteen minutes last fifteen seconds. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sandbox = await startSandbox({ minuteSeconds: 1 });
  const { cloud } = sandbox;
  project.provide('sandbox', {
    url: sandbox.url,
    rpcUrl: sandbox.rpcUrl,
    awsEndpoint: cloud.endpoint,
    region: cloud.region,
    simulatorsUrl: cloud.apis['onramp-simulators']!,
    controlKey: controlKeyOf(cloud),
    outputs: cloud.outputs,
    refs: Object.fromEntries(Object.entries(cloud.resources).map(([id, { ref }]) => [id, ref])),
  });
  return sandbox.stop;
}
