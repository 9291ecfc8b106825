import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { sandbox } from './sandbox.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

export type Ran = { code: number | null; out: string; err: string };

/** Runs the operations command as operators do: in its own process, which finds the sandbox by its outputs file. */
export function operations() {
  const folder = mkdtempSync(join(tmpdir(), 'operations-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function write(name: string, content: object): string {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  }

  /** Written only once, because a command that runs at the same time must not read half a file. */
  let outputsFile: string | undefined;
  function writeOutputs(): string {
    const { awsEndpoint: endpoint, region, outputs } = sandbox();
    return write('outputs.json', { OnrampSandbox: outputs, local: { endpoint, region, pid: process.pid } });
  }

  /** `typed` is the input of the operator, one line for each question. */
  function ops(args: string[], typed = ''): Promise<Ran> {
    outputsFile ??= writeOutputs();
    return runCommand([...args, '--outputs', outputsFile], typed);
  }

  return { write, ops };
}

/** @param options those of Node */
export function runCommand(args: string[], typed = '', options: string[] = []): Promise<Ran> {
  // The region is wrong and credentials are absent, so that the command must take everything from the outputs.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, AWS_REGION: 'eu-nowhere-1' };
  const child = spawn(process.execPath, [...options, 'operations/ops.ts', ...args], { cwd: ROOT, env });
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
