/**
 * Limits the sum of the open promises, and so the loss of the service if prices move: docs/decisions.md, "Quotes and
 * open promises". A promise is a price at which a client can still buy. A quote is a promise until it ends or a charge
 * uses it. A charge is a promise until it is paid or ends.
 */
import type { Asset } from '../assets.ts';
import { refuse } from '../errors.ts';
import { STATUSES } from './status.ts';
import type { Transaction } from './transaction.ts';

export const PROMISE_SCOPES = ['client', 'wallet', 'partner', 'asset'] as const;
export type PromiseScope = (typeof PROMISE_SCOPES)[number];
/**
 * Names one counter: the sum of the open promises of one client, wallet, partner or asset. `id` is the id of
 * its row.
 */
export type PromiseSum = { scope: PromiseScope; id: string };
/** The largest sums of open promises for one client, wallet, partner and asset, in whole BRL. */
export type PromiseLimits = Readonly<Record<`${PromiseScope}Brl`, number>>;

export type OpenPromise = Pick<Transaction, 'id' | 'partnerId' | 'asset' | 'amountCentavos'> &
  // The client and the wallet. Absent while the promise is a quote, because a quote names neither.
  Partial<Pick<Transaction, 'clientId' | 'walletAddress'>> & {
    /** When the quote ends. Absent for a charge, which ends with its purchase. */
    expiresAt?: number;
    /** The id of the purchase that used the quote, or that has the charge. */
    usedBy?: string;
  };

/**
 * The wait that a refusal tells the partner. It is the interval of the schedule `ReadTreasuryFloat`, which
 * releases the promises that are over.
 */
const RETRY_AFTER_SECONDS = 60;

/** The promise that the charge of a purchase makes. */
export function promiseOf(transaction: Transaction): OpenPromise {
  const { id, partnerId, asset, amountCentavos, clientId, walletAddress } = transaction;
  return { id, partnerId, asset, amountCentavos, clientId, walletAddress, usedBy: id };
}

/** The sums to which the promise belongs. */
export function sumsOfPromise({ clientId, walletAddress, partnerId, asset }: OpenPromise): PromiseSum[] {
  const names = { client: clientId, wallet: walletAddress, partner: partnerId, asset };
  return PROMISE_SCOPES.flatMap((scope) => {
    const name = names[scope];
    return name === undefined ? [] : [promiseSum(scope, name)];
  });
}

/** The sum of all open promises of an asset. */
export const assetSumOf = (asset: Asset): PromiseSum => promiseSum('asset', asset);

const promiseSum = (scope: PromiseScope, name: string): PromiseSum => ({ scope, id: `SUM#${scope}#${name}` });

/** True if no one can buy at this price any more. `purchase` is the purchase that `usedBy` names. */
export function isPromiseOver(
  { expiresAt, usedBy }: OpenPromise,
  purchase: Pick<Transaction, 'status'> | undefined,
  now: number,
): boolean {
  if (expiresAt !== undefined && now >= expiresAt) return true;
  if (usedBy === undefined) return false;
  return purchase === undefined || !STATUSES[purchase.status].chargeMayBeOpen;
}

/**
 * Refuses a quote or a charge, because the sum of open promises in this scope would exceed its limit. The
 * refusal names no amount, because the sum may contain promises to other partners.
 */
export function refusePromise(scope: PromiseScope): never {
  refuse('PROMISES_EXHAUSTED', { scope: scope.toUpperCase(), retryAfterSeconds: RETRY_AFTER_SECONDS });
}
