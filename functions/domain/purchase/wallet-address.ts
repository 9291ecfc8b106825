import { getAddress } from 'ethers/address';
import { refuse } from '../errors.ts';

const FORM = /^0x[0-9a-fA-F]{40}$/;
const ZERO = `0x${'0'.repeat(40)}`;

/**
 * Requires an EIP-55 address, and answers it as written. An address in only lower or only upper case has no
 * checksum and is refused. The zero address and the addresses in `never` are refused too, because stablecoin
 * would be lost there. `never` has the contracts of the tokens and of the sanctions oracle, and our hot
 * wallets.
 */
export function requireWalletAddress(text: string, never: readonly string[]): string {
  const reason = addressFault(text, never);
  if (reason) refuse('INVALID_WALLET_ADDRESS', { reason });
  return text;
}

function addressFault(
  text: string,
  never: readonly string[],
): 'FORM' | 'ZERO' | 'CHECKSUM' | 'RESERVED' | undefined {
  if (!FORM.test(text)) return 'FORM';
  if (text === ZERO) return 'ZERO';
  if (!hasChecksum(text)) return 'CHECKSUM';
  return never.some((address) => address.toLowerCase() === text.toLowerCase()) ? 'RESERVED' : undefined;
}

function hasChecksum(text: string): boolean {
  try {
    return getAddress(text) === text;
  } catch {
    return false;
  }
}
