/** The base fee of one unit of gas, in wei. It never changes, because no block of this chain gets full. */
export const BASE_FEE = 1_000_000_000n;
export const TIP = 1_000_000_000n;
export const BLOCK_GAS = 30_000_000n;
