/** The values of one account or storage slot, newest first. Each comes with the first block for which it is valid. */
export type Versions<T> = [since: number, value: T][];

/** The chain keeps the state of this many latest blocks, like anvil and a pruned node. */
export const STATES_KEPT = 256;

export function valueAt<T>(versions: Versions<T>, block: number): T | undefined {
  return versions.find(([since]) => since <= block)?.[1];
}

/** Adds the value of a new block, and drops values that are older than every kept state. */
export function withValue<T>(versions: Versions<T>, block: number, value: T): Versions<T> {
  const all: Versions<T> = [[block, value], ...versions.filter(([since]) => since < block)];
  const oldest = all.findIndex(([since]) => since <= block - STATES_KEPT);
  return oldest === -1 ? all : all.slice(0, oldest + 1);
}
