/**
 * Measures what `npm start` costs on a laptop: memory, CPU while idle, and CPU until the sandbox is ready.
 * The CPU until it is ready is measured for a first and for a second start. All figures cover the whole
 * process tree.
 *
 * It runs in a copy of the sources, so that the first start finds no cache of an earlier one.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateCpf } from '@brazilian-utils/brazilian-utils';
import { buyerOf } from './buy.ts';
import { usageOf } from './process-tree.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const PURCHASES = 20;
const IDLE_SECONDS = 60;
/** After this time, the waits and deliveries of the last purchase have ended, and its functions are idle. */
const SETTLE_SECONDS = 60;

type Started = { child: ChildProcess; pid: number; url: string; apiKey: string; wallSeconds: number };

const folder = mkdtempSync(join(tmpdir(), 'laptop-'));
const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
for (const file of files.filter((name) => name !== '')) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  cpSync(join(ROOT, file), join(folder, file));
}
symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));

async function start(): Promise<Started> {
  const startedAt = performance.now();
  const env = { ...process.env, PORT: '0', CHAIN_PORT: '0', CLOUD_PORT: '0' };
  const child = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url, apiKey] = /^ready (\S+) chain \S+ key (\S+)/.exec(line) ?? [];
    if (!url || !apiKey || child.pid === undefined) continue;
    return { child, pid: child.pid, url, apiKey, wallSeconds: (performance.now() - startedAt) / 1000 };
  }
  throw new Error('npm start ended before it was ready');
}

async function stop({ child }: Started): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

function print(what: string, value: string, aim: string): void {
  console.log(`${what.padEnd(44)} ${value.padStart(10)}   aim: ${aim}`);
}
const seconds = (value: number) => `${value.toFixed(1)} s`;
const megabytes = (value: number) => `${Math.round(value)} MB`;

async function measureIdle({ pid }: Started): Promise<number> {
  await sleep(SETTLE_SECONDS * 1000);
  const before = usageOf(pid).cpuSeconds;
  await sleep(IDLE_SECONDS * 1000);
  return (usageOf(pid).cpuSeconds - before) / IDLE_SECONDS;
}

try {
  console.log(`npm start, load ${loadavg()[0]?.toFixed(1)}`);
  const fresh = await start();
  print('CPU until ready, fresh', seconds(usageOf(fresh.pid).cpuSeconds), 'at most 6 s');
  print('wall time until ready, fresh', seconds(fresh.wallSeconds), 'none');
  await stop(fresh);

  const warm = await start();
  print('CPU until ready, warm', seconds(usageOf(warm.pid).cpuSeconds), 'at most 3 s');
  print('wall time until ready, warm', seconds(warm.wallSeconds), 'none');
  print('memory at rest', megabytes(usageOf(warm.pid).megabytes), 'none');
  const { buy } = buyerOf({ apiKey: warm.apiKey, baseUrl: warm.url });
  for (let count = 0; count < PURCHASES; count++) await buy(generateCpf());
  print(`memory after ${PURCHASES} purchases`, megabytes(usageOf(warm.pid).megabytes), 'at most 600 MB');
  print(
    `CPU while idle, after ${SETTLE_SECONDS} s, of a core`,
    `${((await measureIdle(warm)) * 100).toFixed(1)} %`,
    'next to none',
  );
  print('memory after that', megabytes(usageOf(warm.pid).megabytes), 'at most 600 MB');
  await stop(warm);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
