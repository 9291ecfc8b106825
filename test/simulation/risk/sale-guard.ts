import { ASSETS, type Asset, assetAmountOf } from '../../../functions/domain/assets.ts';
import type { Quote } from '../../../functions/domain/money.ts';
import type { LockedQuote } from '../../../functions/domain/purchase/locked-quote.ts';
import type { Transaction } from '../../../functions/domain/purchase/transaction.ts';
import { MINUTE_MS } from '../times.ts';
import type { Violation } from '../violation.ts';
import { findTooLow, findUnfair } from './fair-price.ts';
import type { Market } from './market.ts';

/** The longest time from a look at the clock to a write: the function's time, and the time until a late write lands. */
export const LATE_MS = 2 * MINUTE_MS;
/** The margin of each partner of the world. */
const SPREAD = 1.01;

/** A quote, as its partner was shown it. */
export type Told = {
  quoteId: string;
  partnerId: string;
  asset: Asset;
  amountBrl: number;
  assetAmount: string;
  expiresAt: string;
};
type World = { now: () => number; market: Market; report: (violation: Violation) => void };
type Sale = { asset: Transaction['asset']; amountCentavos: number; quote: Quote };

/**
 * Invariant 12: a price that a quote or a charge locks is that of the honest market, within the settings. A quote is
 * used once, in time, by its partner and for its terms. Its purchase delivers what the partner was shown.
 */
export function openSaleGuard({ now, market, report }: World) {
  const quotes = new Map<string, LockedQuote>();
  const told = new Map<string, Told>();
  const uses = new Map<string, string>();
  const counts = { 'prices locked': 0, 'quotes made': 0, 'quotes used': 0, 'quotes charged': 0 };

  const readingsOf = (scope: string) =>
    market.readings.filter((each) => each.scope === scope && each.at >= now() - LATE_MS);

  function judgePrice(id: string, { asset, amountCentavos, quote }: Sale, scope: string): void {
    counts['prices locked']++;
    const ask = Number(quote.rate) / SPREAD;
    const readings = readingsOf(scope);
    const sold = { asset, amountBrl: amountCentavos / 100, ask };
    const unfair = readings.map((reading) => findUnfair(market, reading, sold));
    const says = `${id}: ${unfair.at(-1) ?? 'sold without a look at the market'}`;
    if (!unfair.includes(undefined) || readings.length === 0) report({ invariant: 12, scope, says });
    const cost = (Number(quote.assetUnits) / 10 ** ASSETS[asset].decimals) * Number(quote.rate) * 100;
    const isExact = cost > amountCentavos - 1 && cost < amountCentavos + 0.01;
    if (!isExact)
      report({ invariant: 12, scope, says: `${id}: ${cost} centavos of tokens for ${amountCentavos}` });
  }

  function judgeUse(
    { id, partnerId, asset, amountCentavos, quote, rateLock }: Transaction,
    scope: string,
  ): void {
    const found = quotes.get(rateLock!.quoteId);
    const say = (what: string) => report({ invariant: 12, scope, says: `${id}: used a quote ${what}` });
    if (!found) {
      say('that is not there');
      return;
    }
    counts['quotes used']++;
    const user = uses.get(found.id) ?? id;
    uses.set(found.id, id);
    if (user !== id) say(`that ${user} has used`);
    if (found.partnerId !== partnerId) say('of another partner');
    if (found.asset !== asset || found.amountCentavos !== amountCentavos) say('for other terms');
    if (BigInt(found.quote.assetUnits) !== BigInt(quote.assetUnits)) say('at another price');
    if (now() >= found.expiresAt + LATE_MS) say('after its end');
  }

  /**
   * Judges the charge of a purchase with a quote: it must be in time, for the units that were shown, and at a fair
   * price.
   */
  function judgeCharge(charged: Transaction, scope: string): void {
    const { id, quote, rateLock, asset, amountCentavos } = charged;
    counts['quotes charged']++;
    const shown = told.get(rateLock!.quoteId);
    const say = (what: string) => report({ invariant: 12, scope, says: `${id}: charged ${what}` });
    if (now() >= rateLock!.until + LATE_MS) say('after the end of its quote');
    if (shown && shown.assetAmount !== assetAmountOf(asset, BigInt(quote.assetUnits)))
      say(`for ${quote.assetUnits} units, but ${shown.assetAmount} were shown`);
    const sold = { asset, amountBrl: amountCentavos / 100, ask: Number(quote.rate) };
    const tooLow = readingsOf(scope).map((reading) => findTooLow(market, reading, sold));
    if (!tooLow.includes(undefined)) say(tooLow.at(-1) ?? 'without a look at the market');
  }

  return {
    counts,
    onTold: (shown: Told) => void told.set(shown.quoteId, shown),
    onQuote(quote: LockedQuote, scope: string): void {
      quotes.set(quote.id, quote);
      counts['quotes made']++;
      judgePrice(quote.id, quote, scope);
    },
    onPurchase(before: Transaction | undefined, after: Transaction, scope: string): void {
      if (!before && after.rateLock) judgeUse(after, scope);
      if (before?.status === 'AWAITING_MFA' && after.status === 'AWAITING_PIX') {
        if (after.rateLock) judgeCharge(after, scope);
        else judgePrice(after.id, after, scope);
      }
      const wasShown = before && before.status !== 'AWAITING_MFA';
      if (wasShown && before.quote.assetUnits !== after.quote.assetUnits)
        report({ invariant: 12, scope, says: `${after.id}: its tokens changed after its charge` });
    },
  };
}
