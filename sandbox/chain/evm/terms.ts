/** No block is ever full, so the price of gas never changes. In wei. */
export const BASE_FEE = 1_000_000_000n;
export const TIP = 1_000_000_000n;
export const BLOCK_GAS = 30_000_000n;
