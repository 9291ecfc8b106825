import { getAddress } from 'ethers/address';
import { refuse } from './errors.ts';

const FORM = /^0x[0-9a-fA-F]{40}$/;
const ZERO = `0x${'0'.repeat(40)}`;

/**
 * An EIP-55 address, exactly as written. All-lower and all-upper forms carry no checksum and are refused, and so
 * are addresses where tokens would be lost: zero, and those in `never` (the token contracts, the oracle).
 */
export function requireWalletAddress(text: string, never: readonly string[]): string {
  if (!FORM.test(text) || text === ZERO || !hasChecksum(text)) refuse('INVALID_WALLET_ADDRESS');
  if (never.some((address) => address.toLowerCase() === text.toLowerCase())) refuse('INVALID_WALLET_ADDRESS');
  return text;
}

function hasChecksum(text: string): boolean {
  try {
    return getAddress(text) === text;
  } catch {
    return false;
  }
}
