import type { OpenPromise, PromiseLimits } from './open-promise.ts';
import type { Transaction } from './transaction.ts';

/** The limits of a stage, and the present instant. */
export type PromiseTerms = { limits: PromiseLimits; now: number };

export type Promises = {
  /**
   * Opens the promise of a charge, once per purchase. The same write ends the promise of its quote. Refuses with
   * PROMISES_EXHAUSTED, or with QUOTE_EXPIRED if the promise of the quote has already ended. `Unavailable`: too many
   * purchases write at once, or the answer was lost.
   */
  open(charge: OpenPromise & Pick<Transaction, 'rateLock'>, terms: PromiseTerms): Promise<void>;
};

export type OpenPromises = {
  /**
   * Lists the open promises. A new one may be missing for some seconds, because an index lists them. A released one is
   * never listed.
   */
  listOpen(): Promise<OpenPromise[]>;
  /**
   * Releases a promise that is over, at most once. If this breaks off, the next call of `listOpen` lists the promise
   * again.
   */
  release(promise: OpenPromise, now: number): Promise<void>;
};
