import type { Asset, BlockList } from '../../functions/domain/assets.ts';

/**
 * The test contracts, which behave like Tether's USDT and Circle's USDC. `blockList`, `block` and `unblock`
 * name the contract's functions that read the block list, block a wallet and unblock it.
 */
export const TOKEN_CONTRACTS = {
  UsdtLike: { blockList: 'isBlocked', block: 'addToBlockedList', unblock: 'removeFromBlockedList' },
  UsdcLike: { blockList: 'isBlacklisted', block: 'blacklist', unblock: 'unBlacklist' },
} as const satisfies Record<string, { blockList: BlockList; block: string; unblock: string }>;
export type TokenContract = keyof typeof TOKEN_CONTRACTS;

/** USDT behaves like Tether's contract. Any other asset behaves like USDC, as most newer tokens do. */
export function contractOf(asset: Asset): TokenContract {
  return asset === 'USDT' ? 'UsdtLike' : 'UsdcLike';
}
