/** Makes a value on first use, and keeps it for the life of the instance. A failure is not kept. */
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

/** Keeps an answer for `ms`, and asks again at the next call after that. A failure is not kept. */
export function cachedFor<T>(ask: () => Promise<T>, ms: number, now: () => number): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return async () => {
    const age = last ? now() - last.at : ms;
    // If the clock is set back, the answer must not be kept for longer.
    if (!last || age < 0 || age >= ms) last = { at: now(), answer: ask() };
    try {
      return await last.answer;
    } catch (error) {
      last = undefined;
      throw error;
    }
  };
}
