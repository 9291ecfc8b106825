import type { KeptBiometric } from '../../domain/kyc/kyc.ts';
import type { Vault } from '../../domain/ports.ts';

/**
 * The keyed hash that is kept and compared in place of a biometric hash. A person with a face or its hash, but without
 * our secret, cannot find its client: docs/decisions.md, "Biometric hashes are kept as keyed hashes".
 */
export async function keyedBiometricOf(
  biometricHash: string | undefined,
  { fingerprint }: Pick<Vault, 'fingerprint'>,
): Promise<string | undefined> {
  // Hexadecimal digits have no case.
  return biometricHash && fingerprint(`biometric ${biometricHash.toLowerCase()}`);
}

/** The keyed hash of a row. Old rows have only the hash itself, so it is made from that. */
export async function keyedBiometricIn(
  { keyedBiometric, biometricHash }: KeptBiometric,
  vault: Pick<Vault, 'fingerprint'>,
): Promise<string | undefined> {
  return keyedBiometric ?? keyedBiometricOf(biometricHash, vault);
}
