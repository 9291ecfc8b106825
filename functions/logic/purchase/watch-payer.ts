import { ASSET_NAMES } from '../../domain/assets.ts';
import type { Needs } from '../../domain/ports.ts';
import {
  doubtOfProof,
  doubtOfSetting,
  endsSoonAt,
  MOST_UNKNOWN_MS,
  type PayerDoubt,
} from '../../domain/purchase/payer-watch.ts';
import { isoInstant } from '../../domain/time.ts';

export const PAYER_WATCH_NEEDS = ['pix', 'payerWatch', 'payerProofDays', 'clock', 'log'] as const;
type Ports = Needs<typeof PAYER_WATCH_NEEDS>;

/**
 * Pauses new charges if a stranger's payment might pass as the client's. The test of a stranger's payment
 * may be too long ago, or somebody may have turned off the provider's setting. An unreadable setting pauses
 * the charges only after `MOST_UNKNOWN_MS`.
 */
export async function watchPayer(ports: Ports): Promise<void> {
  const doubt = await readDoubt(ports);
  if (doubt === 'UNKNOWN') return;
  if (doubt) ports.log.raise('PayerNotProven', undefined, doubt);
  await notePayerDoubt(doubt, ports);
}

async function readDoubt(ports: Ports): Promise<PayerDoubt | 'UNKNOWN' | undefined> {
  const { pix, payerProofDays: days, clock, log } = ports;
  const now = clock.now();
  try {
    const proof = await pix.findPayerProof();
    const doubt = doubtOfProof(proof, { days, now });
    if (doubt) return doubt;
    const endsAt = endsSoonAt(proof, { days, now });
    if (endsAt !== undefined) log.raise('PayerProofEnds', undefined, { endsAt: isoInstant(endsAt) });
    return doubtOfSetting(await pix.isPayerEnforced(), now);
  } catch (error) {
    log.raise('PayerSettingNotRead', error);
    return (await isUnknownForLong(now, ports)) ? { reason: 'SETTING_UNKNOWN', at: now } : 'UNKNOWN';
  }
}

async function isUnknownForLong(now: number, { payerWatch }: Ports): Promise<boolean> {
  const since = await Promise.all(ASSET_NAMES.map((asset) => payerWatch.noteUnknown(asset, now)));
  return now - Math.min(...since) >= MOST_UNKNOWN_MS;
}

async function notePayerDoubt(doubt: PayerDoubt | undefined, { payerWatch }: Ports): Promise<void> {
  await Promise.all(ASSET_NAMES.map((asset) => payerWatch.noteDoubt(asset, doubt)));
}
