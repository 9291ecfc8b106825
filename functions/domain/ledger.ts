import type { Asset } from './assets.ts';
import { dayInBrasilia } from './time.ts';

/**
 * The chart of accounts: docs/decisions.md, "The books". `pix` is our account at the payment provider and `treasury` the
 * hot wallets: what we have. `clients` and `strays` are what we owe for Pix received: to buyers, and to whoever paid
 * what is no purchase's payment. `sales` is what was earned, `delivered` the tokens given for it, `losses` what the
 * provider took back from us afterwards.
 */
export type Account =
  | 'pix'
  | 'clients'
  | 'sales'
  | 'strays'
  | 'losses'
  | `treasury:${Asset}`
  | `delivered:${Asset}`;
export type Currency = 'BRL' | Asset;

/** A debit is above zero, a credit below; centavos of BRL or base units of an asset. */
export type Entry = { account: Account; currency: Currency; amount: bigint };

export type PostingKind =
  | 'PAYMENT_RECEIVED'
  | 'SETTLED'
  | 'REFUNDED'
  | 'STRAY_RECEIVED'
  | 'STRAY_RETURNED'
  | 'TAKEN_BACK'
  | 'RETURNED_OUTSIDE';

/** Money that moved, once: the entries of each currency sum up to zero. */
export type Posting = {
  /** Follows from what moved, so that one movement has one posting. */
  id: string;
  kind: PostingKind;
  /** In Brasília, `YYYY-MM-DD`: that of `at`. */
  day: string;
  /** Epoch milliseconds. Of what is received the provider's instant, as on the bank's statement; else when it was recorded. */
  at: number;
  transactionId?: string;
  /** The Pix that came, also where it goes back. */
  endToEndId?: string;
  txHash?: string;
  entries: Entry[];
};

/** What a move from `before` to `after` adds. What is posted stays: a row's postings only ever grow. */
export function postingsAdded(before: readonly Posting[], after: readonly Posting[]): Posting[] {
  const known = new Set(before.map(({ id }) => id));
  return after.filter(({ id }) => !known.has(id));
}

type TakenBack = {
  /** Of the return (devolução) at the provider: one Pix may go back in several. */
  returnId: string;
  endToEndId: string;
  transactionId?: string;
  amountCentavos: number;
  at: number;
  /** Who bears it: `losses` once the tokens are delivered, before that those who are owed the money. */
  from: 'losses' | 'clients' | 'strays';
};

/** A Pix that the provider gave back by itself (MED). Posted with the case that it opens. */
export function takenBack({ returnId, amountCentavos, at, from, ...origin }: TakenBack): Posting {
  const entries = move('BRL', amountCentavos, { debit: from, credit: 'pix' });
  const posting = postingOf(origin.endToEndId, 'TAKEN_BACK', at, { ...origin, entries });
  return { ...posting, id: `${posting.id}#${returnId}` };
}

type ReturnedOutside = {
  caseId: string;
  endToEndId: string;
  transactionId?: string;
  amountCentavos: number;
  at: number;
  from: 'clients' | 'strays';
};

/** What a person gave back from the account by hand, as by a transfer. Posted with the closing of its case. */
export function returnedOutside({ caseId, amountCentavos, at, from, ...origin }: ReturnedOutside): Posting {
  const entries = move('BRL', amountCentavos, { debit: from, credit: 'pix' });
  return postingOf(caseId, 'RETURNED_OUTSIDE', at, { ...origin, entries });
}

/** The sum of each account in each currency, debits less credits; by the name `<account> <currency>`. */
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

type Details = Pick<Posting, 'transactionId' | 'endToEndId' | 'txHash' | 'entries'>;

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
