import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Edit, edited, type Mutant } from './mutant.ts';
import { ACCESS_MUTANTS } from './of-access.ts';
import { COIN_MUTANTS } from './of-coins.ts';
import { CORRECTION_MUTANTS } from './of-corrections.ts';
import { LIMIT_MUTANTS } from './of-limits.ts';
import { PRICE_MUTANTS } from './of-prices.ts';
import { PROMISE_MUTANTS } from './of-promises.ts';
import { PURCHASE_MUTANTS } from './of-purchases.ts';
import { QUOTA_MUTANTS } from './of-quotas.ts';
import { SEAL_MUTANTS } from './of-seals.ts';
import { SETTLEMENT_MUTANTS } from './of-settlement.ts';

export const MUTANTS: readonly Mutant[] = [
  ...SETTLEMENT_MUTANTS,
  ...PURCHASE_MUTANTS,
  ...PRICE_MUTANTS,
  ...PROMISE_MUTANTS,
  ...LIMIT_MUTANTS,
  ...QUOTA_MUTANTS,
  ...SEAL_MUTANTS,
  ...ACCESS_MUTANTS,
  ...CORRECTION_MUTANTS,
  ...COIN_MUTANTS,
];

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Folders that tools make or that the simulation does not need. */
const LEFT_OUT = ['.git', '.cache', 'node_modules', 'dist', 'cdk.out', 'benchmarks'];

/** Copies the project, makes the edits in the copy, and deletes the copy after `work`. */
export async function inCopy<Answer>(
  edits: readonly Edit[],
  work: (folder: string) => Promise<Answer>,
): Promise<Answer> {
  const folder = mkdtempSync(join(tmpdir(), 'mutant-'));
  try {
    for (const part of readdirSync(ROOT).filter((name) => !LEFT_OUT.includes(name)))
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const [file, text] of mutatedSources(edits)) writeFileSync(join(folder, file), text);
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The sources that the edits change, with the changes. */
export function mutatedSources(edits: readonly Edit[]): Map<string, string> {
  const sources = new Map<string, string>();
  for (const { file, ...edit } of edits) {
    const source = sources.get(file) ?? readFileSync(join(ROOT, file), 'utf8');
    sources.set(file, edited(source, [edit], file));
  }
  return sources;
}
