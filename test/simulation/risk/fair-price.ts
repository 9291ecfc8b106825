import { ASSET_NAMES, type Asset } from '../../../functions/domain/assets.ts';
import { VENUES } from '../../../functions/domain/treasury/quorum.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../times.ts';
import { averageAt, type Market, type Reading } from './market.ts';
import { PTAX } from './settings.ts';

/**
 * A price may be confirmed by an exchange's reading of the last three minutes. The rest is the time of the run that
 * made the reading.
 */
export const CONFIRMS_MS = 3 * MINUTE_MS + 30 * SECOND_MS;
const SAMPLE_MS = 30 * SECOND_MS;
/** A price is compared with those of this span: an hour, in slices of five minutes. */
export const COMPARED_MS = HOUR_MS + 6 * MINUTE_MS;
/** The market moves a little between two samples. */
const TOLERANCE = 0.0003;
/** The schedule reads the price of this amount. */
const REFERENCE_BRL = 5_000;

/** The bounds of the settings, as parts. The guard has its own, because it judges how the service uses them. */
const VENUES_APART = 0.015;
const ASSETS_APART = 0.02;
const MOVE = 0.05;
const FROM_PTAX = 0.1;

type Lying = Pick<Market, 'lieOf'>;
type Sold = { asset: Asset; amountBrl: number; ask: number };
type Band = { least: number; most: number };

/**
 * Why nothing may be sold at this price after this reading. Undefined: it may be sold. The price is that of honest
 * exchanges, unless two exchanges lied at once. Then the other asset bounds it, or the prices of the last hour. PTAX
 * bounds it always.
 */
export function findUnfair(
  market: Market,
  reading: Reading,
  { asset, amountBrl, ask }: Sold,
): string | undefined {
  const { at, sound } = reading;
  if (Math.abs(ask / Number(PTAX) - 1) > FROM_PTAX + TOLERANCE) return `asks ${ask}, too far from PTAX`;
  const honest = bandOf(market, asset, {
    from: at - CONFIRMS_MS,
    to: at,
    amounts: [amountBrl, REFERENCE_BRL],
  });
  const least = leastAsk(market, reading, { asset, amountBrl });
  if (liarsOf(market, asset, at) > 1) return isBelow(ask, least);
  const most = honest.most * (sound[asset].length >= 2 ? 1 : 1 + VENUES_APART);
  if (ask > most * (1 + TOLERANCE)) return `asks ${ask}, and honest exchanges ask ${most} at most`;
  return isBelow(ask, least);
}

/** Why a locked price may no longer be charged after this reading. `ask` is what the client pays for a token. */
export const findTooLow = (market: Market, reading: Reading, { ask, ...sold }: Sold) =>
  isBelow(ask / (1 - MOVE), leastAsk(market, reading, sold));

function leastAsk(market: Market, reading: Reading, { asset, amountBrl }: Omit<Sold, 'ask'>): number {
  const { at } = reading;
  if (liarsOf(market, asset, at) > 1) return leastDespite(market, reading, asset);
  return bandOf(market, asset, { from: at - CONFIRMS_MS, to: at, amounts: [amountBrl] }).least;
}

/** The lowest price that the bounds allow although two exchanges lie. */
function leastDespite(market: Market, { at, sound }: Reading, asset: Asset): number {
  const others = ASSET_NAMES.filter((each) => each !== asset);
  // Beside an honest exchange, one liar cannot make two exchanges agree on a price that is lower than the honest one.
  const mostLiars = (each: Asset) => (sound[each].length > 0 ? 1 : 0);
  const isWitnessed = others.every((each) => liarsOf(market, each, at) <= mostLiars(each));
  const hour = bandOf(market, asset, { from: at - COMPARED_MS, to: at, amounts: [REFERENCE_BRL] });
  // Nothing was accepted for an hour, so there is nothing to compare with.
  if (isLong(market, asset, at)) return 0;
  const byMove = hour.least * (1 - MOVE);
  if (!isWitnessed) return byMove;
  const bands = others.map((each) => bandOf(market, each, { from: at, to: at, amounts: [REFERENCE_BRL] }));
  return Math.max(byMove, Math.min(...bands.map(({ least }) => least)) * (1 - ASSETS_APART));
}

/** Whether two exchanges have lied for so long that no honest price was accepted within the last hour. */
export const isLong = (market: Lying, asset: Asset, at: number) =>
  timesIn(at - HOUR_MS, at).every(
    (time) => VENUES.filter((each) => market.lieOf(each, asset, time)?.factor).length > 1,
  );

const isBelow = (ask: number, least: number) =>
  ask < least * (1 - TOLERANCE) ? `asks ${ask}, and ${least} at least is due` : undefined;

/** The number of exchanges whose false price of the asset the service may have used. */
export function liarsOf({ lieOf }: Lying, asset: Asset, at: number): number {
  const times = timesIn(at - CONFIRMS_MS, at);
  return VENUES.filter((venue) => times.some((time) => lieOf(venue, asset, time)?.factor !== undefined))
    .length;
}

type Span = { from: number; to: number; amounts: readonly number[] };

/** The lowest and the highest price of the honest exchanges. */
function bandOf({ levelOf, lieOf }: Market, asset: Asset, { from, to, amounts }: Span): Band {
  const asks = timesIn(from, to).flatMap((time) =>
    VENUES.filter((venue) => !lieOf(venue, asset, time)).flatMap((venue) =>
      amounts.map((amount) => averageAt(levelOf(venue, asset, time), amount)),
    ),
  );
  return { least: Math.min(...asks), most: Math.max(...asks) };
}

export function timesIn(from: number, to: number): number[] {
  const count = Math.floor((to - from) / SAMPLE_MS);
  return [to, ...Array.from({ length: count + 1 }, (_, index) => from + index * SAMPLE_MS)];
}
