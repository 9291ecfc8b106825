import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutant } from './mutant.ts';

/** The result of the hunt for one mutant. `worlds` counts the simulated ones, and `row` is that of the table. */
export type Verdict = { isCaught: boolean; worlds: number; row: string };

/** Keeps each verdict in a file, so that a hunt that was broken off can go on. */
export type Verdicts = {
  find(mutant: Mutant): Verdict | undefined;
  keep(mutant: Mutant, verdict: Verdict): void;
};

const FILE = fileURLToPath(new URL('../../../.cache/mutants.json', import.meta.url));

/**
 * The verdicts of hunts with the same options. Without `resumes` there are none at first. A mutant that has changed has
 * no verdict, but a change of the product is not seen.
 */
export function keptVerdicts(
  options: string,
  { resumes, file = FILE }: { resumes: boolean; file?: string },
): Verdicts {
  const kept = resumes ? verdictsIn(file) : {};
  return {
    find: (mutant) => kept[keyOf(mutant, options)],
    keep(mutant, verdict) {
      kept[keyOf(mutant, options)] = verdict;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(kept, null, 2));
    },
  };
}

function verdictsIn(file: string): Record<string, Verdict> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Verdict>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

function keyOf({ name, edits, test }: Mutant, options: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([edits, test, options]))
    .digest('hex');
  return `${name} ${digest.slice(0, 16)}`;
}
