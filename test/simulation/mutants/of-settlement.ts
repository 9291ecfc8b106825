import type { Mutant } from './mutant.ts';

const WATCH = 'functions/adapters/chain/watch.ts';
const BOOK = 'functions/adapters/dynamodb/settlement-book.ts';
const ATTEMPTS = 'functions/adapters/chain/attempts.ts';
const RULES = 'functions/domain/treasury/verdict.ts';
const FOREIGN = 'functions/adapters/chain/foreign-use.ts';
const STORE = 'functions/adapters/dynamodb/transactions.ts';
const MACHINE = 'statemachines/onramp.asl.json';

/** Mistakes in the settlement of a payment. The first four are designs that other systems use. */
export const SETTLEMENT_MUTANTS: readonly Mutant[] = [
  {
    name: 'resend on time-out',
    says: 'the naive design: what is not mined soon is signed anew, with the next nonce',
    edits: [
      {
        file: RULES,
        was: "  if (now - settlement.lastCastAt < RECAST_AFTER_MS) return 'WAIT';\n",
        is: "  if (now - settlement.lastCastAt < RECAST_AFTER_MS) return 'WAIT';\n  if (settlement.casts > 0) return 'FAIL';\n",
      },
    ],
  },
  {
    name: 'nonce recycled on a send error',
    says: 'a counter of our own; whoever could not send gives the nonce back to the next',
    edits: [
      {
        file: ATTEMPTS,
        was: 'import { holdPayment,',
        is: 'import { failTry, holdPayment,',
      },
      {
        file: ATTEMPTS,
        was: '  const sent = { at: clock.now(), hint };\n',
        is: "  const sent = { at: clock.now(), hint };\n  await book.noteCast(settlement, sent);\n  if (hint !== 'accepted' && !/already known/i.test(hint)) return failTry(visit, settlement, { reason: 'OUTAGE' });\n",
      },
      {
        file: BOOK,
        was: '[closeSlot(tables, was, { reason, ...gasInSlot(gas) }), releasePurchase(tables, was)]',
        is: `[
              {
                Delete: {
                  TableName: tables.settlementsTable,
                  Key: { id: slotKeyOf(tables.chainId, was.wallet, was.nonce) },
                },
              },
              {
                Update: {
                  TableName: tables.settlementsTable,
                  Key: { id: walletKeyOf(tables.chainId, was.wallet) },
                  UpdateExpression: 'SET #next = :nonce',
                  ExpressionAttributeNames: { '#next': 'next' },
                  ExpressionAttributeValues: { ':nonce': was.nonce },
                },
              },
              releasePurchase(tables, was),
            ]`,
      },
    ],
  },
  {
    name: 'new nonce on doubt',
    says: 'requeued when the nonce is used and no receipt is seen, which a node that lags shows too',
    edits: [
      {
        file: RULES,
        was: "  if (!mined) return at.isNonceUsed ? 'WAIT' : judgeSilence(settlement, at.now);",
        is: "  if (!mined) return at.isNonceUsed ? 'FAIL' : judgeSilence(settlement, at.now);",
      },
    ],
  },
  {
    name: 'broadcast before write',
    says: 'the bytes are sent, and stored afterwards',
    edits: [
      {
        file: ATTEMPTS,
        was: '  const isStored = await book.addAttempt(settlement, attempt);\n',
        is: '  await rpc.broadcast(attempt.raw);\n  const isStored = await book.addAttempt(settlement, attempt);\n',
      },
    ],
  },
  {
    name: 'refund before cancel',
    says: 'the refund is claimed whether or not a nonce is owned',
    edits: [
      {
        file: STORE,
        was: '[...moveWrites(change, tables), noNonceOwned(change.id, tables.settlements)]',
        is: 'moveWrites(change, tables)',
      },
    ],
  },
  {
    name: 'refund before the cancel is final',
    says: 'a cancel that is in a block has won, however few blocks are upon it',
    edits: [
      {
        file: RULES,
        was: "  if (kind === 'cancel') return isBeyondDoubt ? 'CANCELLED' : 'WAIT';\n",
        is: "  if (kind === 'cancel') return 'CANCELLED';\n",
      },
    ],
  },
  {
    name: 'transfer believed of one node',
    says: 'a transfer that one node shows is confirmed, whatever the others do not show',
    edits: [{ file: RULES, was: 'const CONFIRMING_NODES = 2;\n', is: 'const CONFIRMING_NODES = 1;\n' }],
  },
  {
    name: 'failure believed of one node',
    says: 'a revert, or a cancel, that one node shows as final frees the nonce',
    edits: [
      {
        file: RULES,
        was: '  const isBeyondDoubt = mined.isFinal && mined.nodes === mined.asked;\n',
        is: '  const isBeyondDoubt = mined.isFinal;\n',
      },
    ],
  },
  {
    name: 'foreign use believed too early',
    says: 'a nonce that somebody else has used is paid again at once, and not when that is final',
    edits: [
      {
        file: WATCH,
        was: 'const QUARANTINE_AFTER_MS = 10 * 60_000;\n',
        is: 'const QUARANTINE_AFTER_MS = 0;\n',
      },
      {
        file: FOREIGN,
        was: '  return block < 0n ? undefined : toHex(block);\n',
        is: "  return block < 0n ? toHex(head) : 'latest';\n",
      },
    ],
  },
  {
    name: 'refund on time-out of a function',
    says: 'a settlement that the state machine gave up waiting for is taken for failed, and is refunded',
    edits: [
      {
        file: MACHINE,
        was: '        { "ErrorEquals": ["CheckAgain"], "MaxAttempts": 0 },\n',
        is: '        { "ErrorEquals": ["CheckAgain", "States.Timeout", "Sandbox.Timedout", "Runtime.ExitError"], "MaxAttempts": 0 },\n',
      },
      {
        file: MACHINE,
        was: '            "SettlementCancelled",\n            "SettlementFailed"\n',
        is: '            "SettlementCancelled", "SettlementFailed", "States.Timeout", "Sandbox.Timedout", "Runtime.ExitError"\n',
      },
      {
        file: 'functions/steps/fail-transaction.ts',
        was: 'getDefined(findFailure(error.Error), ',
        is: "getDefined(findFailure(error.Error) ?? findFailure('SettlementFailed'), ",
      },
      {
        file: 'functions/steps/fail-transaction.ts',
        was: 'ports.transactions.saveRefundClaim(change)',
        is: 'ports.transactions.save(change)',
      },
    ],
  },
  {
    name: 'no disposition',
    says: 'the nonce is taken without asking whether the purchase is still to be settled',
    edits: [
      {
        file: BOOK,
        was: '    claimPurchase(tables.transactionsTable, settlement.transactionId),\n',
        is: '',
      },
      {
        file: BOOK,
        was: '[closeSlot(tables, was, { reason, ...gasInSlot(gas) }), releasePurchase(tables, was)]',
        is: '[closeSlot(tables, was, { reason, ...gasInSlot(gas) })]',
      },
    ],
  },
  {
    name: 'payouts not counted',
    says: 'the hour is looked at before a nonce is taken, and the payment is not added to it',
    edits: [
      {
        file: 'functions/adapters/chain/claim.ts',
        was: '  const window = withPayout(windowAt(known.windows[asset], clock.now()), settlement);\n',
        is: '  const window = windowAt(known.windows[asset], clock.now());\n  withPayout(window, settlement);\n',
      },
    ],
  },
  {
    name: 'payouts forgotten too early',
    says: 'the window has the slices of half an hour',
    edits: [
      {
        file: 'functions/domain/treasury/payout-window.ts',
        was: 'const SLICES = 13;\n',
        is: 'const SLICES = 7;\n',
      },
    ],
  },
];
