import { type ChildProcess, fork } from 'node:child_process';
import { once as onEvent } from 'node:events';
import { fileURLToPath } from 'node:url';
import { once } from '../../functions/adapters/once.ts';
import { bundle } from '../../infra/bundle.ts';
import { readSources } from '../../infra/sources.ts';
import { CODE_CACHE } from '../../operations/code-cache.ts';
import { type Edge, type Fate, type Gate, type Outside, openEdge } from './crash-edge.ts';

const FUNCTIONS = fileURLToPath(new URL('../../functions/', import.meta.url));
const WORKER = fileURLToPath(new URL('./crash-worker.ts', import.meta.url));

/** The result of a handler, or the name and message of its error. */
export type Answer = { result?: unknown; error?: { name: string; message: string } };

export type Process = {
  /** Passes one event to the built handler of a file in `functions/`. */
  run(file: string, event?: unknown): Promise<Answer>;
  /** Passes an event to a handler that must not survive it. Returns the signal that killed the process. */
  die(file: string, event?: unknown): Promise<NodeJS.Signals | null>;
  /** Moves the clock of the process forward. */
  later(ms: number): Promise<void>;
  /** The clock of the process. */
  now(): number;
  /** The names of the requests that left the process. */
  seen: string[];
  stop(): Promise<void>;
};

type Options = {
  environment(edge: string): Record<string, string>;
  outside: Outside;
  fate?: Fate;
  gate?: Gate;
};

/** The folder of the handlers as production gets them. */
const builtHandlers = once(async () => (await bundle(FUNCTIONS, await readSources(FUNCTIONS))).directory);

/** Starts a real process of the service with its own edge to the outside. The edge applies the fate. */
export async function startProcess({ environment, outside, fate, gate }: Options): Promise<Process> {
  let child: ChildProcess | undefined;
  const edge = await openEdge(outside, { fate, gate, strike: () => void child?.kill('SIGKILL') });
  child = fork(WORKER, [await builtHandlers()], {
    // Without this cache, each of the many processes would compile the same code again.
    env: { ...environment(edge.url), NODE_COMPILE_CACHE: CODE_CACHE },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const exited = onEvent(child, 'exit') as Exit;
  return { ...conversation(child, exited), seen: edge.seen, stop: () => stop(child, exited, edge) };
}

type Exit = Promise<[number | null, NodeJS.Signals | null]>;

function conversation(child: ChildProcess, exited: Exit) {
  let commands = 0;
  let ahead = 0;
  let complaints = '';
  child.stderr?.on('data', (chunk) => {
    complaints += String(chunk);
  });

  async function ask(command: object): Promise<Answer> {
    const id = ++commands;
    const answered = new Promise<Answer>((resolve) => {
      const hear = ({ id: of, ...answer }: { id: number } & Answer) => {
        if (of !== id) return;
        child.off('message', hear);
        resolve(answer);
      };
      child.on('message', hear);
    });
    child.send({ id, ...command });
    const ended = exited.then(([code, signal]) => {
      throw new Error(`the process ended with ${signal ?? code}: ${complaints}`);
    });
    return Promise.race([answered, ended]);
  }

  return {
    run: (file: string, event?: unknown) => ask({ file, event }),
    async die(file: string, event?: unknown) {
      const survived = ask({ file, event }).then(({ error, result }): never => {
        throw new Error(`it lived on: ${JSON.stringify(error ?? result)}`);
      });
      const [, signal] = await Promise.race([exited, survived]);
      return signal;
    },
    async later(ms: number) {
      await ask({ laterMs: ms });
      ahead += ms;
    },
    now: () => Date.now() + ahead,
  };
}

async function stop(child: ChildProcess, exited: Exit, edge: Edge): Promise<void> {
  if (child.connected) child.disconnect();
  await exited;
  await edge.stop();
}
