/** Gives a port whose calls happen in the turns of one racer. */
export type InTurns = <Port extends object>(port: Port) => Port;
type Racers = Record<string, (inTurns: InTurns) => Promise<unknown>>;
type Results<All extends Racers> = { [Name in keyof All]: Awaited<ReturnType<All[Name]>> };

/**
 * Runs all racers at once and gives their calls the given order: in `RARA`, R goes first, then A, and so on. A
 * racer's calls beyond its turns in the order do not wait. A racer that ends early gives up its remaining turns.
 */
export async function raceIn<All extends Racers>(order: string, racers: All): Promise<Results<All>> {
  const turns = turnsOf(order);
  const runs = Object.entries(racers).map(async ([name, run]) => {
    try {
      return [name, await run((port) => everyCall(port, (call) => turns.take(name, call)))] as const;
    } finally {
      turns.end(name);
    }
  });
  return Object.fromEntries(await Promise.all(runs)) as Results<All>;
}

function turnsOf(order: string) {
  /** The place in the order that is played now. */
  let current = 0;
  const waiting = new Map<number, () => void>();
  const taken = new Set<number>();
  const ended = new Set<string>();

  function takePlace(racer: string): number | undefined {
    const place = [...order].findIndex((name, index) => name === racer && !taken.has(index));
    if (place < 0) return undefined;
    taken.add(place);
    return place;
  }

  /** Goes on to the next place whose call is taken, or whose racer may still take it. */
  function goOn(from: number): void {
    current = from;
    while (current < order.length && ended.has(order[current]!) && !taken.has(current)) current++;
    waiting.get(current)?.();
  }

  return {
    async take<T>(racer: string, call: () => Promise<T>): Promise<T> {
      const place = takePlace(racer);
      if (place === undefined) return call();
      if (place > current) await new Promise<void>((resolve) => void waiting.set(place, resolve));
      try {
        return await call();
      } finally {
        goOn(place + 1);
      }
    },
    end(racer: string): void {
      ended.add(racer);
      goOn(current);
    },
  };
}

type Around = <T>(call: () => Promise<T>) => Promise<T>;

function everyCall<Port extends object>(port: Port, around: Around): Port {
  const entries = Object.entries(port).map(([name, method]) => [
    name,
    (...args: unknown[]) => around(() => method(...args)),
  ]);
  return Object.fromEntries(entries) as Port;
}

/** All orders in which the racers can make these numbers of calls. */
export function ordersOf(racers: Record<string, number>): string[] {
  const left = Object.entries(racers).filter(([, count]) => count > 0);
  if (left.length === 0) return [''];
  return left.flatMap(([racer, count]) =>
    ordersOf({ ...racers, [racer]: count - 1 }).map((rest) => racer + rest),
  );
}
