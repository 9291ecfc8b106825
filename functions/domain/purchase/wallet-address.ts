import { getAddress } from 'ethers/address';
import { refuse } from '../errors.ts';

const FORM = /^0x[0-9a-fA-F]{40}$/;
const ZERO = `0x${'0'.repeat(40)}`;

/**
 * Requires an EIP-55 address, and answers it as written. A form in lower or upper case alone has no checksum and is
 * refused. Stablecoin would be lost at the zero address and at the addresses in `never`: token contracts, the oracle,
 * our wallets.
 */
export function requireWalletAddress(text: string, never: readonly string[]): string {
  const reason = faultOf(text, never);
  if (reason) refuse('INVALID_WALLET_ADDRESS', { reason });
  return text;
}

function faultOf(
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
