import { ASSET_NAMES, type Asset, loadPerAsset, type PerAsset } from '../domain/assets.ts';
import { getDefined } from '../domain/get.ts';
import type { Needs } from '../domain/ports.ts';
import type { Transaction } from '../domain/purchase/transaction.ts';
import { HOLD_WORDS } from '../domain/treasury/hold.ts';
import { type Book, isLow, promisesOf, readingOf } from '../domain/treasury/liquidity.ts';
import { schedule } from '../entry/schedule.ts';
import { RECORD_NEEDS, recordPrices } from '../logic/purchase/market.ts';

export const needs = [
  'floats',
  'openPurchases',
  'hotWallets',
  'floatLimits',
  'holds',
  'clock',
  'log',
  ...RECORD_NEEDS,
] as const;
type Ports = Needs<typeof needs>;

/** Every open purchase is due for the sweeper within this time: the longest wait, and the sweeper's grace. */
const LOOKED_AT_WITHIN_MINUTES = 40;

/**
 * Runs each minute. It records prices, and saves how much the treasury can still pay (docs/decisions.md, "A treasury
 * that runs low"). The purchases are read before the wallets. A payment in between then counts twice; in the other
 * order it would not count at all. While money is held nothing is read, so that soon nothing is sold.
 */
export async function readTreasuryFloat(ports: Ports) {
  const { floats, openPurchases, hotWallets, floatLimits, clock } = ports;
  const readAt = clock.now();
  const hold = await ports.holds.keepTime(readAt);
  if (hold) {
    ports.log.raise('MoneyHeld', new Error(HOLD_WORDS[hold]));
    return { hold };
  }
  await recordPrices(ports);
  const before = await loadPerAsset(floats.findBook);
  const open = await openPurchases.listOpen(readAt + LOOKED_AT_WITHIN_MINUTES * clock.minuteMs);
  // Read after the purchases: each reservation in it is of a purchase that waited then, or that counts by its row.
  const books = await loadPerAsset(floats.findBook);
  const purchases = [...open, ...(await openPurchases.listByIds(unlistedOf(books, open)))];
  const holdings = await hotWallets.readHoldings();
  for (const asset of ASSET_NAMES) {
    const book = books[asset];
    // A concurrent reading has removed reservations that this one may need.
    if (book.readings !== before[asset].readings) continue;
    const { promised, over } = promisesOf(asset, purchases, book.reserved);
    const reading = readingOf(asset, { holdings, promised, limits: floatLimits[asset] }, readAt);
    if (!(await floats.save(reading, book))) continue;
    await floats.forget(asset, over);
    await reportLow(asset, ports);
  }
  return { open: open.length, block: holdings.block };
}

/** Purchases with a reservation that the index does not have yet, or does not have any more. */
function unlistedOf(books: PerAsset<Book>, open: readonly Transaction[]): string[] {
  const listed = new Set(open.map(({ id }) => id));
  const reserved = ASSET_NAMES.flatMap((asset) => books[asset].reserved.map(({ id }) => id));
  return reserved.filter((id) => !listed.has(id));
}

/** Raises the alarm at each reading while the float is low. Logs once when it is not low any more. */
async function reportLow(asset: Asset, { floats, floatLimits, clock, log }: Ports): Promise<void> {
  const float = getDefined(await floats.findFloat(asset), `float of ${asset}`);
  const { room, block, isGasLow, lowSince } = float;
  const isLowNow = isLow(float, floatLimits[asset]);
  const fields = { asset, room: String(room), block, isGasLow };
  if (isLowNow) log.raise('TreasuryLow', new Error('large purchases are refused, and soon all'), fields);
  if (isLowNow === (lowSince !== undefined)) return;
  const isNoted = await floats.noteLow(asset, isLowNow ? clock.now() : undefined);
  if (isNoted && !isLowNow) log.info('treasury is not low any more', fields);
}

export const handler = schedule({ needs }, readTreasuryFloat);
