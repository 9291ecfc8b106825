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

type Running = { shared: Promise<SharedSandbox>; users: number; stop: () => Promise<void> };

/** The runner loads this file once for each of its projects; they share what lies here. */
const here = globalThis as { runningSandbox?: Running };

/** One hurried sandbox for all tests of a run, whatever project they belong to. It ends with the last project. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  here.runningSandbox ??= start();
  const running = here.runningSandbox;
  running.users += 1;
  project.provide('sandbox', await running.shared);
  return async () => {
    running.users -= 1;
    if (running.users === 0) await running.stop();
  };
}

/** In a process of its own: the runner's is busy, and a cloud that cannot answer meanwhile looks broken. */
function start(): Running {
  const child = fork(PROCESS, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const failed = exited.then(([code, signal]) => {
    throw new Error(`the sandbox ended with ${signal ?? code}`);
  });
  failed.catch(() => undefined);
  const shared = Promise.race([once(child, 'message'), failed]).then(([message]) => message as SharedSandbox);
  const stop = async () => {
    if (child.connected) child.disconnect();
    await exited;
  };
  return { shared, users: 0, stop };
}
