import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import type { Certificate } from '../../sandbox/providers/world.ts';
import type { ChainKind } from './decisions.ts';
import { type RunningSandbox, runningSandboxes } from './end-sandboxes.ts';
import { reportGrants } from './grant-report.ts';

const PROCESS = fileURLToPath(new URL('./sandbox-process.ts', import.meta.url));

/** The facts about the shared sandbox that tests in other threads get. */
export type SharedSandbox = {
  url: string;
  /** The API of the payment provider's callbacks. */
  callbacksUrl: string;
  pspCertificate: Certificate;
  rpcUrl: string;
  /** One address for all AWS clients. The credentials of `operator` may do everything. */
  awsEndpoint: string;
  region: string;
  simulatorsUrl: string;
  /** The key that the simulators' control interface requires. */
  controlKey: string;
  /** The file of all lines that the functions have logged with a metric. */
  metricLines: string;
  /** Physical ids by logical id. */
  refs: Record<string, string>;
  /** The stack's outputs, as `cdk deploy --outputs-file` writes them. */
  outputs?: Record<string, string>;
};

declare module 'vitest' {
  export interface ProvidedContext {
    sandbox: SharedSandbox;
  }
}

type Running = RunningSandbox & { shared: Promise<SharedSandbox>; exited: Promise<unknown> };

/**
 * Provides one sandbox with short minutes for all tests of a run, in all projects. It ends with their last file.
 */
export const setup = (project: TestProject) => provideSandbox(project, 'anvil');

/** Provides the sandbox of a chain. */
export async function provideSandbox(project: TestProject, chain: ChainKind): Promise<() => Promise<void>> {
  const all = runningSandboxes();
  const running = (all.get(chain) as Running | undefined) ?? start(chain);
  all.set(chain, running);
  running.projects.add(project.name);
  project.provide('sandbox', await running.shared);
  return async () => {
    running.projects.delete(project.name);
    if (running.projects.size > 0) return;
    running.end();
    await running.exited;
    await checkDecisions(chain);
  };
}

/** Fails the run if a second evaluator of IAM's policies contradicts an answer that a function got. */
async function checkDecisions(chain: ChainKind): Promise<void> {
  const { decisions, differing } = await reportGrants([chain]);
  console.log(`${decisions} decisions of IAM were judged again. Of all projects: npm run grants`);
  if (differing.length === 0) return;
  throw new Error(
    `The evaluators of IAM's policies differ:\n${differing.map((each) => JSON.stringify(each)).join('\n')}`,
  );
}

/**
 * Starts the sandbox in its own process. The runner's process is busy, and a cloud in it could not answer in time.
 */
function start(chain: ChainKind): Running {
  const child = fork(PROCESS, [chain], { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const failed = exited.then(([code, signal]) => {
    throw new Error(`the sandbox ended with ${signal ?? code}`);
  });
  failed.catch(() => undefined);
  const shared = Promise.race([once(child, 'message'), failed]).then(([message]) => message as SharedSandbox);
  const end = () => {
    if (child.connected) child.disconnect();
  };
  return { shared, projects: new Set(), end, exited };
}
