import type { KeptBiometric } from '../../domain/kyc/kyc.ts';
import type { Vault } from '../../domain/ports.ts';

/**
 * What is kept and compared in place of a biometric hash: whoever has a face or its hash, and not our secret, cannot look
 * up its client. docs/decisions.md, "Biometric hashes are kept as keyed hashes".
 */
export async function keyedBiometricOf(
  biometricHash: string | undefined,
  { fingerprint }: Pick<Vault, 'fingerprint'>,
): Promise<string | undefined> {
  // Hexadecimal digits have no case.
  return biometricHash && fingerprint(`biometric ${biometricHash.toLowerCase()}`);
}

/** The same of a row. */
export async function keyedBiometricIn(
  { keyedBiometric, biometricHash }: KeptBiometric,
  vault: Pick<Vault, 'fingerprint'>,
): Promise<string | undefined> {
  return keyedBiometric ?? keyedBiometricOf(biometricHash, vault);
}
