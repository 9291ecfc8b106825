import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Need } from '../functions/domain/ports.ts';

export const KINDS = ['api', 'callbacks', 'steps', 'queues', 'schedules'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * A need: the name of a port in a function's list `needs`. Functions of the sandbox may also need the
 * simulators.
 */
export type AnyNeed = Need | 'simulators';

/**
 * A function: each file with a `handler` becomes one Lambda. The file `steps/settle-stablecoin.ts` becomes
 * `SettleStablecoin`. `file` is present if the source is not at `path` below the root.
 */
export type FunctionSource = {
  id: string;
  kind: Kind;
  path: string;
  needs: readonly AnyNeed[];
  file?: string;
};

/** Finds the functions in the folders of `root`, with the needs that each declares. */
export async function readSources(root: string, kinds: readonly Kind[] = KINDS): Promise<FunctionSource[]> {
  const files = kinds.flatMap((kind) => filesOf(join(root, kind)).map((name) => ({ kind, name })));
  const sources = await Promise.all(files.map(({ kind, name }) => readSource(root, kind, name)));
  return sources.filter((source) => source !== undefined);
}

export const functionIdOf = (name: string) =>
  name.replace(/(^|-)(\w)/g, (_, _dash, letter) => letter.toUpperCase());

function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
}

// Imports the function to read its needs. That is safe, because importing it has no effect and needs no environment.
async function readSource(root: string, kind: Kind, name: string): Promise<FunctionSource | undefined> {
  const path = `${kind}/${name}`;
  const module: unknown = await import(pathToFileURL(join(root, `${path}.ts`)).href);
  const { handler, needs } = module as { handler?: unknown; needs?: readonly AnyNeed[] };
  // A file without a handler is only a part of other functions.
  if (typeof handler !== 'function') return undefined;
  if (!Array.isArray(needs)) throw new Error(`${path}.ts does not export what it needs`);
  return { id: functionIdOf(name.split('/').at(-1) ?? name), kind, path, needs };
}
