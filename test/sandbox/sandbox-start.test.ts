import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { SANDBOX_OUTPUTS } from '../../operations/outputs.ts';
import { balanceOf } from '../../sandbox/chain/deploy.ts';
import { SANDBOX_API_KEY } from '../../sandbox/seed.ts';
import { runCommand } from '../support/operations.ts';
import { eventually } from '../support/sandbox.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const API_KEY = 'sk_sandbox_demo_key7_7777777777777777';
const CLOUD = /^cloud (?<endpoint>http\S+) \(npm run ops -- --help\)$/;
const READY = /^ready (?<url>http\S+) chain (?<rpcUrl>http\S+) key (?<key>\S+) in [\d.]+ s$/;

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

/** Starts `npm start`'s script on free ports, and records its output. */
function start(flag: string, environment: Record<string, string> = {}) {
  const env = { ...process.env, PORT: '0', CHAIN_PORT: '0', ...environment };
  const child = spawn(process.execPath, ['sandbox/start.ts', flag], { cwd: ROOT, env });
  started.push(child);
  const printed = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    printed.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    printed.err += chunk;
  });
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)));
  return { child, printed, ended };
}

/** The ids of all descendants of the process `pid`. */
function descendantsOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const processes = rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
  const below = (parent: number): number[] =>
    processes.flatMap(([id, ppid]) => (ppid === parent ? [id, ...below(id)] : []));
  return below(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });
}

describe.concurrent('node sandbox/start.ts', () => {
  // Spec, What the service does: "production at {base_url}, sandbox at {sandbox_base_url}"
  test('prints one ready line, serves with the given key, and leaves nothing behind', async () => {
    const { child, printed, ended } = start('--minute=1s', { SANDBOX_API_KEY: API_KEY });
    await eventually(
      async () => printed.out,
      (out) => out.includes('ready '),
    );
    const [line, ...rest] = printed.out.split('\n');
    const [cloud] = printed.err.split('\n');
    const { endpoint } = CLOUD.exec(cloud!)!.groups as Record<'endpoint', string>;
    const { url, rpcUrl, key } = READY.exec(line!)!.groups as Record<'url' | 'rpcUrl' | 'key', string>;
    const call = (apiKey: string) => createOnrampClient({ apiKey, baseUrl: url }).sandbox.scenarios();

    const err = `${cloud}\ndocs ${url}/docs\nconsole ${url}/console\n`;
    expect({ key, rest, err: printed.err }).toEqual({ key: API_KEY, rest: [''], err });
    expect(await (await fetch(`${url}/docs`)).text()).toContain(
      '<h1>Your first purchase in ten minutes</h1>',
    );
    expect((await call(API_KEY)).scenarios).toContainEqual({ cpf: '11144477735', forces: 'riskTier HIGH' });
    await expect(call(SANDBOX_API_KEY)).rejects.toMatchObject({ status: 401, code: 'INVALID_API_KEY' });
    expect(await balanceOf(rpcUrl, 'USDC', `0x${'1'.repeat(40)}`)).toBe(0n);
    const listed = await runCommand(['partners', 'list']);
    expect({ code: listed.code, out: listed.out }).toEqual({
      code: 0,
      out: expect.stringMatching(/^demo +ACTIVE/m),
    });
    const children = descendantsOf(child.pid!);
    expect(children.length).toBeGreaterThan(0);

    child.kill('SIGINT');

    expect(await ended).toBe(0);
    expect(printed).toEqual({ out: `${line}\n`, err });
    await eventually(
      async () => children.filter(isAlive),
      (alive) => alive.length === 0,
    );
    expect(await Promise.all([url, rpcUrl, endpoint].map(isListening))).toEqual([false, false, false]);
    const left = existsSync(SANDBOX_OUTPUTS) ? readFileSync(SANDBOX_OUTPUTS, 'utf8') : '';
    expect(left).not.toContain(endpoint);
  });

  test.each(['--minute=soon', '--minute=0s', '--minute=60'])('refuses %s', async (flag) => {
    const { printed, ended } = start(flag);

    expect(await ended).toBe(2);
    expect(printed.out).toBe('');
    expect(printed.err).toMatch(/^--minute is .* 60s or 1s\n$/);
  });
});

// Not beside the others: each sandbox that starts writes the outputs of `npm run ops`.
describe('npm start', () => {
  test('ends when npm is ended', async () => {
    const env = { ...process.env, PORT: '0', CHAIN_PORT: '0', CLOUD_PORT: '0' };
    const npm = spawn('npm', ['start'], { cwd: ROOT, env });
    started.push(npm);
    const ready = new Promise((resolve) =>
      npm.stdout.on('data', (chunk) => `${chunk}`.includes('ready ') && resolve(1)),
    );
    await ready;
    const children = descendantsOf(npm.pid!);

    npm.kill('SIGTERM');

    await eventually(
      async () => children.filter(isAlive),
      (alive) => alive.length === 0,
    );
  });
});
