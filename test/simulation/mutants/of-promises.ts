import type { Mutant } from './mutant.ts';

const PROMISE = 'functions/domain/purchase/open-promise.ts';
const STORE = 'functions/adapters/dynamodb/promises.ts';
const NAMES = 'const names = { client: clientId, wallet: walletAddress, partner: partnerId, asset };';

/** Mistakes in the bound of open promises. */
export const PROMISE_MUTANTS: readonly Mutant[] = [
  ...(['client: clientId', 'wallet: walletAddress', 'partner: partnerId', 'asset'] as const).map((name) => ({
    name: `promises of no ${name.split(':')[0]}`,
    says: `the open promises of one ${name.split(':')[0]} are not added up`,
    edits: [
      { file: PROMISE, was: NAMES, is: NAMES.replace(new RegExp(`,? ${name}`), '').replace('{,', '{') },
    ],
  })),
  {
    name: 'promise not opened',
    says: 'a charge without a quote is no promise',
    edits: [
      {
        file: 'functions/logic/purchase/take-charge.ts',
        was: '  await ports.promises.open(chargePromiseOf(claimed), promiseTerms(ports));\n',
        is: '  if (claimed.rateLock) await ports.promises.open(chargePromiseOf(claimed), promiseTerms(ports));\n',
      },
      {
        file: 'functions/adapters/dynamodb/charges.ts',
        was: '...claimsOf(claim, tables), ...opened, ...taken]',
        is: '...claimsOf(claim, tables), ...(promise.rateLock ? opened : []), ...taken]',
      },
    ],
  },
  {
    name: 'unused quotes not counted',
    says: 'a quote is a promise only once it is charged',
    edits: [
      {
        file: 'functions/adapters/dynamodb/quotes.ts',
        was: 'sums: sumsOfPromise(quote) }',
        is: 'sums: [] }',
      },
    ],
  },
  {
    name: 'room for one promise too many',
    says: 'a sum that has reached its limit takes one more promise',
    edits: [
      {
        file: STORE,
        was: '* 100 - centavos;',
        is: '* 100 - Math.min(centavos, 1_000_00);',
      },
    ],
  },
  {
    name: 'promise never released',
    says: 'a charge that was paid or has ended remains a promise',
    edits: [
      {
        file: PROMISE,
        was: 'return purchase === undefined || !STATUSES[purchase.status].chargeMayBeOpen;',
        is: 'return purchase === undefined;',
      },
    ],
  },
  {
    name: 'charge that can be paid for two hours',
    says: 'a charge keeps its price for two hours, and the market moves for four times as long',
    edits: [
      {
        file: 'functions/domain/purchase/transaction.ts',
        was: 'export const PIX_WINDOW_MINUTES = 30;',
        is: 'export const PIX_WINDOW_MINUTES = 120;',
      },
    ],
  },
  {
    name: 'promise released twice',
    says: 'a promise that was released gives back its amount again',
    test: 'test/adapters/open-promises.test.ts',
    edits: [
      {
        file: STORE,
        was: "    ConditionExpression: 'attribute_exists(heldKey)',\n",
        is: "    ConditionExpression: 'attribute_exists(id)',\n",
      },
    ],
  },
  {
    name: 'sum that DynamoDB forgets',
    says: 'the sum of open promises has a time to live, and is gone before they end',
    test: 'test/adapters/open-promises.test.ts',
    edits: [{ file: STORE, was: '=== amountCentavos;', is: '>= amountCentavos;' }],
  },
  {
    name: 'promise of a used quote kept',
    says: 'the promise of a quote goes on beside that of its charge',
    edits: [
      {
        file: STORE,
        was: 'rateLock ? [ending(table, rateLock.quoteId, now)] : []',
        is: '[]',
      },
    ],
  },
  {
    name: 'promise released while its quote is used',
    says: 'a quote that is used is over, although its purchase waits for the code',
    edits: [
      {
        file: PROMISE,
        was: '  if (usedBy === undefined) return false;\n',
        is: "  if (usedBy === undefined) return false;\n  if (purchase?.status === 'AWAITING_MFA') return true;\n",
      },
    ],
  },
];
