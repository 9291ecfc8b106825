export const ASSETS = ['USDT', 'USDC'] as const;
export type Asset = (typeof ASSETS)[number];
