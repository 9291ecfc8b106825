import type { Mutant } from './mutant.ts';

const USAGES = 'functions/adapters/dynamodb/usages.ts';
const CLAIM = 'functions/logic/purchase/claim-charge.ts';
const LIMITS = 'functions/domain/purchase/charge-limits.ts';
const USAGE = 'functions/domain/purchase/usage.ts';
const CHARGE = 'functions/logic/purchase/issue-charge.ts';
const STANDING = 'test/functions/charge-standing.test.ts';
const FLOATS = 'functions/adapters/dynamodb/reservations.ts';
const COVER = 'functions/domain/treasury/refund-cover.ts';
const OF_MEDS = 'test/functions/reconcile-med.test.ts';
const EVERYWHERE = 'roomFor(chargeLimits.everywhere, amountCentavos)';

/** Mistakes in the limits of clients, in blocks, in the cover of refunds, and in the ceiling of payouts. */
export const LIMIT_MUTANTS: readonly Mutant[] = [
  ...(['day', 'month', 'year'] as const).map((period) => ({
    name: `sum of the ${period} not bounded`,
    says: `no cap bounds what is claimed within a ${period}`,
    edits: [{ file: USAGE, was: `${period}: roomOf('${period}')`, is: `${period}: 10 ** 15` }],
  })),
  {
    name: 'limits of another day',
    says: 'the limits of a day begin anew at midnight of UTC',
    test: 'test/functions/limits-at-midnight.test.ts',
    edits: [
      {
        file: CLAIM,
        was: '  day: dayInBrasilia(clock.now()),\n  person,\n',
        is: '  day: new Date(clock.now()).toISOString().slice(0, 10),\n  person,\n',
      },
    ],
  },
  {
    name: 'open charges not bounded',
    says: 'the number of open charges is only looked at when a purchase is opened',
    test: 'test/functions/charge-limits.test.ts',
    edits: [{ file: USAGES, was: '{ ...charge, most: openCharges - 1 }', is: 'charge' }],
  },
  {
    name: 'purchase not bounded',
    says: 'one purchase may be of any amount',
    edits: [
      { file: USAGE, was: 'amountCentavos > caps.purchaseBrl * 100 ? undefined : roomFor', is: 'roomFor' },
      { file: USAGE, was: '...roomIn(purchaseBrl, 0)', is: '...roomIn(purchaseBrl, -(10 ** 15))' },
    ],
  },
  {
    name: 'caps of a client ignored',
    says: 'the caps that operators changed for a client are not read',
    edits: [{ file: LIMITS, was: ', ...client.limits }', is: ' }' }],
  },
  {
    name: 'caps of a partner ignored',
    says: 'the caps that operators changed for the tiers of a partner are not read',
    test: 'test/domain/charge-limits.test.ts',
    edits: [{ file: LIMITS, was: ', ...partner.limits?.[riskTier]', is: '' }],
  },
  {
    name: 'person not bounded',
    says: 'a person may buy as much at each partner',
    edits: [{ file: CLAIM, was: EVERYWHERE, is: '{ day: 10 ** 15, month: 10 ** 15, year: 10 ** 15 }' }],
  },
  {
    name: 'person not counted',
    says: 'the sums of a person at all partners stay at zero',
    edits: [
      {
        file: USAGES,
        was: '    ...sumChanges(tables.usages, { owner: person, day, centavos, room: room.person }),\n',
        is: '',
      },
    ],
  },
  {
    name: 'caps of the first days ignored',
    says: 'the caps of the first days of a client are not applied',
    test: 'test/domain/charge-limits.test.ts',
    edits: [{ file: LIMITS, was: '    [client.createdAt, limits.firstDays],\n', is: '' }],
  },
  {
    name: 'caps after a MED ignored',
    says: 'the caps after a payment was taken back are not applied',
    test: 'test/domain/charge-limits.test.ts',
    edits: [{ file: LIMITS, was: '    [client.medAt, limits.afterMed],\n', is: '' }],
  },
  {
    name: 'block ignored at the charge',
    says: 'a person who was blocked since the purchase began gets a charge',
    edits: [{ file: CHARGE, was: '  requireWelcome(!facts.isBlocked);\n', is: '' }],
  },
  {
    name: 'block ignored when a purchase begins',
    says: 'a blocked person opens purchases',
    edits: [
      {
        file: 'functions/api/initiate-transaction.ts',
        was: '  requireWelcome(!isBlocked);\n',
        is: '',
      },
    ],
  },
  {
    name: 'block ignored once paid',
    says: 'a blocked person who has paid gets the tokens',
    edits: [
      {
        file: 'functions/logic/purchase/still-clear.ts',
        was: '  if (block) return refuseBlocked({ purchase, block, decidedBy }, ports);\n',
        is: '',
      },
      {
        file: 'functions/logic/purchase/client-refused.ts',
        was: "  return isBlocked ? 'KYC_REJECTED' : undefined;\n",
        is: '  return undefined;\n',
      },
    ],
  },
  {
    name: 'raised tier ignored at the charge',
    says: 'a client whose tier was raised since the purchase began answers by a code',
    test: STANDING,
    edits: [
      {
        file: CHARGE,
        was: 'requireByCode(challengeFor(riskTier, client, facts.hasOpenMed))',
        is: "requireByCode(challengeFor('STANDARD', client, facts.hasOpenMed))",
      },
    ],
  },
  {
    name: 'open MED ignored when a purchase begins',
    says: 'a person whose payment was taken back at another partner is asked for a code',
    test: 'test/functions/med-news.test.ts',
    edits: [
      {
        file: 'functions/api/initiate-transaction.ts',
        was: 'challengeFor(riskTier, client, hasOpenMed)',
        is: 'challengeFor(riskTier, client)',
      },
    ],
  },
  {
    name: 'open MED ignored at the charge',
    says: 'a person whose payment was taken back at another partner answers by a code',
    test: STANDING,
    edits: [
      {
        file: CHARGE,
        was: 'requireByCode(challengeFor(riskTier, client, facts.hasOpenMed))',
        is: 'requireByCode(challengeFor(riskTier, client))',
      },
    ],
  },
  {
    name: 'caps of the opening',
    says: 'the caps are those of the tier when the purchase began',
    test: STANDING,
    edits: [
      {
        file: CHARGE,
        was: 'const claimant = { riskTier, client,',
        is: 'const claimant = { riskTier: transaction.riskTier, client,',
      },
    ],
  },
  {
    name: 'block of a MED ignored at the charge',
    says: 'a client whose payment was taken back gets further charges',
    test: OF_MEDS,
    edits: [{ file: CHARGE, was: '  requireNotBlocked(client);\n', is: '' }],
  },
  {
    name: 'block of a MED ignored when a purchase begins',
    says: 'a client whose payment was taken back opens further purchases',
    test: OF_MEDS,
    edits: [{ file: 'functions/api/initiate-transaction.ts', was: '  requireNotBlocked(client);\n', is: '' }],
  },
  {
    name: 'block explained',
    says: 'the refusal tells a partner what its client did elsewhere',
    edits: [
      {
        file: 'functions/domain/kyc/client.ts',
        was: "refuse('CLIENT_BLOCKED')",
        is: "refuse('CLIENT_BLOCKED', { reason: 'FRAUD' })",
      },
    ],
  },
  {
    name: 'refunds not covered, and sold on',
    says: 'tokens are reserved although the account cannot pay the refunds',
    edits: [{ file: FLOATS, was: ' AND attribute_not_exists(shortfall)', is: '' }],
  },
  {
    name: 'returns not covered',
    says: 'only the refunds of purchases are owed, and no unmatched payment',
    test: 'test/functions/refund-cover.test.ts',
    edits: [{ file: COVER, was: '[...refunds, ...returns].reduce', is: '[...refunds].reduce' }],
  },
  {
    name: 'pause for refunds never ends',
    says: 'an account that covers the refunds again ends no pause',
    edits: [
      {
        file: 'functions/logic/money/refund-cover.ts',
        was: '  await noteShortfall(shortfall, ports);\n',
        is: '  if (shortfall) await noteShortfall(shortfall, ports);\n',
      },
    ],
  },
  {
    name: 'room of the float ignored',
    says: 'charges reserve more tokens than the treasury has',
    test: 'test/adapters/float-reservations.test.ts',
    edits: [{ file: FLOATS, was: "'room >= :more AND largest", is: "'largest" }],
  },
  {
    name: 'reservation for each request',
    says: 'a repeated request reserves the tokens of its purchase again',
    test: 'test/adapters/dynamodb-floats.test.ts',
    edits: [
      {
        file: FLOATS,
        was: '{ Put: { ...putNew(tables.reservations, row), ConditionExpression } }',
        is: '{ Put: { TableName: tables.reservations, Item: row } }',
      },
    ],
  },
  {
    name: 'ceiling of a wallet ignored',
    says: 'a wallet may hold any number of tokens, and nobody is called',
    test: 'test/functions/read-treasury-float.test.ts',
    edits: [
      {
        file: 'functions/domain/treasury/liquidity.ts',
        was: 'units[asset] > most).length',
        is: 'units[asset] > 10n * most).length',
      },
    ],
  },
  {
    name: 'policy of a signing key not watched',
    says: 'somebody lets themselves sign with a key of the treasury, and nobody is called',
    test: 'test/infra/key-watch.test.ts',
    edits: [{ file: 'infra/key-watch.ts', was: "  'PutKeyPolicy',\n", is: '' }],
  },
  {
    name: 'signature by others not watched',
    says: 'somebody with a session of another role signs with a key of the treasury, and nobody is called',
    test: 'test/infra/key-watch.test.ts',
    edits: [{ file: 'infra/key-watch.ts', was: "    issuedBy({ 'anything-but': [roleArn] }),\n", is: '' }],
  },
  {
    name: 'ceiling ignored',
    says: 'the hour is counted, and a payment gets its nonce whatever the sum is',
    edits: [
      {
        file: 'functions/adapters/chain/claim.ts',
        was: "  if (paidIn(window) > ceilingOf(asset, floatLimits[asset], window)) return { hold: 'hourly ceiling' };\n",
        is: '',
      },
    ],
  },
];
