/** Two or more racers whose calls happen in a given order: `RARA` lets R go first, then A, and so on. */
export function turnsOf(order: string) {
  let played = 0;
  const waiting = new Map<number, () => void>();
  const taken: Record<string, number> = {};

  /** The place in the order of the racer's next call; beyond the order nobody waits. */
  function placeOf(racer: string): number {
    taken[racer] = (taken[racer] ?? 0) + 1;
    let place = -1;
    for (let count = 0; count < taken[racer]!; count++) {
      place = order.indexOf(racer, place + 1);
      if (place < 0) return played;
    }
    return place;
  }

  async function play<T>(racer: string, call: () => Promise<T>): Promise<T> {
    const place = placeOf(racer);
    if (place > played) await new Promise<void>((resolve) => void waiting.set(place, resolve));
    try {
      return await call();
    } finally {
      played++;
      waiting.get(played)?.();
    }
  }

  /** The port with every call of it made in the racer's turn. */
  return function turnsFor<Port extends object>(racer: string, port: Port): Port {
    const entries = Object.entries(port).map(([name, method]) => [
      name,
      (...args: unknown[]) => play(racer, () => method(...args)),
    ]);
    return Object.fromEntries(entries) as Port;
  };
}

/** Every order of `a` calls of A and `b` calls of B. */
export function ordersOf(racers: Record<string, number>): string[] {
  const left = Object.entries(racers).filter(([, count]) => count > 0);
  if (left.length === 0) return [''];
  return left.flatMap(([racer, count]) =>
    ordersOf({ ...racers, [racer]: count - 1 }).map((rest) => racer + rest),
  );
}
