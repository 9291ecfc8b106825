/**
 * Whether the provider still notices another payer than the client: docs/decisions.md, "The payer must be the
 * client".
 */
import { DAY_MS, HOUR_MS } from '../time.ts';

/** When the test of a stranger's payment was passed. `NOT_NEEDED`: the stage makes charges without that test. */
export type PayerProof = { provenAt: number | undefined } | 'NOT_NEEDED';

/** The reason why a stranger's payment might pass as the client's. While an asset's row has one, its charges pause. */
export type PayerDoubt = {
  reason: 'NO_PROOF' | 'PROOF_OLD' | 'SETTING_OFF' | 'SETTING_UNKNOWN';
  at: number;
};

/** How long the provider's setting may be unreadable before new charges pause. */
export const MOST_UNKNOWN_MS = HOUR_MS;
/** A person is told this long before the proof ends, because without a new proof the charges pause. */
const ENDS_SOON_DAYS = 14;

type Proven = { days: number; now: number };

/** The doubt about the test itself. Undefined if it was passed at most `days` ago. */
export function doubtOfProof(proof: PayerProof, { days, now }: Proven): PayerDoubt | undefined {
  if (proof === 'NOT_NEEDED') return undefined;
  if (proof.provenAt === undefined) return { reason: 'NO_PROOF', at: now };
  return now - proof.provenAt > days * DAY_MS ? { reason: 'PROOF_OLD', at: now } : undefined;
}

/** The doubt about the provider's setting. `isOn` is undefined for a provider without a setting. */
export function doubtOfSetting(isOn: boolean | undefined, now: number): PayerDoubt | undefined {
  return isOn === false ? { reason: 'SETTING_OFF', at: now } : undefined;
}

/** When the proof ends, if that is soon. */
export function endsSoonAt(proof: PayerProof, { days, now }: Proven): number | undefined {
  if (proof === 'NOT_NEEDED' || proof.provenAt === undefined) return undefined;
  const endsAt = proof.provenAt + days * DAY_MS;
  return endsAt - now <= ENDS_SOON_DAYS * DAY_MS ? endsAt : undefined;
}
