import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';

export type Dynoxide = { url: string; stop(): Promise<void> };

const START_WAIT_MS = 60_000;
const TRIES = 10;

/**
 * Starts an in-memory DynamoDB emulator that ends when this process ends. The emulator does not support port
 * 0, and so this code chooses a free port. If another process takes that port first, the start is repeated
 * with another one.
 */
export async function startDynoxide(): Promise<Dynoxide> {
  const binary = findBinary();
  let reason = '';
  for (let tries = 0; tries < TRIES; tries++) {
    const port = await freePort();
    const child = spawnBound(binary, port);
    try {
      await listening(child);
      return { url: `http://127.0.0.1:${port}`, stop: () => end(child) };
    } catch (error) {
      await end(child);
      reason = (error as Error).message;
    }
  }
  throw new Error(`dynoxide did not start: ${reason}`);
}

function findBinary(): string {
  try {
    return createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/dynoxide`);
  } catch {
    throw new Error(
      `No dynoxide binary for ${process.platform}-${process.arch} is installed. Start any DynamoDB ` +
        'server (for example `npx dynoxide`) and give its address in AWS_ENDPOINT_URL_DYNAMODB.',
    );
  }
}

/**
 * Starts the emulator, and a subshell in the background. The subshell's input closes when this process ends,
 * even if it was killed, and the subshell then kills the emulator. The emulator has its own process group, so
 * that Ctrl-C does not end it before the functions have stopped.
 */
function spawnBound(binary: string, port: number): ChildProcess {
  const script =
    'exec 3<&0; (cat <&3; kill -9 $$) >/dev/null 2>&1 & ' +
    'exec "$0" --host 127.0.0.1 --port "$1" 3<&- </dev/null';
  return spawn('sh', ['-c', script, binary, String(port)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
}

/**
 * Resolves when this emulator prints that it listens. An answer at the port is no proof, because another
 * emulator could give it.
 */
function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`it is not ready: ${output}`)), START_WAIT_MS);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes('listening on')) return;
      clearTimeout(timer);
      // Keeps reading the output and drops it. If nobody read it, the pipe would fill and block the emulator.
      for (const stream of [child.stdout, child.stderr]) stream?.removeListener('data', read).resume();
      resolve();
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`it ended with ${code}: ${output}`));
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  child.stdin?.destroy();
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
