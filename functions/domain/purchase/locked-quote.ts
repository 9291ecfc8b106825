/** A price that a partner may use for one purchase: docs/decisions.md, "Quotes". */
import type { Asset } from '../assets.ts';
import { refuse } from '../errors.ts';
import { brlOf, type Quote } from '../money.ts';
import type { Transaction } from './transaction.ts';

/** Our own choice. The specification has no quotes. */
export const QUOTE_WINDOW_MINUTES = 10;

const PREFIX = 'quote_';
export const isQuoteId = (id: string): boolean => id.startsWith(PREFIX);

export type LockedQuote = {
  id: string;
  partnerId: string;
  asset: Asset;
  amountCentavos: number;
  quote: Quote;
  createdAt: number;
  /** The charge must be made before this instant. */
  expiresAt: number;
  /** The purchase that has used it. */
  usedBy?: string;
};

type Wanted = Pick<Transaction, 'id' | 'partnerId' | 'asset' | 'amountCentavos'>;

/** The partner's quote for exactly this purchase. The purchase itself may repeat its use, even after the end. */
export function requireQuote(found: LockedQuote | undefined, wanted: Wanted, now: number): LockedQuote {
  if (found?.partnerId !== wanted.partnerId) refuse('QUOTE_NOT_FOUND');
  if (found.asset !== wanted.asset || found.amountCentavos !== wanted.amountCentavos)
    refuse('QUOTE_MISMATCH', { asset: found.asset, amountBrl: brlOf(found.amountCentavos) });
  requireUnused(found, wanted);
  if (found.usedBy === undefined) requireBefore(found.expiresAt, now);
  return found;
}

/** Refuses the quote of another purchase. */
export function requireUnused({ usedBy }: Pick<LockedQuote, 'usedBy'>, { id }: Pick<Wanted, 'id'>): void {
  if (usedBy !== undefined && usedBy !== id) refuse('QUOTE_USED', { transactionId: usedBy });
}

/** Refuses to charge a purchase at the price of a quote that is over. */
export function requireRateHeld({ rateLock }: Pick<Transaction, 'rateLock'>, now: number): void {
  if (rateLock) requireBefore(rateLock.until, now);
}

function requireBefore(end: number, now: number): void {
  if (now >= end) refuseExpired(end);
}

export function refuseExpired(end: number): never {
  refuse('QUOTE_EXPIRED', { expiredAt: new Date(end).toISOString() });
}
