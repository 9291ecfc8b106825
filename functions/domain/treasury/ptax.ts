/**
 * PTAX is the Central Bank's price of a US dollar. It only limits the price of each asset, and is never that price:
 * docs/decisions.md, "A price that may be sold at".
 */

import { DAY_MS } from '../time.ts';
import { type Distrust, isPriceWithin, type PriceBounds } from './order-book.ts';

/** A price in BRL with eight decimals, and when the Central Bank published it. */
export type Ptax = { rate: bigint; publishedAt: number };
/** The last PTAX that the schedule read, and the time of that read. */
export type KeptPtax = Ptax & { readAt: number };

/**
 * The pause between two reads, because a new PTAX comes only once a business day. After a failed read the schedule
 * tries again each minute.
 */
const READ_EVERY_MS = 10 * 60_000;

export const isPtaxDue = (kept: KeptPtax | undefined, now: number): boolean =>
  !kept || now - kept.readAt >= READ_EVERY_MS;

/**
 * The PTAX to keep. The Central Bank's service may lag, so an older PTAX never replaces a newer one. If no PTAX was
 * read, the last one stays.
 */
export function newerPtax(
  kept: KeptPtax | undefined,
  read: Ptax | undefined,
  now: number,
): KeptPtax | undefined {
  if (!read || (kept && read.publishedAt < kept.publishedAt)) return kept;
  return { ...read, readAt: now };
}

/**
 * The objection that PTAX gives to a price. Undefined if the price may be used. The allowed distance does not grow with
 * the age of the PTAX.
 */
export function distrustOfPtax(
  ask: bigint,
  ptax: Ptax | undefined,
  { ptaxBasisPoints, ptaxDays, now }: Pick<PriceBounds, 'ptaxBasisPoints' | 'ptaxDays'> & { now: number },
): Distrust | undefined {
  if (!ptax || now - ptax.publishedAt > ptaxDays * DAY_MS) return 'NO_PTAX';
  return isPriceWithin(ask, ptax.rate, ptaxBasisPoints) ? undefined : 'FAR_FROM_PTAX';
}
