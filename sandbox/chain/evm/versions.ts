/** The values of one account or slot, newest first, each with the block since which it is valid. */
export type Versions<T> = [since: number, value: T][];

/** The chain answers about the state of so many latest blocks, as anvil and a pruned node do. */
export const STATES_KEPT = 256;

export function valueAt<T>(versions: Versions<T>, block: number): T | undefined {
  return versions.find(([since]) => since <= block)?.[1];
}

/** Adds the value of a new block, and drops what no state that is kept needs. */
export function withValue<T>(versions: Versions<T>, block: number, value: T): Versions<T> {
  const all: Versions<T> = [[block, value], ...versions.filter(([since]) => since < block)];
  const oldest = all.findIndex(([since]) => since <= block - STATES_KEPT);
  return oldest === -1 ? all : all.slice(0, oldest + 1);
}
