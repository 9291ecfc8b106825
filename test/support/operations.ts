import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { PolicyChanges } from '../../functions/domain/acts/act-policy.ts';
import { sandbox } from './sandbox.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

/** The operator's input: the whole text, or a function that answers each question. */
export type Typed = string | ((question: string) => Promise<string>);
export type Ran = { code: number | null; out: string; err: string };

/**
 * Runs the operations command as operators do: in its own process, which finds the sandbox by its outputs file.
 * `operators` are the rules about who may do what.
 */
export function operations(operators?: PolicyChanges) {
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
    const stack = { ...outputs, ...(operators && { Operators: JSON.stringify(operators) }) };
    return write('outputs.json', { OnrampSandbox: stack, local: { endpoint, region, pid: process.pid } });
  }

  /** The command of one operator. `typed` is the input, one line for each question, or who answers. */
  function opsAs(name: string) {
    return (args: string[], typed: Typed = ''): Promise<Ran> => {
      outputsFile ??= writeOutputs();
      return runCommand([...args, '--outputs', outputsFile], typed, { name });
    };
  }

  return { write, opsAs, ops: opsAs('ana@onramp.example') };
}

type Running = { script?: string; options?: string[]; name?: string };

/** `options` are those of Node, and `name` is the operator. */
export function runCommand(
  args: string[],
  typed: Typed = '',
  { script = 'operations/ops.ts', options = [], name = 'ana@onramp.example' }: Running = {},
): Promise<Ran> {
  // The region is wrong and credentials are absent, so that the command must take everything from the outputs.
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, AWS_REGION: 'eu-nowhere-1', SANDBOX_OPERATOR: name };
  const child = spawn(process.execPath, [...options, script, ...args], { cwd: ROOT, env });
  const ran = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    ran.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    ran.err += chunk;
  });
  const ended = new Promise<Ran>((resolve) => child.once('close', (code) => resolve({ code, ...ran })));
  if (typeof typed !== 'string') return Promise.race([answerAll(child, typed), ended]);
  child.stdin.end(typed);
  return ended;
}

/**
 * A question is the only text on the standard error that does not end its line. It ends with a space. Rejects, and ends
 * the command, if the person cannot answer.
 */
function answerAll(
  child: ChildProcessWithoutNullStreams,
  answer: (question: string) => Promise<string>,
): Promise<never> {
  return new Promise((_, reject) => {
    let asked = '';
    const reply = async (question: string) => child.stdin.write(`${await answer(question)}\n`);
    child.stderr.on('data', (chunk) => {
      asked += chunk;
      if (!asked.endsWith(' ')) return;
      const question = asked.slice(asked.lastIndexOf('\n') + 1);
      asked = '';
      reply(question).catch((error: unknown) => {
        child.kill();
        reject(error);
      });
    });
  });
}
