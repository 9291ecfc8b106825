import type { OpenPromise, PromiseLimits } from './open-promise.ts';
import type { Transaction } from './transaction.ts';

/** The limits of a stage, and the present instant. */
export type PromiseTerms = { limits: PromiseLimits; now: number };

export type Promises = {
  /**
   * Opens the promise of a charge, once per purchase. The promise of its quote ends in the same write. Refuses with
   * PROMISES_EXHAUSTED, or with QUOTE_EXPIRED if the promise of the quote has ended. `Unavailable`: too many others
   * write at this moment, or the answer was lost.
   */
  open(charge: OpenPromise & Pick<Transaction, 'rateLock'>, terms: PromiseTerms): Promise<void>;
};

export type OpenPromises = {
  /** A new one may be missing for some seconds, because an index lists them. None that was released is in the list. */
  listOpen(): Promise<OpenPromise[]>;
  /** Releases a promise that is over, once. If this breaks off, the next reading finds it again. */
  release(promise: OpenPromise, now: number): Promise<void>;
};
