import type { Asset } from './assets.ts';
import { dayInBrasilia } from './time.ts';

/**
 * The accounts of the ledger: docs/decisions.md, "The books".
 *
 * - `pix` is our account at the payment provider. `treasury` is the hot wallets. Both hold what we own.
 * - `clients` is what we owe to buyers, `unmatched` what we owe to the payers of unmatched payments.
 * - `sales` and `margin` are the revenue: the tokens at the exchanges' price, and our spread on it. `delivered` is the
 *   tokens that we sent to buyers.
 * - `losses` is the money that the provider took back after the delivery, less what we recovered of it.
 * - `gas` is the coins of the chain that our transactions have cost.
 * - `funding` is what came to our wallets from outside, coins and tokens, less what left them other than as gas or to a
 *   buyer.
 */
export type Account =
  | 'pix'
  | 'clients'
  | 'sales'
  | 'margin'
  | 'unmatched'
  | 'losses'
  | 'gas'
  | 'funding'
  | `treasury:${TokenCurrency}`
  | `delivered:${Asset}`;
/** An asset, or the coin of the chain, in which gas is paid. */
export type TokenCurrency = Asset | 'NATIVE';
export type Currency = 'BRL' | TokenCurrency;

/**
 * One line of a posting. A debit is positive, a credit is negative. The unit is a centavo of BRL, a base unit of the
 * asset, or a wei.
 */
export type PostingEntry = { account: Account; currency: Currency; amount: bigint };

export type PostingKind =
  | 'PAYMENT_RECEIVED'
  | 'SETTLED'
  | 'REFUNDED'
  | 'UNMATCHED_RECEIVED'
  | 'UNMATCHED_RETURNED'
  | 'TAKEN_BACK'
  | 'RECOVERED'
  | 'RETURNED_OUTSIDE'
  | 'GAS_SPENT'
  | 'TOP_UP'
  | 'COINS_MISSING';

/** One movement of money. In each currency its entries add up to zero. */
export type Posting = {
  /** Made from the id of the movement and its kind, so that each movement has exactly one posting. */
  id: string;
  kind: PostingKind;
  /** The day of `at` in Brasília, `YYYY-MM-DD`. */
  day: string;
  /**
   * Epoch milliseconds. For received money it is the provider's instant, as on the bank statement. For a
   * return that we did not request it is the instant that the provider tells, if it tells one. Otherwise it
   * is when the movement was recorded.
   */
  at: number;
  /** The partner of the purchase, in whose report the posting appears. A Pix without a purchase has none. */
  partnerId?: string;
  transactionId?: string;
  /** The end-to-end id of the received Pix. The posting of its return names the same Pix. */
  endToEndId?: string;
  txHash?: string;
  entries: PostingEntry[];
};

/** The postings that exist in `after` and not in `before`. Postings are never removed. */
export function postingsAdded(before: readonly Posting[], after: readonly Posting[]): Posting[] {
  const known = new Set(before.map(({ id }) => id));
  return after.filter(({ id }) => !known.has(id));
}

/** A return that the provider made by itself. */
export type TakenBackPosting = {
  /** The id of the return (devolução) at the provider. One Pix may be returned in several parts. */
  returnId: string;
  endToEndId: string;
  partnerId?: string;
  transactionId?: string;
  amountCentavos: number;
  at: number;
  /**
   * The account that loses the money. After the delivery of the tokens it is `losses`. Without a delivery
   * it is the account of what we owe to the payer.
   */
  from: 'losses' | 'clients' | 'unmatched';
};

/**
 * The posting of a return that this service did not request, such as a MED refund. It is written together
 * with its money case.
 */
export function takenBack(back: TakenBackPosting): Posting {
  return postingOfReturn('TAKEN_BACK', back, { debit: back.from, credit: 'pix' });
}

/**
 * The posting of money that came back after such a return. `amountCentavos` may be a part of what was taken
 * back. It is written together with the closing of a case. Its id names the return and not the case,
 * because a return may have two cases.
 */
export function recovered(back: TakenBackPosting): Posting {
  return postingOfReturn('RECOVERED', back, { debit: 'pix', credit: back.from });
}

function postingOfReturn(kind: PostingKind, { from: _, ...back }: TakenBackPosting, by: EntrySides): Posting {
  const { returnId, amountCentavos, at, ...origin } = back;
  const entries = move('BRL', amountCentavos, by);
  const posting = postingOf(origin.endToEndId, kind, at, { ...origin, entries });
  return { ...posting, id: `${posting.id}#${returnId}` };
}

type ReturnedOutside = {
  caseId: string;
  endToEndId: string;
  partnerId?: string;
  transactionId?: string;
  amountCentavos: number;
  at: number;
  from: 'clients' | 'unmatched';
};

/**
 * The posting of money that a person gave back by hand, for example by a bank transfer. It is written together with the
 * closing of its case.
 */
export function returnedOutside({ caseId, amountCentavos, at, from, ...origin }: ReturnedOutside): Posting {
  const entries = move('BRL', amountCentavos, { debit: from, credit: 'pix' });
  return postingOf(caseId, 'RETURNED_OUTSIDE', at, { ...origin, entries });
}

/** The balance of each account in each currency: debits minus credits. The key is `<account> <currency>`. */
export function balancesOf(postings: readonly Posting[]): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const { account, currency, amount } of postings.flatMap(({ entries }) => entries)) {
    const name = `${account} ${currency}`;
    balances.set(name, (balances.get(name) ?? 0n) + amount);
  }
  return balances;
}

/** Whether debits and credits are equal in each currency. */
export function isBalanced({ entries }: Pick<Posting, 'entries'>): boolean {
  const sums = new Map<Currency, bigint>();
  for (const { currency, amount } of entries) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  return [...sums.values()].every((sum) => sum === 0n);
}

type PostingDetails = Pick<Posting, 'partnerId' | 'transactionId' | 'endToEndId' | 'txHash' | 'entries'>;

export function postingOf(of: string, kind: PostingKind, at: number, details: PostingDetails): Posting {
  return { id: `${of}#${kind}`, kind, day: dayInBrasilia(at), at, ...details };
}

/** The account that a movement debits, and the account that it credits. */
type EntrySides = { debit: Account; credit: Account };

export function move(currency: Currency, amount: number | bigint, by: EntrySides): PostingEntry[] {
  return [
    { account: by.debit, currency, amount: BigInt(amount) },
    { account: by.credit, currency, amount: -BigInt(amount) },
  ];
}
