import { type CrossCheck, compared, type PersonData } from '../../domain/kyc/cross-check.ts';
import type { KeyedInputs } from '../../domain/kyc/kyc.ts';
import type { Findings } from '../../domain/kyc/kyc-facts.ts';
import type { Lookup } from '../../domain/ports.ts';
import { keyedPersonOf } from './keyed-inputs.ts';

/**
 * Compares the data that the partner collected about the client with the CPF registry and with the document.
 * The comparison uses keyed hashes. Empty if the partner gave no data: docs/decisions.md, "Data that the
 * partner collected".
 */
export async function crossChecked(
  { clientId, keyedCollected }: { clientId: string } & Pick<KeyedInputs, 'keyedCollected'>,
  { registry, review }: Pick<Findings, 'registry' | 'review'>,
  lookup: Lookup,
): Promise<{ crossCheck?: CrossCheck }> {
  if (!keyedCollected) return {};
  const verdictsOn = async (person: PersonData | undefined) =>
    person && compared(keyedCollected, await keyedPersonOf(person, clientId, lookup));
  const entry = registry?.entry;
  const [inRegistry, onDocument] = await Promise.all([
    verdictsOn(entry?.situation === 'MINOR' ? undefined : entry),
    verdictsOn(review?.holder),
  ]);
  return {
    crossCheck: {
      ...(inRegistry && { registry: inRegistry }),
      ...(onDocument && { document: onDocument }),
    },
  };
}
