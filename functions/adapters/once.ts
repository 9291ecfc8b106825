/**
 * Makes a value at its first use, and keeps it as long as the process lives. If `make` fails, the next use
 * calls it again.
 */
export const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return async () => {
    made ??= make();
    const tried = made;
    try {
      return await tried;
    } catch (error) {
      if (made === tried) made = undefined;
      throw error;
    }
  };
};

/**
 * Caches the answer of `ask` for `ms` milliseconds. The first call after that asks again. A failure is not
 * cached.
 */
export function cachedFor<T>(ask: () => Promise<T>, ms: number, now: () => number): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return async () => {
    const age = last ? now() - last.at : ms;
    // If the clock was set back, the age is negative. The answer must not stay in the cache until the clock
    // has caught up.
    if (!last || age < 0 || age >= ms) last = { at: now(), answer: ask() };
    try {
      return await last.answer;
    } catch (error) {
      last = undefined;
      throw error;
    }
  };
}
