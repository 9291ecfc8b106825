import type { OpenPromise, PromiseLimits } from './open-promise.ts';
import type { Transaction } from './transaction.ts';

/** The limits of the deployment, and the present instant in epoch milliseconds. */
export type PromiseTerms = { limits: PromiseLimits; now: number };

/** The promise of a charge, and the quote whose promise it ends. */
export type ChargePromise = OpenPromise & Pick<Transaction, 'rateLock'>;

export type Promises = {
  /**
   * Opens the promise of a charge, once per purchase. If the price comes from a quote, the same write ends
   * the quote's promise. Refuses with PROMISES_EXHAUSTED if a sum would exceed its limit, or with
   * QUOTE_EXPIRED if the quote's promise has already ended. `Unavailable`: too many purchases write at once,
   * or the answer was lost.
   */
  open(charge: ChargePromise, terms: PromiseTerms): Promise<void>;
};

export type OpenPromises = {
  /**
   * Lists the open promises. A new one may be missing for some seconds, because DynamoDB updates the index of
   * open promises late. A released one is never listed.
   */
  listOpen(): Promise<OpenPromise[]>;
  /**
   * Releases a promise that is over, at most once. If this breaks off, the next call of `listOpen` lists the promise
   * again.
   */
  release(promise: OpenPromise, now: number): Promise<void>;
};
