import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type OutputChunk } from 'rolldown';
import { builtinsUnread } from './builtins.ts';
import { CHUNKS } from './chunks.ts';
import { keccakAlone, schemasInterpreted, schemasUnwritten } from './narrow-imports.ts';
import { place } from './place.ts';

/** A directory that can be deployed. `hash` changes whenever its content does. */
export type CodeBundle = { directory: string; hash: string };

/**
 * One entry point. `path` is its place in the bundle, without an extension. Its source is `file`, or otherwise the
 * `.ts` file at `path` below the root.
 */
export type Entry = { path: string; file?: string };

const CACHE = new URL('../.cache/bundles/', import.meta.url).pathname;

const KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * Bundles all functions of `root` together, so that they share the files of `CHUNKS`. A module that is imported lazily
 * is in another file than its importer. A cold start therefore reads little besides the modules that its function uses.
 */
export async function bundle(root: string, entries: readonly Entry[]): Promise<CodeBundle> {
  const { output } = await build({
    input: Object.fromEntries(entries.map(({ path, file }) => [path, file ?? join(root, `${path}.ts`)])),
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    transform: { target: 'node24' },
    // A file may export more than its handler, so that a module that others share need not move to a file of its own.
    preserveEntrySignatures: 'allow-extension',
    plugins: [builtinsUnread, keccakAlone, schemasInterpreted, schemasUnwritten],
    // A page of the console imports a command at once, and the list of commands imports it lazily.
    onwarn: ({ code, message = '' }) => {
      if (code !== 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(message);
    },
    write: false,
    output: {
      format: 'esm',
      minify: true,
      comments: false,
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      codeSplitting: { groups: CHUNKS },
    },
  });
  return storeBundle(output.filter((file) => file.type === 'chunk'));
}

// The bundle is written to a draft directory and then renamed, so that a CDK synthesis at the same time never
// reads half a bundle.
function storeBundle(files: OutputChunk[]): CodeBundle {
  const hash = hashOf(files);
  const directory = join(CACHE, hash);
  if (existsSync(directory)) return { directory, hash };
  mkdirSync(CACHE, { recursive: true });
  forgetOld();
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  for (const file of files) {
    const target = join(draft, file.fileName);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, file.code);
  }
  place(draft, directory);
  return { directory, hash };
}

// Removes bundles older than `KEPT_MS`. A bundle is needed only for a short time, because a CDK synthesis
// copies it.
function forgetOld(): void {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    // Another synthesis may have renamed this draft since the directory was listed.
    const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - madeAt > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** Makes a bundle of the same code with a copy of the sanctions lists below `lists/`. */
export function bundleWithLists(code: CodeBundle, lists: string): CodeBundle {
  // `current.json` contains the digest of the index, so a change of any file changes `current.json`.
  const publication = readFileSync(join(lists, 'current.json'));
  return extended(code, publication, (draft) => cpSync(lists, join(draft, 'lists'), { recursive: true }));
}

/** Makes a bundle of the same code with these files below `site/`. */
export function bundleWithSite(code: CodeBundle, files: Readonly<Record<string, string>>): CodeBundle {
  return extended(code, JSON.stringify(files), (draft) => {
    mkdirSync(join(draft, 'site'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(draft, 'site', name), text);
  });
}

/**
 * Makes a bundle with further files, which `add` writes. `content` must change whenever these files do, because the
 * bundle's hash is computed from it.
 */
function extended(code: CodeBundle, content: string | Buffer, add: (draft: string) => void): CodeBundle {
  const hash = createHash('sha256').update(code.hash).update(content).digest('hex');
  const directory = join(CACHE, hash);
  if (existsSync(directory)) return { directory, hash };
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  cpSync(code.directory, draft, { recursive: true });
  add(draft);
  place(draft, directory);
  return { directory, hash };
}

function hashOf(files: OutputChunk[]): string {
  const hash = createHash('sha256');
  for (const { fileName, code } of files) hash.update(fileName).update('\0').update(code);
  return hash.digest('hex');
}
