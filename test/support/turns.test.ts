import { describe, expect, test } from 'vitest';
import { type InTurns, ordersOf, raceIn } from './turns.ts';

/** A port that records its calls, and racers that each make a number of calls. */
function aRace() {
  const calls: string[] = [];
  const port = {
    async call(name: string) {
      await new Promise((resolve) => setImmediate(resolve));
      calls.push(name);
    },
  };
  const racer = (name: string, count: number) => async (inTurns: InTurns) => {
    const { call } = inTurns(port);
    for (let index = 0; index < count; index++) await call(name);
    return `${name} ended`;
  };
  return { calls, racer };
}

describe('racers', () => {
  test.each(ordersOf({ A: 2, B: 2 }))('make their calls in the order %s', async (order) => {
    const { calls, racer } = aRace();

    const results = await raceIn(order, { A: racer('A', 2), B: racer('B', 2) });

    expect(calls.join('')).toBe(order);
    expect(results).toEqual({ A: 'A ended', B: 'B ended' });
  });

  test.each([
    ['AABB', 0, 'BB'],
    ['AABB', 1, 'ABB'],
    ['BAAB', 0, 'BB'],
    ['ABAB', 1, 'ABB'],
    ['ABAABB', 1, 'ABBB'],
  ])('do not wait in %s for turns of one that ended after %i calls', async (order, count, played) => {
    const { calls, racer } = aRace();

    await raceIn(order, { A: racer('A', count), B: racer('B', order.split('B').length - 1) });

    expect(calls.join('')).toBe(played);
  });

  test('do not wait for turns of one that failed', async () => {
    const { calls, racer } = aRace();
    const failing = () => Promise.reject(new Error('broken'));
    const b = racer('B', 2);
    let ended: Promise<string> | undefined;

    const race = raceIn('ABAB', { A: failing, B: (inTurns) => (ended = b(inTurns)) });

    await expect(race).rejects.toThrow('broken');
    expect(await ended).toBe('B ended');
    expect(calls).toEqual(['B', 'B']);
  });

  test('keep the order where one of them makes more calls than it has turns', async () => {
    const { calls, racer } = aRace();

    await raceIn('ABBA', { A: racer('A', 5), B: racer('B', 2) });

    expect(calls.slice(0, 4).join('')).toBe('ABBA');
    expect(calls.slice(4)).toEqual(['A', 'A', 'A']);
  });
});
