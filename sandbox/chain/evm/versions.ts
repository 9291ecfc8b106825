/** The values of one account or storage slot, the newest first. `since` is the first block with the value. */
export type Versions<T> = [since: number, value: T][];

/** The chain keeps the states of this many latest blocks, as anvil and pruned nodes do. */
export const STATES_KEPT = 256;

export function valueAt<T>(versions: Versions<T>, block: number): T | undefined {
  return versions.find(([since]) => since <= block)?.[1];
}

/** Adds the value of a new block, and drops the values that none of the kept states has. */
export function withValue<T>(versions: Versions<T>, block: number, value: T): Versions<T> {
  const all: Versions<T> = [[block, value], ...versions.filter(([since]) => since < block)];
  const oldest = all.findIndex(([since]) => since <= block - STATES_KEPT);
  return oldest === -1 ? all : all.slice(0, oldest + 1);
}
