import { ASSET_NAMES } from '../../domain/assets.ts';
import type { Needs } from '../../domain/ports.ts';
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

/** Longer than the waits between the tries of a refund. Each refund that is not done is due before. */
const REFUNDS_WITHIN_MS = 10 * 24 * 60 * 60_000;

/**
 * Compares the balance at the provider with all that we owe to payers. A balance that cannot be read changes nothing:
 * it raises an alarm, and the last comparison stays in force. A provider without such a call is not watched.
 */
export async function watchRefundCover(ports: Ports): Promise<void> {
  const { pix, log } = ports;
  try {
    const balance = await pix.findBalance();
    if (balance !== undefined) await compare(balance, ports);
  } catch (error) {
    log.raise('PixBalanceNotRead', error);
  }
}

/** The debts are read after the balance. A refund that is paid in between counts as paid, and not as a debt too. */
async function compare(balance: number, ports: Ports): Promise<void> {
  const { openPurchases, unmatchedPayments, clock, log } = ports;
  const now = clock.now();
  const [purchases, unmatched] = await Promise.all([
    openPurchases.listOpen(now + REFUNDS_WITHIN_MS),
    unmatchedPayments.listOpen(),
  ]);
  const shortfall = shortfallOf(balance, owedCentavos(purchases, unmatched), now);
  if (shortfall) log.raise('RefundsNotCovered', undefined, shortfall);
  await note(shortfall, ports);
}

async function note(shortfall: Shortfall | undefined, { refundCover }: Ports): Promise<void> {
  await Promise.all(ASSET_NAMES.map((asset) => refundCover.note(asset, shortfall)));
}
