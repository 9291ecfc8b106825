import { describe, expect, it } from 'vitest';
import { cachedFor, once } from '../../functions/adapters/once.ts';

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

describe('a cached answer', () => {
  it('is requested again when it is old enough, counted from the request', async () => {
    const { world, ask } = open([one, two]);

    expect([await ask(), await ask()]).toEqual([1, 1]);
    world.now = 4_999;
    expect(await ask()).toBe(1);
    world.now = 5_000;
    expect(await ask()).toBe(2);
  });

  it('is requested again if the clock was put back', async () => {
    const { world, ask } = open([one, two]);
    await ask();

    world.now = -3_600_000;

    expect(await ask()).toBe(2);
  });

  it('is requested once by all callers at the same time', async () => {
    const { world, ask } = open([one]);

    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
    expect(world.asked).toBe(1);
  });

  it('is requested again after a failure', async () => {
    const { ask } = open([failing, two]);

    await expect(ask()).rejects.toThrow('silent');
    expect(await ask()).toBe(2);
  });
});

describe('a value that is made once', () => {
  it('is made by the first caller, for all callers', async () => {
    let made = 0;
    const value = once(async () => ++made);

    expect(await Promise.all([value(), value()])).toEqual([1, 1]);
    expect(await value()).toBe(1);
  });

  it('is made again after a failure, by one caller for all', async () => {
    const answers = [failing, two];
    const value = once(() => answers.shift()!());

    const first = await Promise.allSettled([value(), value()]);

    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await Promise.all([value(), value()])).toEqual([2, 2]);
  });
});
