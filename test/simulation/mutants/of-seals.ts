import type { Mutant } from './mutant.ts';

const SEALS = 'functions/adapters/chain/payout-seals.ts';
const TERMS = 'functions/domain/purchase/sealed-terms.ts';
const VISITS = 'test/adapters/treasury-seals.test.ts';
const CONTENTS = 'test/adapters/payout-seals.test.ts';

/** Mistakes with the seals of a payout. Only a writer of rows profits by them, and the simulation has none. */
export const SEAL_MUTANTS: readonly Mutant[] = [
  {
    name: 'seals not compared',
    says: 'a payout is sent if it has seals, whatever they name',
    edits: [
      {
        file: SEALS,
        was: '      return areAsSealed({ ...terms, chainId: chain.chainId }, { destination, units });\n',
        is: '      return chain !== undefined;\n',
      },
    ],
    test: VISITS,
  },
  {
    name: 'seals not compared before a signature',
    says: 'the seals are compared before a nonce is taken, and not when the payment is signed',
    edits: [
      {
        file: 'functions/adapters/chain/attempts.ts',
        was: "  if (kind === 'pay' && !(await seals.isAsSealed(settlement))) return holdPayment(visit, settlement, ALTERED);\n",
        is: '',
      },
    ],
    test: VISITS,
  },
  {
    name: 'only the destination compared',
    says: 'the units of a payout may be any',
    edits: [
      {
        file: TERMS,
        was: '    charged.units === String(terms.units) &&\n',
        is: '',
      },
    ],
    test: VISITS,
  },
  {
    name: 'destination not bound to its purchase',
    says: 'the seal of a destination opens in the row of another purchase too',
    edits: [
      {
        file: SEALS,
        was: 'amountCentavos, to, ...locked };\n      return sealer.encrypt(JSON.stringify(sealed), id);\n',
        is: "amountCentavos, to, ...locked };\n      return sealer.encrypt(JSON.stringify(sealed), id && '');\n",
      },
      {
        file: SEALS,
        was: 'destinationOpener, sealedDestination, id)',
        is: "destinationOpener, sealedDestination, '')",
      },
    ],
    test: CONTENTS,
  },
  {
    name: 'locked units not compared',
    says: 'a price that was locked after the opening is a price',
    edits: [
      {
        file: TERMS,
        was: '    charged.amountCentavos === destination.amountCentavos &&\n    destination.lockedUnits === (charged.isLocked ? charged.units : undefined)\n',
        is: '    charged.amountCentavos === destination.amountCentavos\n',
      },
    ],
    test: 'test/functions/sealed-payouts.test.ts',
  },
];
