import { COLLECTED, type Comparable, comparableOf, type PersonData } from '../../domain/kyc/cross-check.ts';
import type { KeyedInputs } from '../../domain/kyc/kyc.ts';
import type { Lookup } from '../../domain/ports.ts';

/**
 * The keyed hash that the service stores in place of a biometric hash. Without our key, neither a face nor its hash
 * finds the client: docs/decisions.md, "Documents and face are verified by the identity provider".
 */
export async function keyedBiometricOf(
  biometricHash: string | undefined,
  { fingerprint }: Lookup,
): Promise<string | undefined> {
  // The hash may be written with capital or small letters.
  return biometricHash && fingerprint(`biometric ${biometricHash.toLowerCase()}`);
}

/**
 * The keyed hashes that are stored in place of a person's data. The client's id is part of each, so that equal names of
 * two clients have different hashes.
 */
export async function keyedPersonOf(
  person: PersonData,
  clientId: string,
  { fingerprint }: Lookup,
): Promise<Comparable> {
  const texts = comparableOf(person);
  const keyed = COLLECTED.map(async (datum) => {
    const hashes = texts[datum]?.map((text) => fingerprint(`${datum} ${clientId} ${text}`));
    return hashes ? { [datum]: await Promise.all(hashes) } : {};
  });
  return Object.assign({}, ...(await Promise.all(keyed)));
}

type Given = Pick<PersonData, 'name' | 'birthDate'> & { biometricHash?: string; documentNumber?: string };

/** The keyed hashes of a submission's data. The data themselves are not stored. */
export async function keyedInputsOf(
  { biometricHash, name, birthDate, documentNumber }: Given,
  clientId: string,
  lookup: Lookup,
): Promise<KeyedInputs> {
  const documentNumbers = documentNumber === undefined ? [] : [documentNumber];
  const [keyedBiometric, keyedCollected] = await Promise.all([
    keyedBiometricOf(biometricHash, lookup),
    keyedPersonOf({ name, birthDate, documentNumbers }, clientId, lookup),
  ]);
  const hasCollected = Object.keys(keyedCollected).length > 0;
  return { keyedBiometric, ...(hasCollected && { keyedCollected }) };
}
