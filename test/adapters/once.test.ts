import { describe, expect, it } from 'vitest';
import { cachedFor } from '../../functions/adapters/once.ts';

function open(answers: (() => Promise<number>)[]) {
  const world = { now: 0, asked: 0 };
  const ask = cachedFor(
    () => answers[world.asked++]!(),
    5_000,
    () => world.now,
  );
  return { world, ask };
}

const one = async () => 1;
const two = async () => 2;
const failing = async () => {
  throw new Error('silent');
};

describe('what is known for a while', () => {
  it('is asked anew once it is as old as that, counted from the question', async () => {
    const { world, ask } = open([one, two]);

    expect([await ask(), await ask()]).toEqual([1, 1]);
    world.now = 4_999;
    expect(await ask()).toBe(1);
    world.now = 5_000;
    expect(await ask()).toBe(2);
  });

  it('is asked anew where the clock was put back', async () => {
    const { world, ask } = open([one, two]);
    await ask();

    world.now = -3_600_000;

    expect(await ask()).toBe(2);
  });

  it('is asked once by all who come at the same time', async () => {
    const { world, ask } = open([one]);

    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
    expect(world.asked).toBe(1);
  });

  it('is asked again after nobody answered', async () => {
    const { ask } = open([failing, two]);

    await expect(ask()).rejects.toThrow('silent');
    expect(await ask()).toBe(2);
  });
});
