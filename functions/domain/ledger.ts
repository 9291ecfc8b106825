import type { Asset } from './assets.ts';
import { dayInBrasilia } from './time.ts';

/**
 * The chart of accounts: docs/decisions.md, "The books".
 * - `pix`, our account at the payment provider, and `treasury`, the hot wallets, are assets.
 * - `clients` is the debt to buyers, `unmatched` the debt to the payers of unmatched payments.
 * - `sales` is the revenue, `delivered` the tokens given for it.
 * - `losses` is the money that the provider took back after the delivery.
 */
export type Account =
  | 'pix'
  | 'clients'
  | 'sales'
  | 'unmatched'
  | 'losses'
  | `treasury:${Asset}`
  | `delivered:${Asset}`;
export type Currency = 'BRL' | Asset;

/** A debit is above zero, a credit below. The unit is a centavo of BRL or a base unit of the asset. */
export type Entry = { account: Account; currency: Currency; amount: bigint };

export type PostingKind =
  | 'PAYMENT_RECEIVED'
  | 'SETTLED'
  | 'REFUNDED'
  | 'UNMATCHED_RECEIVED'
  | 'UNMATCHED_RETURNED'
  | 'TAKEN_BACK'
  | 'RETURNED_OUTSIDE';

/** One movement of money. The entries of each currency sum up to zero. */
export type Posting = {
  /** Derived from the movement, so that each movement has one posting. */
  id: string;
  kind: PostingKind;
  /** The day of `at` in Brasília, `YYYY-MM-DD`. */
  day: string;
  /**
   * Epoch milliseconds. For received money, the provider's instant, as on the bank's statement. Otherwise the instant
   * of the record.
   */
  at: number;
  /** The partner of the purchase, for the partner's report. A Pix without a purchase has none. */
  partnerId?: string;
  transactionId?: string;
  /** The Pix that was received. A posting of its return names it, too. */
  endToEndId?: string;
  txHash?: string;
  entries: Entry[];
};

/** The postings that a move from `before` to `after` adds. Postings are never removed. */
export function postingsAdded(before: readonly Posting[], after: readonly Posting[]): Posting[] {
  const known = new Set(before.map(({ id }) => id));
  return after.filter(({ id }) => !known.has(id));
}

type TakenBack = {
  /** The id of the return (devolução) at the provider. One Pix may go back in several returns. */
  returnId: string;
  endToEndId: string;
  partnerId?: string;
  transactionId?: string;
  amountCentavos: number;
  at: number;
  /** The account that bears it: `losses` after the delivery of the tokens, before that the debt to the payer. */
  from: 'losses' | 'clients' | 'unmatched';
};

/** A Pix that the provider took back (MED). It is posted with the case that it opens. */
export function takenBack({ returnId, amountCentavos, at, from, ...origin }: TakenBack): Posting {
  const entries = move('BRL', amountCentavos, { debit: from, credit: 'pix' });
  const posting = postingOf(origin.endToEndId, 'TAKEN_BACK', at, { ...origin, entries });
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

/** Money that a person gave back by hand, for example by a bank transfer. It is posted with the closing of its case. */
export function returnedOutside({ caseId, amountCentavos, at, from, ...origin }: ReturnedOutside): Posting {
  const entries = move('BRL', amountCentavos, { debit: from, credit: 'pix' });
  return postingOf(caseId, 'RETURNED_OUTSIDE', at, { ...origin, entries });
}

/** The sum of each account in each currency, debits less credits. The key is `<account> <currency>`. */
export function balancesOf(postings: readonly Posting[]): Map<string, bigint> {
  const balances = new Map<string, bigint>();
  for (const { account, currency, amount } of postings.flatMap(({ entries }) => entries)) {
    const name = `${account} ${currency}`;
    balances.set(name, (balances.get(name) ?? 0n) + amount);
  }
  return balances;
}

/** True if debits and credits are equal in each currency. */
export function isBalanced({ entries }: Pick<Posting, 'entries'>): boolean {
  const sums = new Map<Currency, bigint>();
  for (const { currency, amount } of entries) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  return [...sums.values()].every((sum) => sum === 0n);
}

type Details = Pick<Posting, 'partnerId' | 'transactionId' | 'endToEndId' | 'txHash' | 'entries'>;

export function postingOf(of: string, kind: PostingKind, at: number, details: Details): Posting {
  return { id: `${of}#${kind}`, kind, day: dayInBrasilia(at), at, ...details };
}

export function move(
  currency: Currency,
  amount: number | bigint,
  by: { debit: Account; credit: Account },
): Entry[] {
  return [
    { account: by.debit, currency, amount: BigInt(amount) },
    { account: by.credit, currency, amount: -BigInt(amount) },
  ];
}
