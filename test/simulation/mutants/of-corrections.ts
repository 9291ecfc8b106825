import type { Mutant } from './mutant.ts';

const COMMAND = 'operations/subject-correct.ts';
const TEST = 'test/functions/subject-correct.test.ts';

/** Mistakes in the correction of a client's data. The simulation corrects none. */
export const CORRECTION_MUTANTS: readonly Mutant[] = [
  {
    name: 'corrected token shows its old end',
    says: 'a partner reads that a token is valid that rests on wrong data',
    test: TEST,
    edits: [
      {
        file: 'functions/domain/kyc/correction.ts',
        was: '  return issuedAt < correctedAt ? Math.min(expiresAt, correctedAt) : expiresAt;\n',
        is: '  return issuedAt < correctedAt ? Math.max(expiresAt, correctedAt) : expiresAt;\n',
      },
    ],
  },
  {
    name: 'correction at one partner',
    says: 'a correction ends the tokens of the person at one partner alone',
    test: TEST,
    edits: [
      { file: COMMAND, was: 'for (const id of known) await', is: 'for (const id of known.slice(1)) await' },
    ],
  },
  {
    name: 'correction by the operator’s clock',
    says: 'a clock that is behind leaves the tokens valid that rest on wrong data',
    test: TEST,
    edits: [{ file: COMMAND, was: 'at: Math.max(at, ...instants)', is: 'at' }],
  },
];
