/**
 * Bounds what can be lost at locked prices: docs/decisions.md, "The lock is no free option". A promise is open while
 * its price can still be used. A quote is one until it ends or is charged, a charge until it is paid or ends.
 */
import { refuse } from '../errors.ts';
import { STATUSES } from './status.ts';
import type { Transaction } from './transaction.ts';

export const PROMISE_SCOPES = ['client', 'wallet', 'partner', 'asset'] as const;
export type PromiseScope = (typeof PROMISE_SCOPES)[number];
/** The sum of the open promises of one client, wallet, partner or asset. */
export type PromiseSum = { scope: PromiseScope; id: string };
/** The largest sums of open promises, in whole BRL: of one client, wallet, partner and asset. */
export type PromiseLimits = Readonly<Record<`${PromiseScope}Brl`, number>>;

export type OpenPromise = Pick<Transaction, 'id' | 'partnerId' | 'asset' | 'amountCentavos'> &
  // A quote has no client and no wallet yet.
  Partial<Pick<Transaction, 'clientId' | 'walletAddress'>> & {
    /** The end of a quote. A charge ends with its purchase. */
    expiresAt?: number;
    /** The purchase of the quote or of the charge. */
    usedBy?: string;
  };

/** The interval of the schedule `ReadTreasuryFloat`, which releases promises. */
const RETRY_AFTER_SECONDS = 60;

/** The charge of a purchase as a promise. */
export function promiseOf(transaction: Transaction): OpenPromise {
  const { id, partnerId, asset, amountCentavos, clientId, walletAddress } = transaction;
  return { id, partnerId, asset, amountCentavos, clientId, walletAddress, usedBy: id };
}

/** The sums that the promise is part of, by their ids. */
export function sumsOf({ clientId, walletAddress, partnerId, asset }: OpenPromise): PromiseSum[] {
  const names = { client: clientId, wallet: walletAddress, partner: partnerId, asset };
  return PROMISE_SCOPES.flatMap((scope) => {
    const name = names[scope];
    return name === undefined ? [] : [{ scope, id: `SUM#${scope}#${name}` }];
  });
}

/** Whether the price can no longer be used. `purchase` is that of `usedBy`. */
export function isPromiseOver(
  { expiresAt, usedBy }: OpenPromise,
  purchase: Pick<Transaction, 'status'> | undefined,
  now: number,
): boolean {
  if (expiresAt !== undefined && now >= expiresAt) return true;
  if (usedBy === undefined) return false;
  return purchase === undefined || !STATUSES[purchase.status].chargeMayBeOpen;
}

/** The refusal has no numbers, because promises of other partners are part of them. */
export function refusePromise(scope: PromiseScope): never {
  refuse('PROMISES_EXHAUSTED', { scope: scope.toUpperCase(), retryAfterSeconds: RETRY_AFTER_SECONDS });
}
