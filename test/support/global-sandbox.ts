import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const PROCESS = fileURLToPath(new URL('./sandbox-process.ts', import.meta.url));

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

/**
 * One hurried sandbox for all tests of a run, in a process of its own: the runner's is busy handing their code to the
 * tests, and a cloud that cannot answer meanwhile looks broken.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const child = fork(PROCESS, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const failed = exited.then(([code, signal]) => {
    throw new Error(`the sandbox ended with ${signal ?? code}`);
  });
  const [shared] = await Promise.race([once(child, 'message'), failed]);
  failed.catch(() => undefined);
  project.provide('sandbox', shared as SharedSandbox);
  return async () => {
    if (child.connected) child.disconnect();
    await exited;
  };
}
