import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { PACKAGE } from './packed.ts';

const clientFolder = new URL('../../client/', import.meta.url);

/** The TypeScript examples of a README. */
export function blocksOf(readme: string): string[] {
  return [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block);
}

/** The example of the README that exports `name`, as a module, with `more` below it. */
export async function importExample(name: string, more = '') {
  const blocks = blocksOf(await readFile(new URL('README.md', clientFolder), 'utf8'));
  const block = blocks.find((each) => each.includes(`function ${name}(`));
  if (!block) throw new Error(`The README has no example with ${name}`);
  const { outputFiles } = await build({
    stdin: { contents: `${block}\n${more}`, resolveDir: clientFolder.pathname, loader: 'ts' },
    bundle: true,
    alias: { [PACKAGE]: new URL('exports.ts', clientFolder).pathname },
    format: 'esm',
    write: false,
  });
  const path = join(await mkdtemp(join(tmpdir(), 'onramp-readme-')), 'block.mjs');
  await writeFile(path, outputFiles[0]?.text ?? '');
  return import(/* @vite-ignore */ path);
}
