import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { sandbox } from './sandbox.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

/** A whole input, or a person who reads each question before the answer. */
export type Typed = string | ((question: string) => Promise<string>);
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

  /** @param typed the input of the operator, one line for each question, or who answers the questions */
  function ops(args: string[], typed: Typed = ''): Promise<Ran> {
    outputsFile ??= writeOutputs();
    return runCommand([...args, '--outputs', outputsFile], typed);
  }

  return { write, ops };
}

/** @param options those of Node */
export function runCommand(args: string[], typed: Typed = '', options: string[] = []): Promise<Ran> {
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
  if (typeof typed === 'string') child.stdin.end(typed);
  else answerAll(child, typed);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...ran })));
}

/** A question is the only text on the standard error that does not end its line. */
function answerAll(
  { stderr, stdin }: ChildProcessWithoutNullStreams,
  answer: (question: string) => Promise<string>,
) {
  let asked = '';
  stderr.on('data', async (chunk) => {
    asked += chunk;
    if (asked.endsWith('\n')) return;
    const question = asked.slice(asked.lastIndexOf('\n') + 1);
    asked = '';
    stdin.write(`${await answer(question)}\n`);
  });
}
