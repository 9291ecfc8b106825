import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle, type CodeBundle } from '../../infra/bundle.ts';
import { readSandbox } from '../../infra/sandbox.ts';
import { readSources } from '../../infra/sources.ts';

/** Words of the EVM's errors, and the first bytes of our contracts. A minifier keeps both. */
const EVM = /stack underflow/;
const CONTRACT = /60[0-9a-f]{2}604052[0-9a-f]{200}/;
const FUNCTIONS = new URL('../../functions/', import.meta.url).pathname;
/** The simulators without the chain's engine: Hono, the simulators and DynamoDB's client. */
const COLD_START_BYTES = 600 * 1024;

let product: CodeBundle;
let simulators: CodeBundle;

beforeAll(async () => {
  const { root, sources } = await readSandbox();
  product = await bundle(FUNCTIONS, await readSources(FUNCTIONS));
  simulators = await bundle(root, [{ path: 'providers/handler' }, ...sources]);
});

const filesOf = ({ directory }: CodeBundle) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name));
const has = (files: string[], words: RegExp) => files.some((file) => words.test(readFileSync(file, 'utf8')));

/** The file with the files that it imports statically, which a cold start reads. */
function closureOf(file: string, seen: Set<string> = new Set()): string[] {
  if (!seen.has(file)) {
    seen.add(file);
    const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*"(\.[^"]+)"/g);
    for (const [, target = ''] of imports) closureOf(join(dirname(file), target), seen);
  }
  return [...seen];
}

// docs/decisions.md, "The sandbox's endpoints and keys"
describe('the engine of the simulated chain', () => {
  it('is in the bundle of the simulators, and in none of the product', () => {
    expect(has(filesOf(simulators), EVM)).toBe(true);
    expect(has(filesOf(product), EVM)).toBe(false);
  });

  it('is loaded only when a call needs it', () => {
    const cold = closureOf(join(simulators.directory, 'providers/handler.mjs'));

    expect(has(cold, EVM)).toBe(false);
    expect(cold.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(COLD_START_BYTES);
  });

  it('needs no compiler and no contracts, because the seed sends those', () => {
    expect(has(filesOf(simulators), CONTRACT)).toBe(false);
    expect(has(filesOf(simulators), /contracts\.json/)).toBe(false);
  });
});
