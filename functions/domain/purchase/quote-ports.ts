import type { LockedQuote } from './locked-quote.ts';

/** A purchase is opened together with the use of its quote: `create` of `Transactions`. */
export type Quotes = { findQuote(id: string): Promise<LockedQuote | undefined> };

export type QuoteOffers = {
  /** Put-if-absent. Answers the quote that is there now. */
  create(quote: LockedQuote): Promise<LockedQuote>;
};
