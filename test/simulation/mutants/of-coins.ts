import type { Mutant } from './mutant.ts';

const COUNT = 'functions/logic/money/count-coins.ts';
const TEST = 'test/functions/count-coins.test.ts';

/** Mistakes in the postings of what came to our wallets and left them. */
export const COIN_MUTANTS: readonly Mutant[] = [
  {
    name: 'delivery counted as missing',
    says: 'the tokens that buyers got are posted twice, as a delivery and as missing',
    test: TEST,
    edits: [
      {
        file: COUNT,
        was: '=> entry.account === `delivered:${coin}`)?.amount;',
        is: '=> !entry)?.amount ?? 0n;',
      },
    ],
  },
  {
    name: 'delivery counted before it is posted',
    says: 'a reading is counted while the posting of a delivery is still to come',
    test: TEST,
    edits: [{ file: COUNT, was: '`)?.amount;\n', is: '`)?.amount ?? 0n;\n' }],
  },
  {
    name: 'tokens posted as the chain’s coin',
    says: 'bought tokens raise the balance of the coin in which gas is paid',
    test: TEST,
    edits: [
      {
        file: 'functions/domain/books/coins.ts',
        was: "move(coin, amount, { debit: `treasury:${coin}`, credit: 'funding' })",
        is: "move('NATIVE', amount, { debit: 'treasury:NATIVE', credit: 'funding' })",
      },
    ],
  },
];
