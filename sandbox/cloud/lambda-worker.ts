/**
 * Runs inside one function instance. Like the Lambda runtime, it loads the handler once and handles one event
 * at a time. It imports nothing of `sandbox/cloud`, because each instance would load that code again.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';

type Invocation = {
  event: string;
  requestId: string;
  deadline: number;
  functionName: string;
  functionArn: string;
  traceId: string;
};
type Handler = (event: unknown, context: unknown) => unknown;

type Start = { taskRoot: string; handler: string; preload?: string; invocations: SharedArrayBuffer };
const { taskRoot, handler: handlerName, preload, invocations } = workerData as Start;
/** How many events the instance was given. */
const given = new Int32Array(invocations);
let handled = 0;
if (preload) await import(pathToFileURL(preload).href);
const port = parentPort;

const loaded = load().then(
  (handler) => ({ handler }),
  (error: unknown) => ({ error }),
);
const first = await loaded;
port?.postMessage('error' in first ? { initError: describe(first.error) } : { ready: true });
port?.on('message', async (invocation: Invocation) => {
  port.postMessage(await answer(invocation));
  await freezeAfter(++handled);
});

/**
 * Stops the thread until the next event comes, as Lambda freezes an instance. Work that the handler left unfinished
 * stands still, and its timers fire late. The lines that the handler wrote are passed on first.
 */
async function freezeAfter(events: number): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  Atomics.wait(given, 0, events);
}

async function answer(invocation: Invocation): Promise<unknown> {
  process.env._X_AMZN_TRACE_ID = invocation.traceId;
  const state = await loaded;
  if ('error' in state) return { error: describe(state.error) };
  try {
    const result = await state.handler(JSON.parse(invocation.event), contextOf(invocation));
    return { payload: result === undefined ? 'null' : JSON.stringify(result) };
  } catch (error) {
    return { error: describe(error) };
  }
}

async function load(): Promise<Handler> {
  const dot = handlerName.lastIndexOf('.');
  const base = join(taskRoot, handlerName.slice(0, dot));
  const file = ['.mjs', '.js', '.cjs'].map((extension) => base + extension).find((path) => existsSync(path));
  if (!file)
    throw named('Runtime.ImportModuleError', `Error: Cannot find module '${handlerName.slice(0, dot)}'`);
  const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const name = handlerName.slice(dot + 1);
  const exported = module[name] ?? (module.default as Record<string, unknown> | undefined)?.[name];
  if (typeof exported !== 'function') {
    throw named('Runtime.HandlerNotFound', `${handlerName} is undefined or not exported`);
  }
  return exported as Handler;
}

function contextOf(invocation: Invocation) {
  return {
    awsRequestId: invocation.requestId,
    functionName: invocation.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: invocation.functionArn,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE ?? '128',
    logGroupName: `/aws/lambda/${invocation.functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, invocation.deadline - Date.now()),
  };
}

/**
 * The report that Lambda gives of an error. `errorType` is the error's name. Step Functions compares it with
 * the names in a Retry or a Catch.
 */
function describe(error: unknown) {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return {
    errorType: error.name,
    errorMessage: error.message,
    trace: (error.stack ?? '').split('\n'),
  };
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
