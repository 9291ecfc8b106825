import type { LockedQuote } from './locked-quote.ts';
import type { PromiseTerms } from './promise-ports.ts';

/**
 * Finds quotes. `Transactions.create` (`transaction-ports.ts`) marks a quote as used, in the write that opens
 * the purchase.
 */
export type Quotes = { findQuote(id: string): Promise<LockedQuote | undefined> };

export type QuoteOffers = {
  /**
   * Stores a quote and its promise, unless the quote exists. Answers the quote that is stored now. Refuses
   * with PROMISES_EXHAUSTED if the open promises of the partner or of the asset would exceed their limit.
   * `Unavailable`: too many purchases write at once, or the answer was lost.
   */
  create(quote: LockedQuote, terms: PromiseTerms): Promise<LockedQuote>;
};
