/** Runs the whole service on this machine until Ctrl-C. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { type Local, type OutputsFile, SANDBOX_OUTPUTS } from '../operations/outputs.ts';
import { STACK, startSandbox } from './sandbox.ts';
import { SANDBOX_API_KEY } from './seed.ts';

const { values } = parseArgs({
  options: { minute: { type: 'string', default: '60s' }, verbose: { type: 'boolean', default: false } },
});

const seconds = /^(\d+(?:\.\d+)?)s$/.exec(values.minute)?.[1];
if (!seconds || Number(seconds) <= 0) {
  console.error('--minute is what a minute of the waits lasts, such as 60s or 1s');
  process.exit(2);
}

/**
 * The most idle function instances. An idle instance holds about 25 MB, and a new one takes about 0.1 s to
 * start.
 */
const MOST_IDLE = 8;

const startedAt = Date.now();
const sandbox = await startSandbox({
  port: Number(process.env.PORT ?? 4000),
  chainPort: Number(process.env.CHAIN_PORT ?? 8545),
  cloudPort: Number(process.env.CLOUD_PORT ?? 4566),
  apiKey: process.env.SANDBOX_API_KEY ?? SANDBOX_API_KEY,
  minuteSeconds: Number(seconds),
  mostIdle: MOST_IDLE,
  blockSeconds: 'lazy',
  onLog: values.verbose ? ({ functionName, line }) => console.error(`${functionName}: ${line}`) : undefined,
}).catch((error: Error) => {
  const isTaken = /EADDRINUSE|address already in use/i.test(`${error.message}`);
  const hint = isTaken ? ' (PORT and CHAIN_PORT choose others)' : '';
  console.error(`could not start: ${error.message}${hint}`);
  process.exit(1);
});

const { endpoint, region, outputs } = sandbox.cloud;
const local: Local = { endpoint, region, pid: process.pid };

/**
 * Writes the outputs of this sandbox's stack to a file that `npm run ops` reads. A sandbox that starts later
 * replaces the file.
 */
function tellOperators(): void {
  const file: OutputsFile = { [STACK]: outputs, local };
  mkdirSync(dirname(SANDBOX_OUTPUTS), { recursive: true });
  writeFileSync(SANDBOX_OUTPUTS, JSON.stringify(file, null, 2));
}

function forgetOperators(): void {
  try {
    const file = JSON.parse(readFileSync(SANDBOX_OUTPUTS, 'utf8')) as OutputsFile;
    if (file.local?.pid === process.pid) rmSync(SANDBOX_OUTPUTS);
  } catch {
    // The file does not exist or cannot be read. The sandbox must stop all the same.
  }
}

tellOperators();
console.error(`cloud ${endpoint} (npm run ops -- --help)`);
console.error(`docs ${sandbox.url}/docs`);
console.error(`console ${sandbox.url}/console`);
const took = ((Date.now() - startedAt) / 1000).toFixed(1);
console.log(`ready ${sandbox.url} chain ${sandbox.rpcUrl} key ${sandbox.apiKey} in ${took} s`);

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  forgetOperators();
  await sandbox.stop();
  process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);

/**
 * Stops the sandbox when its parent shell has ended. npm starts that shell, and the shell does not pass on
 * the signal that ends it.
 */
function endWithShell(): void {
  const shell = process.ppid;
  setInterval(() => process.ppid !== shell && stop(), 1000).unref();
}
if (process.env.npm_lifecycle_event === 'start') endWithShell();
