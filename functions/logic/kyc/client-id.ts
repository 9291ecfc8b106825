import type { Lookup } from '../../domain/ports.ts';

/**
 * The id of a partner's client, a keyed hash of partner and CPF. The CPF itself is stored only encrypted, so no row can
 * be found by it.
 */
export function clientIdOf(
  { partnerId, cpf }: { partnerId: string; cpf: string },
  lookup: Lookup,
): Promise<string> {
  return lookup.fingerprint(`${partnerId}:${cpf}`);
}

/**
 * The id of the event about an outcome of a KYC record that came after its submission. `sequence` is the
 * number of the event among the record's events. The id is a hash and not the token itself, because ids are
 * logged and go to the partner as `webhook-id`.
 */
export async function outcomeEventIdOf(
  { token, sequence }: { token: string; sequence: number },
  lookup: Lookup,
): Promise<string> {
  const named = sequence === 1 ? `outcome of ${token}` : `outcome ${sequence} of ${token}`;
  return `kyc_${(await lookup.fingerprint(named)).slice(0, OUTCOME_DIGITS)}`;
}

const OUTCOME_DIGITS = 32;
