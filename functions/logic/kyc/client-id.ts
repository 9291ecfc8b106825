import type { Lookup } from '../../domain/ports.ts';

/** The id of a partner's client, made from the CPF. The CPF itself is not stored in a form that can be searched. */
export function clientIdOf(
  { partnerId, cpf }: { partnerId: string; cpf: string },
  lookup: Lookup,
): Promise<string> {
  return lookup.fingerprint(`${partnerId}:${cpf}`);
}

/**
 * The id of the event with a KYC record's later outcome. `sequence` is the event's number. The id is a hash and not
 * the token, because ids are logged and go to the partner as `webhook-id`.
 */
export async function outcomeEventIdOf(
  { token, sequence }: { token: string; sequence: number },
  lookup: Lookup,
): Promise<string> {
  const named = sequence === 1 ? `outcome of ${token}` : `outcome ${sequence} of ${token}`;
  return `kyc_${(await lookup.fingerprint(named)).slice(0, OUTCOME_DIGITS)}`;
}

const OUTCOME_DIGITS = 32;
