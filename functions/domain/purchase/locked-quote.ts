/** A quote: a price that a partner may use for one purchase. See docs/decisions.md, "Quotes and open promises". */
import type { Asset } from '../assets.ts';
import { refuse } from '../errors.ts';
import { brlOf, type Quote } from '../money.ts';
import { isoInstant } from '../time.ts';
import type { Transaction } from './transaction.ts';

/** The ten minutes are our own choice, because the specification has no quotes. */
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
  /** The id of the purchase that has used the quote. */
  usedBy?: string;
};

type WantedLock = Pick<Transaction, 'id' | 'partnerId' | 'asset' | 'amountCentavos'>;

/**
 * Requires that the quote belongs to this partner and has the purchase's asset and amount. A purchase that
 * has already used the quote may use it again, even after `expiresAt`, because a partner may repeat its
 * request.
 */
export function requireQuote(found: LockedQuote | undefined, wanted: WantedLock, now: number): LockedQuote {
  if (found?.partnerId !== wanted.partnerId) refuse('QUOTE_NOT_FOUND');
  if (found.asset !== wanted.asset || found.amountCentavos !== wanted.amountCentavos)
    refuse('QUOTE_MISMATCH', { asset: found.asset, amountBrl: brlOf(found.amountCentavos) });
  requireUnused(found, wanted);
  if (found.usedBy === undefined) requireBefore(found.expiresAt, now);
  return found;
}

/** Refuses a quote that another purchase has used. */
export function requireUnused({ usedBy }: Pick<LockedQuote, 'usedBy'>, { id }: Pick<WantedLock, 'id'>): void {
  if (usedBy !== undefined && usedBy !== id) refuse('QUOTE_USED', { transactionId: usedBy });
}

/** Refuses to issue a charge if the quote that locked its price has ended. */
export function requireRateHeld({ rateLock }: Pick<Transaction, 'rateLock'>, now: number): void {
  if (rateLock) requireBefore(rateLock.until, now);
}

function requireBefore(end: number, now: number): void {
  if (now >= end) refuseExpired(end);
}

export function refuseExpired(end: number): never {
  refuse('QUOTE_EXPIRED', { expiredAt: isoInstant(end) });
}
