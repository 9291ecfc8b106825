import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { sandbox } from './sandbox.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

export type Ran = { code: number | null; out: string; err: string };

/** The operations command as operators run it: a process of its own, which finds a sandbox by its outputs. */
export function operations() {
  const folder = mkdtempSync(join(tmpdir(), 'operations-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function write(name: string, content: object): string {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  }

  /** Written once: a command that runs beside another must not read half a file. */
  let outputsFile: string | undefined;
  function writeOutputs(): string {
    const { awsEndpoint: endpoint, region, outputs } = sandbox();
    return write('outputs.json', { OnrampSandbox: outputs, local: { endpoint, region, pid: process.pid } });
  }

  /** What is typed after the command: a line for each question. */
  function ops(args: string[], typed = ''): Promise<Ran> {
    outputsFile ??= writeOutputs();
    return runCommand([...args, '--outputs', outputsFile], typed);
  }

  return { write, ops };
}

export function runCommand(args: string[], typed = ''): Promise<Ran> {
  // Another region and no credentials: whatever the command needs must be in the outputs.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, AWS_REGION: 'eu-nowhere-1' };
  const child = spawn(process.execPath, ['operations/ops.ts', ...args], { cwd: ROOT, env });
  const ran = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    ran.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    ran.err += chunk;
  });
  child.stdin.end(typed);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...ran })));
}
