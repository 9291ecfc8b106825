import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { CODE_CACHE } from '../../operations/code-cache.ts';
import { type Fields, text } from './wire.ts';

/**
 * One running copy of a function. `ready` resolves when its start has ended, with the error if the start
 * failed.
 */
export type Instance = {
  worker: Worker;
  ready: Promise<Fields | undefined>;
  dead: boolean;
  /** Called before each event, because an idle instance is frozen. */
  thaw: () => void;
};

/** An instance posts one report after its start, and one after each event. */
export type Report = {
  ready?: boolean;
  payload?: string;
  initError?: Fields;
  error?: Fields;
};

const INIT_LIMIT_SECONDS = 10;

type Options = {
  /** The file of a module that every instance imports before its handler. */
  preload?: string;
  onLog?: (line: { functionName: string; line: string }) => void;
  patience: number;
};
type Code = { functionName: string; taskRoot: string; properties: Fields; env: Record<string, string> };

/**
 * Starts an instance of a function in a worker thread with its own heap and environment. `terminate()` ends a thread
 * even in an endless loop. A thread starts in about 40 ms, with a third of the time and memory of a process.
 */
export function startInstance({ preload, onLog, patience }: Options, code: Code): Instance {
  const { functionName, taskRoot, properties, env } = code;
  const invocations = new SharedArrayBuffer(4);
  const worker = new Worker(new URL('./lambda-worker.ts', import.meta.url), {
    workerData: {
      taskRoot,
      handler: text(properties.Handler),
      preload,
      invocations,
    },
    // Without this cache, each instance would compile the same code again.
    env: { ...env, LAMBDA_TASK_ROOT: taskRoot, NODE_COMPILE_CACHE: CODE_CACHE },
    argv: [],
    execArgv: (env.NODE_OPTIONS ?? '').split(' ').filter((flag) => flag === '--enable-source-maps'),
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: Math.max(128, Number(properties.MemorySize ?? 128)),
      // With V8's default of 48 MB, short-lived objects pile up in the heap of each instance before they
      // are freed.
      maxYoungGenerationSizeMb: 4,
    },
  });
  for (const stream of [worker.stdout, worker.stderr]) {
    createInterface({ input: stream }).on('line', (line) => onLog?.({ functionName, line }));
  }
  return watch({ worker, thaw: () => thaw(invocations) }, INIT_LIMIT_SECONDS * 1000 * patience);
}

/** Tells a frozen instance that an event comes. */
function thaw(invocations: SharedArrayBuffer): void {
  const given = new Int32Array(invocations);
  Atomics.add(given, 0, 1);
  Atomics.notify(given, 0);
}

function watch({ worker, thaw }: Pick<Instance, 'worker' | 'thaw'>, limitMs: number): Instance {
  const instance: Instance = { worker, thaw, dead: false, ready: Promise.resolve(undefined) };
  instance.ready = new Promise((resolve) => {
    const limit = setTimeout(() => resolve(timedOut('init', INIT_LIMIT_SECONDS)), limitMs);
    worker.once('message', (report: Report) => resolve(report.initError));
    worker.once('exit', () => resolve(undefined));
    worker.once('message', () => clearTimeout(limit)).once('exit', () => clearTimeout(limit));
  });
  worker.on('error', () => {
    // The listener of the running invocation reports the error. An idle instance has no such listener, and
    // without this one its error would end the process.
    instance.dead = true;
  });
  worker.on('exit', () => {
    instance.dead = true;
  });
  return instance;
}

export function timedOut(requestId: string, seconds: number): Fields {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`,
  };
}
