import type { Asset, BlockList } from '../../functions/domain/assets.ts';

/**
 * The test contracts. Each has the habits of one issuer's token, and the functions by which its owner blocks an address
 * and frees it again.
 */
export const TOKEN_CONTRACTS = {
  UsdtLike: { blockList: 'isBlocked', block: 'addToBlockedList', unblock: 'removeFromBlockedList' },
  UsdcLike: { blockList: 'isBlacklisted', block: 'blacklist', unblock: 'unBlacklist' },
} as const satisfies Record<string, { blockList: BlockList; block: string; unblock: string }>;
export type TokenContract = keyof typeof TOKEN_CONTRACTS;

/** USDT has Tether's habits. Every other asset has those of USD Coin, which most newer tokens share. */
export function contractOf(asset: Asset): TokenContract {
  return asset === 'USDT' ? 'UsdtLike' : 'UsdcLike';
}
