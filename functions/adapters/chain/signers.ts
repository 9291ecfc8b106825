import { Unavailable } from '../../domain/errors.ts';
import { isSameAddress } from './chain.ts';
import type { Signer } from './kms-signer.ts';

/**
 * The addresses of the wallets, in the order of their keys. If a key is disabled or KMS does not answer for it, only
 * that wallet is missing. `Unavailable`: no key answers.
 */
export async function listAddresses(signers: readonly Signer[]): Promise<string[]> {
  const asked = await Promise.all(signers.map((signer) => signer.address().catch(asUnsigned)));
  const addresses = asked.filter((address) => address !== undefined);
  if (addresses.length === 0) throw new Unavailable('KMS');
  return addresses;
}

/**
 * Finds the key of the wallet. Undefined if all keys answer and none is the wallet's. Throws `Unavailable` if
 * the key is not found while another key does not answer.
 */
export async function findSigner(signers: readonly Signer[], wallet: string): Promise<Signer | undefined> {
  const addresses = await Promise.all(signers.map((signer) => signer.address().catch(asUnsigned)));
  const found = signers.find((_, index) => isSameAddress(addresses[index] ?? '', wallet));
  if (!found && addresses.includes(undefined)) throw new Unavailable('KMS');
  return found;
}

function asUnsigned(error: unknown): undefined {
  if (!(error instanceof Unavailable)) throw error;
}
