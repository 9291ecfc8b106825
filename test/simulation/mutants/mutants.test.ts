import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { edited, type Mutant } from './mutant.ts';
import { MUTANTS, mutatedSources } from './tree.ts';
import { keptVerdicts } from './verdicts.ts';

// These tests do not hunt the mutants. `npm run simulate:mutants` does; it takes minutes.
describe('a mutant', () => {
  it.each(MUTANTS.map(({ name, edits }) => [name, edits] as const))(
    '"%s" is up to date: the text that it replaces is in the sources once',
    (_, edits) => {
      const sources = mutatedSources(edits);

      expect([...sources.keys()].sort()).toEqual([...new Set(edits.map(({ file }) => file))].sort());
      for (const [file, text] of sources)
        if (file.endsWith('.json')) expect(() => JSON.parse(text), file).not.toThrow();
    },
  );

  it('whose text is missing, or occurs twice, throws', () => {
    const edit = { was: 'a', is: 'b' };

    expect(edited('-a-', [edit], 'file')).toBe('-b-');
    expect(() => edited('-', [edit], 'file')).toThrow('is there 0 times');
    expect(() => edited('aa', [edit], 'file')).toThrow('is there 2 times');
  });

  it('has a name of its own', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  });
});

describe('a verdict', () => {
  const mutant: Mutant = { name: 'a bug', says: 'x', edits: [{ file: 'a.ts', was: 'a', is: 'b' }] };
  const verdict = { isCaught: true, worlds: 1, row: '| a bug |' };

  it('is found by a hunt that goes on, for the same mutant and options', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'verdicts-')), 'mutants.json');
    keptVerdicts('seed 1', { resumes: false, file }).keep(mutant, verdict);

    const found = (options: string, of = mutant, resumes = true) =>
      keptVerdicts(options, { resumes, file }).find(of);
    expect(found('seed 1')).toEqual(verdict);
    expect(found('seed 2')).toBeUndefined();
    expect(found('seed 1', { ...mutant, edits: [] })).toBeUndefined();
    expect(found('seed 1', mutant, false)).toBeUndefined();
  });
});
