import { ASSET_NAMES } from '../../domain/assets.ts';
import type { Needs } from '../../domain/ports.ts';
import { DAY_MS } from '../../domain/time.ts';
import { owedCentavos, type Shortfall, shortfallOf } from '../../domain/treasury/refund-cover.ts';

export const COVER_NEEDS = [
  'pix',
  'openPurchases',
  'unmatchedPayments:read',
  'refundCover',
  'clock',
  'log',
] as const;
type Ports = Needs<typeof COVER_NEEDS>;

/**
 * Longer than the longest wait before the next try of a refund. The list of purchases to visit within this
 * time therefore contains every pending refund.
 */
const REFUNDS_WITHIN_MS = 10 * DAY_MS;

/**
 * Compares our balance at the Pix provider with all that we owe to payers, and saves the shortfall. If the
 * balance cannot be read, an alarm is raised, and the shortfall of the last run stays saved. A provider
 * without a balance call raises the alarm in each run, until a person has accepted that.
 */
export async function watchRefundCover(ports: Ports): Promise<void> {
  const { pix, log } = ports;
  try {
    const balance = await pix.findBalance();
    if (balance === 'UNWATCHED') log.raise('PixBalanceNotWatched', undefined);
    else if (balance !== undefined) await compareCover(balance, ports);
  } catch (error) {
    log.raise('PixBalanceNotRead', error);
  }
}

/**
 * Reads the debts after the balance. A refund that is paid between the two reads is no longer among the debts, so it
 * does not look like missing money.
 */
async function compareCover(balance: number, ports: Ports): Promise<void> {
  const { openPurchases, unmatchedPayments, clock, log } = ports;
  const now = clock.now();
  const [purchases, unmatched] = await Promise.all([
    openPurchases.listOpen(now + REFUNDS_WITHIN_MS),
    unmatchedPayments.listOpen(),
  ]);
  const shortfall = shortfallOf(balance, owedCentavos(purchases, unmatched), now);
  if (shortfall) log.raise('RefundsNotCovered', undefined, shortfall);
  await noteShortfall(shortfall, ports);
}

async function noteShortfall(shortfall: Shortfall | undefined, { refundCover }: Ports): Promise<void> {
  await Promise.all(ASSET_NAMES.map((asset) => refundCover.note(asset, shortfall)));
}
