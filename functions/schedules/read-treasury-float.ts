import { ASSET_NAMES, type Asset, loadPerAsset, type PerAsset } from '../domain/assets.ts';
import { allEnded } from '../domain/begun.ts';
import { getDefined } from '../domain/get.ts';
import type { Needs } from '../domain/ports.ts';
import type { Transaction } from '../domain/purchase/transaction.ts';
import { HOLD_WORDS } from '../domain/treasury/hold.ts';
import {
  countOverfull,
  type Holdings,
  isLow,
  promisesOf,
  type Reserved,
  readingOf,
} from '../domain/treasury/liquidity.ts';
import { schedule } from '../entry/schedule.ts';
import { RECORD_NEEDS, recordPrices } from '../logic/purchase/market.ts';
import { RELEASE_NEEDS, releasePromises } from '../logic/purchase/release-promises.ts';

export const needs = [
  'floats',
  'openPurchases',
  'hotWallets',
  'floatLimits',
  'holds',
  'clock',
  'log',
  ...RECORD_NEEDS,
  ...RELEASE_NEEDS,
] as const;
type Ports = Needs<typeof needs>;

/**
 * The sweeper visits every open purchase within this time. The time covers the longest wait, which is 30
 * minutes, and the sweeper's grace. Listing the visits until then therefore lists every open purchase.
 */
const LOOKED_AT_WITHIN_MINUTES = 40;

/**
 * Runs each minute. It records prices, releases promises that are over, and saves how much the treasury can
 * still pay: docs/decisions.md, "Quotes and open promises". While all movements of money are stopped it reads
 * nothing. The saved values soon become stale, and then nothing is sold.
 */
export async function readTreasuryFloat(ports: Ports) {
  const readAt = ports.clock.now();
  const hold = await ports.holds.keepTime(readAt);
  if (hold) {
    ports.log.raise('MoneyHeld', new Error(HOLD_WORDS[hold]));
    return { hold };
  }
  // Lambda freezes the function once it answers. Each task therefore ends first, even if another has failed.
  const [read] = await allEnded([readFloats(readAt, ports), recordPrices(ports), releasePromises(ports)]);
  return read;
}

/**
 * Reads the facts in an order that is safe if they change meanwhile. First come the revisions, so that a
 * reading is not saved if a later one was saved first. Purchases come before reservations, so that no charged
 * purchase is missed. Wallets come last. A payout between these reads is counted twice, so the treasury seems
 * smaller than it is. In another order it would not be counted.
 */
async function readFloats(readAt: number, ports: Ports) {
  const { floats, openPurchases, hotWallets, clock } = ports;
  const revisions = await loadPerAsset(floats.findRevision);
  const open = await openPurchases.listOpen(readAt + LOOKED_AT_WITHIN_MINUTES * clock.minuteMs);
  const reserved = await floats.listReserved();
  const purchases = [...open, ...(await openPurchases.listByIds(unlistedOf(reserved, open)))];
  const found = { purchases, reserved, revisions, holdings: await hotWallets.readHoldings() };
  for (const asset of ASSET_NAMES) reportOverfull(asset, found.holdings, ports);
  await Promise.all(ASSET_NAMES.map((asset) => saveFloat(asset, { ...found, readAt }, ports)));
  return { open: open.length, block: found.holdings.block };
}

type TreasuryReading = {
  purchases: readonly Transaction[];
  reserved: PerAsset<Reserved[]>;
  revisions: PerAsset<number>;
  holdings: Holdings;
  readAt: number;
};

async function saveFloat(asset: Asset, found: TreasuryReading, ports: Ports): Promise<void> {
  const { floats, floatLimits } = ports;
  const { promised, over } = promisesOf(asset, found.purchases, found.reserved[asset]);
  const { holdings, readAt } = found;
  const reading = readingOf(asset, { holdings, promised, limits: floatLimits[asset] }, readAt);
  if (!(await floats.save(reading, { revision: found.revisions[asset], over }))) return;
  await floats.release(asset, over, readAt);
  await reportLow(asset, ports);
}

/**
 * The ids of purchases that have a reservation but were not listed, because the index has them not yet or not any more.
 */
function unlistedOf(reserved: PerAsset<Reserved[]>, open: readonly Transaction[]): string[] {
  const listed = new Set(open.map(({ id }) => id));
  return ASSET_NAMES.flatMap((asset) => reserved[asset].map(({ id }) => id)).filter((id) => !listed.has(id));
}

function reportOverfull(asset: Asset, holdings: Holdings, { floatLimits, log }: Ports): void {
  const wallets = countOverfull(asset, holdings, floatLimits[asset]);
  if (wallets > 0) log.raise('WalletOverfull', undefined, { asset, wallets });
}

/**
 * Raises the alarm in each run while the treasury of the asset is low. Logs once when it is no longer low.
 */
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
