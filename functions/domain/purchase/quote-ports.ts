import type { LockedQuote } from './locked-quote.ts';
import type { PromiseTerms } from './promise-ports.ts';

/** A purchase is opened together with the use of its quote: `create` of `Transactions`. */
export type Quotes = { findQuote(id: string): Promise<LockedQuote | undefined> };

export type QuoteOffers = {
  /**
   * Put-if-absent. Answers the quote that is there now. Its promise is open. Refuses with PROMISES_EXHAUSTED if the sum
   * of the partner or of the asset would be too high. `Unavailable`: as `open` of `Promises`.
   */
  create(quote: LockedQuote, terms: PromiseTerms): Promise<LockedQuote>;
};
