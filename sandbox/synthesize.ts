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
import { CODE_CACHE } from '../operations/code-cache.ts';
import { REGION } from './cloud/wire.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const CACHE = join(ROOT, '.cache', 'assemblies');
/** The files and directories on which the synthesis depends. A change in any of them makes a new assembly. */
const SOURCES = [
  ...['functions', 'infra', 'statemachines', 'sandbox', 'cdk.json', 'package-lock.json'],
  ...['docs/openapi', 'docs/error-notes.ts', 'docs/site.ts'],
];
/**
 * How many assemblies are kept besides the new one, so that a switch to another branch need not synthesize
 * again.
 */
const KEPT = 4;
/**
 * The milliseconds for which an assembly's files count as in use after their last use. A parallel synthesis
 * may still write them, or a running sandbox may still read them.
 */
const IN_USE_MS = 60 * 60_000;

type Options = {
  minuteSeconds: number;
  patience?: number;
  edge?: { sandbox: object };
  console?: { sandbox: object };
};

/**
 * Synthesizes the stage sandbox into a directory, which it returns. With the same sources and options a later
 * call reuses that directory.
 */
export async function synthesize(options: Options): Promise<string> {
  const directory = join(CACHE, digestOf(options));
  if (existsSync(directory)) {
    utimesSync(directory, new Date(), new Date());
    return directory;
  }
  mkdirSync(CACHE, { recursive: true });
  forgetOldest();
  // The assembly is made in a draft directory, which is then renamed. An aborted or parallel synthesis thus
  // leaves no incomplete assembly at the final path.
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  await runSynthesis(draft, options);
  place(draft, directory);
  return directory;
}

function runSynthesis(output: string, options: Options): Promise<void> {
  const context = JSON.stringify({ stage: 'sandbox', region: { sandbox: REGION }, ...options });
  const child = spawn(process.execPath, [join(ROOT, 'infra', 'app.ts')], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: CODE_CACHE,
      CDK_OUTDIR: output,
      CDK_CONTEXT_JSON: context,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`synthesis ended with ${code}`))));
  });
}

function digestOf(options: Options): string {
  const hash = createHash('sha256').update(JSON.stringify(options));
  // Only the console contains code from `operations`. Without a console a change there makes no new assembly.
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
 * The time of a file's last use, in epoch milliseconds. A file that does not exist counts as just used,
 * because a parallel synthesis may have renamed its draft just now.
 */
function usedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}
