/** What is made on first use and kept for the life of the instance. */
export const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** What is asked anew once the answer is `ms` old. A question that failed has no answer. */
export function cachedFor<T>(ask: () => Promise<T>, ms: number, now: () => number): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return async () => {
    const age = last ? now() - last.at : ms;
    // A clock that was put back must not keep an answer for longer.
    if (!last || age < 0 || age >= ms) last = { at: now(), answer: ask() };
    try {
      return await last.answer;
    } catch (error) {
      last = undefined;
      throw error;
    }
  };
}
