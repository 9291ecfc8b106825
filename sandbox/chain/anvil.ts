import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { IDLE_BLOCK_SECONDS, startPace } from './pace.ts';
import { rpc } from './rpc.ts';

export type Anvil = { url: string; stop: () => Promise<void> };
/**
 * `blockSeconds` is the time between two blocks. `'lazy'` mines four blocks a second after each transaction,
 * and one block in 12 s at other times: `pace.ts`. The chain also answers at `socket`, the path of a local socket.
 */
type Options = { port?: number; blockSeconds?: number | 'lazy'; socket?: string };

const START_WAIT_MS = 60_000;

// Mines at intervals, because anvil's automine leaves out transactions that arrive together. With four blocks
// a second, a transfer is mined within 0.25 s. It is final 0.5 s later, because the final block is two blocks
// behind the newest one.
const BLOCK_SECONDS = 0.25;
const SLOTS_IN_AN_EPOCH = 1;
// anvil keeps only the states of this many latest blocks, and only in memory. When it stops, no files remain
// on the disk.
export const STATES_KEPT = 256;

/**
 * Starts a chain that answers at `url`. Port 0, the default, takes a free port. The chain ends when this
 * process ends.
 */
export async function startAnvil({
  port = 0,
  blockSeconds = BLOCK_SECONDS,
  socket,
}: Options = {}): Promise<Anvil> {
  const child = spawnBound(findBinary(), [
    ...['--host', '127.0.0.1', '--port', String(port), '--chain-id', '31337'],
    ...[
      '--block-time',
      String(blockSeconds === 'lazy' ? IDLE_BLOCK_SECONDS : blockSeconds),
      '--slots-in-an-epoch',
      String(SLOTS_IN_AN_EPOCH),
    ],
    ...['--prune-history', String(STATES_KEPT)],
    ...(socket === undefined ? [] : ['--ipc', socket]),
  ]);
  const stop = () => end(child);
  try {
    const url = `http://${await listening(child)}`;
    await rpc(url, 'eth_chainId');
    if (blockSeconds !== 'lazy') return { url, stop };
    const pace = await startPace(url);
    return {
      url,
      stop: () => {
        pace.stop();
        return stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Finds anvil's binary for this platform. npm's wrapper around it would not pass on a signal, and so it is
 * not used.
 */
function findBinary(): string {
  const platform = process.platform === 'win32' ? 'win32' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = platform === 'win32' ? 'anvil.exe' : 'anvil';
  // The platform's package is a dependency of the wrapper's package, and so the search starts there.
  const wrapper = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'));
  return join(dirname(wrapper.resolve(`@foundry-rs/anvil-${platform}-${arch}/package.json`)), 'bin', name);
}

/**
 * Starts the binary so that it ends when this process ends, even by SIGKILL. A shell in the background waits
 * for the end of its input, which closes with this process, and then kills the binary. `exec` gives the
 * binary the process id of the first shell, `$$`.
 */
function spawnBound(binary: string, args: string[]): ChildProcess {
  if (process.platform === 'win32') return spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const script =
    'exec 3<&0; (cat <&3 >/dev/null 2>&1; kill -9 $$ 2>/dev/null) & exec "$0" "$@" 3<&- </dev/null';
  return spawn('/bin/sh', ['-c', script, binary, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`anvil is not ready: ${output}`)), START_WAIT_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const address = /Listening on (\S+)/.exec(output)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      // Keeps reading the output and drops it. If nobody read it, the pipe would fill and block the binary.
      child.stdout?.removeListener('data', read).resume();
      child.stderr?.removeListener('data', read).resume();
      resolve(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code}: ${output}`)));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  child.stdin?.destroy();
}
