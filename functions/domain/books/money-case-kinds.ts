/**
 * Every kind of money case: its meaning, a person's next steps, and its facts in words. The operators'
 * command `cases show` prints these texts, and docs/cases.md is generated from them.
 */
import type { Condition } from '../watching/conditions.ts';
import type { MoneyCaseFacts, MoneyCaseKind } from './money-case-facts.ts';

type NameOf<Facts> = Facts extends unknown ? keyof Facts : never;

type KindOfCase<Facts> = {
  means: string;
  /** The operator's next steps. */
  remedy: string;
  /** The alarm that a new case raises. A case for which `isQuiet` is true raises none. */
  raises: Condition;
  /** The meaning of each fact. */
  facts: Record<NameOf<Facts>, string>;
  /**
   * Present if a case may be closed as `RETURNED_OUTSIDE`, which means that a person gave the money back by
   * hand. The value is the ledger's account that owes the money. For a return that was not ours, the facts tell it
   * (`owedIn`).
   */
  owedTo?: 'clients' | 'unmatched';
  /** A case about a tiny amount raises no alarm, because anybody can send thousands of tiny Pix. */
  isQuietAsDust?: true;
  /**
   * If the facts differ after the case was closed, another case opens, because then the discrepancy itself has changed.
   */
  recurs?: true;
};

const TRANSFER = {
  asset: 'the token',
  units: 'its smallest units',
  to: 'the receiving address',
  wallet: 'our wallet',
  nonce: 'the nonce of the wallet, if the nodes tell it',
  nodes: 'how many nodes show the transfer',
  asked: 'how many nodes were asked',
};
const OWNER = {
  settlement: 'what the settlement of this nonce was to send',
  status: 'the status of the purchase',
  completedBy: 'the transfer by which the purchase was completed',
};
const COMPLETION = {
  wanted: 'the transfer that the purchase needs',
  shown: 'the transfers under its `txHash`',
};
const FOREIGN_RETURN = {
  returnId: 'the id of the return at the provider',
  nature: 'its `natureza`',
  at: 'when it was done',
  from: 'the account of the ledger that bears it',
};
const REFUSED = 'how many tries the provider ended without sending the money';
const BY_HAND =
  'give the money back by hand, unless the provider shows a return of ours as made. Close as ' +
  '`RETURNED_OUTSIDE` with `--amount`. After a devolução in the provider’s pages, close this case and its ' +
  '`REFUND_UNASKED` as `RETURNED`.';
const CORRECT_BOOKS = 'Find out at bank and chain which is true. Tell the developers and bookkeeping.';

export const MONEY_CASE_KINDS: { [Kind in MoneyCaseKind]: KindOfCase<MoneyCaseFacts[Kind]> } = {
  REFUND_FAILED: {
    means: 'a refund of a failed purchase that the provider refused for good',
    remedy: `Find out at the provider why, and ${BY_HAND}`,
    raises: 'RefundFailed',
    facts: { reason: 'why the purchase failed', tries: REFUSED },
    owedTo: 'clients',
  },
  UNMATCHED_LEFT: {
    means: 'an unmatched payment that may not be returned, or could not be, without a person',
    remedy: `Check in the books of the treasury whether tokens were sent for its txid. If not, ${BY_HAND}`,
    raises: 'RefundFailed',
    facts: {
      reason: 'why it is unmatched',
      tries: REFUSED,
      txid: 'if it has the form of a charge’s',
    },
    owedTo: 'unmatched',
    isQuietAsDust: true,
  },
  PURCHASE_STUCK: {
    means: 'a purchase that was paid 24 hours ago, and is neither delivered nor refunded',
    remedy:
      'Do what `tx show` says. `treasury cancel` ends a settlement that cannot succeed. Close as ' +
      '`EXPLAINED` once the purchase has ended.',
    raises: 'MoneyStuck',
    facts: {
      status: 'at the opening',
      paidAt: 'when it was paid',
      reason: 'why the purchase failed',
      tries: REFUSED,
    },
  },
  RETURN_STUCK: {
    means: 'an unmatched payment that was found 24 hours ago, and is not returned yet',
    remedy: 'Ask the provider why it refuses the return. Close as `EXPLAINED` once the return has ended.',
    raises: 'MoneyStuck',
    facts: {
      reason: 'why it is unmatched',
      foundAt: 'when it was found',
      tries: REFUSED,
      faults: 'how often the provider refused the request itself',
    },
    isQuietAsDust: true,
  },
  PAYMENT_NOT_SHOWN: {
    means: 'a payment in our rows that the provider does not show',
    remedy: 'Look for its `endToEndId` in the bank’s statement, and ask the provider.',
    raises: 'BooksDiffer',
    facts: { paidAt: 'when it was paid' },
  },
  PAYMENT_DIFFERS: {
    means: 'a payment whose amount or txid is not the same at the provider and here',
    remedy: 'Compare both with the bank’s statement.',
    raises: 'BooksDiffer',
    facts: { here: 'amount and txid in our row', there: 'amount and txid at the provider' },
    recurs: true,
  },
  PAYMENT_IGNORED: {
    means: 'a received Pix that is neither a purchase’s payment nor an unmatched payment',
    remedy: 'Give the money back by hand if nothing returned it. Tell the developers.',
    raises: 'BooksDiffer',
    facts: { status: 'the status of the purchase that its txid names' },
  },
  MED_REFUND: {
    means: 'a payment that the bank took back by the MED (Mecanismo Especial de Devolução)',
    remedy:
      'Ask the bank for its deadline. To contest it, hand over what `cases export` writes. If `from` is ' +
      '`losses`, tokens were sent: close as `RECOVERED` with `--amount` once all that comes back has come, ' +
      'and as `LOST` if none does. A Pix of its own is no recovery: the service sends it back. If `from` ' +
      'is another, no tokens were sent: close as `EXPLAINED`. But if money came back, give it to the payer ' +
      'by hand, and close as `RETURNED_OUTSIDE` with `--amount`. The client stays blocked until ' +
      '`clients unblock`. `FRAUD` also blocks the person at all partners.',
    raises: 'PaymentTakenBack',
    facts: FOREIGN_RETURN,
  },
  REFUND_UNASKED: {
    means: 'a return at the provider that this service did not request',
    remedy:
      'Find out who made it. If a person returned the money of another case at the provider, close ' +
      'both cases as `RETURNED`: the ledger has the return. If the money came back to us, close as ' +
      '`RECOVERED` with `--amount`. If no tokens had been sent for it, give it to the payer by hand, and ' +
      'close as `RETURNED_OUTSIDE` with `--amount`.',
    raises: 'BooksDiffer',
    facts: FOREIGN_RETURN,
  },
  REFUND_NOT_SHOWN: {
    means: 'a return that our row has as done, and that the provider does not show as done',
    remedy: 'Ask the provider for the return by its `id`. If it was not made, give the money back by hand.',
    raises: 'BooksDiffer',
    facts: { id: 'the id of our return', returns: 'the returns that the provider shows' },
  },
  REFUND_DIFFERS: {
    means:
      'a return of another amount than was requested, a second return, or one that our row has as failed',
    remedy:
      'Compare with the bank’s statement, and ask the provider. If the row has the return as failed, give ' +
      'nothing back by hand: close its `REFUND_FAILED` or `UNMATCHED_LEFT` as `RETURNED_OUTSIDE`.',
    raises: 'BooksDiffer',
    facts: { asked: 'the return that we requested', shown: 'our returns that the provider shows as done' },
    recurs: true,
  },
  TRANSFER_UNKNOWN: {
    means: 'a transfer out of our wallet that belongs to no settlement',
    remedy:
      'If you made it, close as `EXPLAINED`. If not, somebody has the key: use `treasury hold` at once.',
    raises: 'TransferWrong',
    facts: { ...TRANSFER, ...OWNER },
  },
  TRANSFER_DIFFERS: {
    means: 'a transfer with other units or another address than its settlement',
    remedy:
      'Hold the wallet (`treasury hold`). Compare chain, settlement and purchase, and tell the developers.',
    raises: 'TransferWrong',
    facts: { ...TRANSFER, ...OWNER, ...COMPLETION },
  },
  TRANSFER_NOT_SHOWN: {
    means: 'a completed purchase whose transfer the chain does not show',
    remedy: 'Look up its `txHash` at several nodes and explorers, and tell the developers.',
    raises: 'TransferWrong',
    facts: COMPLETION,
  },
  TRANSFERRED_TWICE: {
    means: 'a purchase with two transfers, or with a transfer and a refund',
    remedy:
      'Hold the wallet (`treasury hold`) and tell the developers. Ask the partner to recover the surplus.',
    raises: 'TransferWrong',
    facts: { ...TRANSFER, ...OWNER },
  },
  PAYOUT_DOUBTFUL: {
    means: 'a purchase that may have been paid out before its table was restored',
    remedy: 'Decide it by `treasury decide`: “After a restore” in `docs/operations.md`.',
    raises: 'BooksDiffer',
    facts: {
      asset: TRANSFER.asset,
      units: TRANSFER.units,
      to: TRANSFER.to,
      wallet: TRANSFER.wallet,
      nonce: TRANSFER.nonce,
    },
  },
  COINS_MISSING: {
    means: 'coins or tokens that left our wallet other than as the gas of our transactions, or to a buyer',
    remedy:
      'Look up the wallet between both blocks in an explorer. If you moved the coins, close as ' +
      '`EXPLAINED`. If not, somebody has the key: use `treasury hold` at once.',
    raises: 'TransferWrong',
    facts: {
      wallet: TRANSFER.wallet,
      wei: 'of the chain’s own coin',
      asset: TRANSFER.asset,
      units: TRANSFER.units,
      since: 'the block of the reading before',
      block: 'of this reading',
      unknown: 'nonces of unknown cost',
    },
  },
  POSTING_MISSING: {
    means: 'a movement of money without its posting in the ledger',
    remedy: CORRECT_BOOKS,
    raises: 'BooksDiffer',
    facts: { posting: 'the posting that its row asks for' },
  },
  POSTING_EXTRA: {
    means: 'a posting in the ledger that no movement of money explains',
    remedy: CORRECT_BOOKS,
    raises: 'BooksDiffer',
    facts: { posting: 'the posting as the ledger has it' },
  },
  POSTING_ALTERED: {
    means: 'a posting in the ledger that differs from its movement of money',
    remedy: CORRECT_BOOKS,
    raises: 'BooksDiffer',
    facts: { posting: 'the posting as its row has it', stored: 'the posting as the ledger has it' },
    recurs: true,
  },
};

/** The outcomes with which a person may close a case. */
export const MONEY_CASE_OUTCOMES = {
  EXPLAINED: 'nothing is wrong: money and books are as they should be',
  CORRECTED: 'a person corrected it, here or at the provider',
  RETURNED: 'the money was given back to its owner, and the ledger needs no posting',
  RETURNED_OUTSIDE: 'a person gave the money back without a devolução, and the ledger gets the amount',
  RECOVERED: 'we got the money back; if it was taken back, the ledger gets the amount',
  LOST: 'the money is gone, and was written off',
  FRAUD: 'the client committed fraud, and may buy at no partner; the money is written off',
} as const;
export type MoneyCaseOutcome = keyof typeof MONEY_CASE_OUTCOMES;
