import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { place } from '../infra/place.ts';
import { REGION } from './cloud/wire.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const CACHE = join(ROOT, '.cache', 'assemblies');
/** The sources of the assembly. A change in any of them makes a new assembly. */
const SOURCES = [
  ...['functions', 'infra', 'statemachines', 'sandbox', 'cdk.json', 'package-lock.json'],
  ...['docs/openapi', 'docs/error-notes.ts', 'docs/site.ts'],
];
/** How many earlier assemblies are kept, so that switching between branches stays quick. */
const KEPT = 4;
/**
 * Files used within this time may still be in use, such as the draft of a parallel synthesis or the code of a running
 * sandbox.
 */
const IN_USE_MS = 60 * 60_000;

type Options = {
  minuteSeconds: number;
  patience?: number;
  edge?: { sandbox: object };
  console?: { sandbox: object };
};

/**
 * Makes the directory of the synthesized stage sandbox. The same sources and options give the same directory, which
 * later calls reuse.
 */
export async function synthesize(options: Options): Promise<string> {
  const directory = join(CACHE, digestOf(options));
  if (existsSync(directory)) {
    utimesSync(directory, new Date(), new Date());
    return directory;
  }
  mkdirSync(CACHE, { recursive: true });
  forgetOldest();
  // Made in another folder and then renamed, so that an aborted or parallel synthesis leaves no half assembly.
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  await runSynthesis(draft, options);
  place(draft, directory);
  return directory;
}

function runSynthesis(output: string, options: Options): Promise<void> {
  const context = JSON.stringify({ stage: 'sandbox', region: { sandbox: REGION }, ...options });
  const child = spawn(process.execPath, [join(ROOT, 'infra', 'app.ts')], {
    cwd: ROOT,
    env: { ...process.env, CDK_OUTDIR: output, CDK_CONTEXT_JSON: context },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`synthesis ended with ${code}`))));
  });
}

function digestOf(options: Options): string {
  const hash = createHash('sha256').update(JSON.stringify(options));
  // Only the console contains code of the operators' command. Without a console `operations` is therefore no
  // source.
  const sources = options.console ? [...SOURCES, 'operations'] : SOURCES;
  for (const source of sources) {
    for (const file of filesOf(join(ROOT, source))) hash.update(file).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 32);
}

function filesOf(path: string): string[] {
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch {
    return [path];
  }
}

function forgetOldest(): void {
  const unused = readdirSync(CACHE)
    .map((name) => ({ path: join(CACHE, name), usedAt: usedAt(join(CACHE, name)) }))
    .sort((a, b) => b.usedAt - a.usedAt)
    .slice(KEPT)
    .filter(({ usedAt }) => usedAt < Date.now() - IN_USE_MS);
  for (const { path } of unused) rmSync(path, { recursive: true, force: true });
}

/**
 * When the file was last used. A parallel synthesis may rename its draft during this look, so a missing file counts as
 * just used.
 */
function usedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}
