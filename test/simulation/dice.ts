import { createHash } from 'node:crypto';

const UINT32 = 2 ** 32;

/**
 * A number in [0, 1) that depends only on the words. The luck of one purchase therefore does not change that of
 * another.
 */
export function chance(...words: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  const text = words.join('/');
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // FNV alone gives similar numbers for similar words. This is the finalizer of MurmurHash3.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / UINT32;
}

/** Random numbers of one source, in their order. */
export type Dice = {
  /** The next number, at least 0 and below 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  within(from: number, to: number): number;
  isBelow(share: number): boolean;
  /** Chooses one of the entries with a probability in proportion to its weight. */
  pick<Item>(weighted: readonly (readonly [Item, number])[]): Item;
};

export function diceOf(...words: readonly (string | number)[]): Dice {
  let thrown = 0;
  const next = () => chance(...words, thrown++);
  return {
    next,
    within: (from, to) => from + Math.floor(next() * (to - from + 1)),
    isBelow: (share) => next() < share,
    pick(weighted) {
      const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
      let left = next() * total;
      for (const [item, weight] of weighted) {
        left -= weight;
        if (left < 0) return item;
      }
      return weighted.at(-1)![0];
    },
  };
}

/** Makes `length` bytes that depend only on the words. */
export function bytesOf(length: number, ...words: readonly (string | number)[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let from = 0, block = 0; from < length; block++) {
    const digest = createHash('sha256')
      .update(`${words.join('/')}#${block}`)
      .digest();
    bytes.set(digest.subarray(0, length - from), from);
    from += digest.length;
  }
  return bytes;
}
