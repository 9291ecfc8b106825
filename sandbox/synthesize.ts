import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('..', import.meta.url).pathname;
const CACHE = join(ROOT, '.cache', 'assemblies');
/** All that the assembly is made of; a change anywhere here makes another. */
const SOURCES = ['functions', 'infra', 'statemachines', 'sandbox', 'cdk.json', 'package-lock.json'];
/** Assemblies of earlier sources that are kept: going back and forth between branches stays quick. */
const KEPT = 4;

/** The directory of the synthesized sandbox stage, made once per content of its sources. */
export async function synthesize(options: { minuteSeconds: number }): Promise<string> {
  const directory = join(CACHE, digestOf(options));
  if (existsSync(directory)) return directory;
  mkdirSync(CACHE, { recursive: true });
  forgetOldest();
  // Made aside and renamed: a boot that is broken off, or a twin, leaves no half assembly.
  const draft = mkdtempSync(join(CACHE, 'draft-'));
  await runSynthesis(draft, options.minuteSeconds);
  if (existsSync(directory)) rmSync(draft, { recursive: true });
  else renameSync(draft, directory);
  return directory;
}

function runSynthesis(output: string, minuteSeconds: number): Promise<void> {
  const context = JSON.stringify({ stage: 'sandbox', minuteSeconds });
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

function digestOf(options: object): string {
  const hash = createHash('sha256').update(JSON.stringify(options));
  for (const source of SOURCES) {
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
  const names = readdirSync(CACHE, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of names.slice(0, Math.max(0, names.length - KEPT))) {
    rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}
