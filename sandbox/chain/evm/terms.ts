/** The base fee of one unit of gas, in wei. A real chain changes it with the load of its blocks, and this one never. */
export const BASE_FEE = 1_000_000_000n;
export const TIP = 1_000_000_000n;
export const BLOCK_GAS = 30_000_000n;
