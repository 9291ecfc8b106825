import type { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { idleLimitOf } from '../../sandbox/cloud/idle-limit.ts';
import type { Instance } from '../../sandbox/cloud/instance.ts';
import { instancesOf } from '../../sandbox/cloud/instances.ts';

/** Instances whose workers only record that they were ended. */
function stage(mostIdle = 10) {
  const ended: Instance[] = [];
  const started: Instance[] = [];
  const limit = idleLimitOf(mostIdle);
  const start = () => {
    const instance: Instance = {
      worker: {} as Worker,
      ready: Promise.resolve(undefined),
      dead: false,
      thaw: () => undefined,
    };
    const terminate = async () => {
      ended.push(instance);
      return 1;
    };
    instance.worker = { terminate } as unknown as Worker;
    started.push(instance);
    return instance;
  };
  return { ended, started, open: () => instancesOf(start, limit) };
}

describe('an event that finds no free instance', () => {
  test('takes the one that becomes free soon', async () => {
    const { started, open } = stage();
    const instances = open();
    const first = await instances.take();

    const second = instances.take();
    instances.giveBack(first);

    expect(await second).toBe(first);
    expect(started).toHaveLength(1);
  });

  test('gets a new instance when none becomes free', async () => {
    const { started, open } = stage();
    const instances = open();
    const first = await instances.take();

    expect(await instances.take()).not.toBe(first);
    expect(started).toHaveLength(2);
  });

  test('gets a new instance in place of one that died', async () => {
    const { started, ended, open } = stage();
    const instances = open();
    const first = await instances.take();
    const second = instances.take();

    first.dead = true;
    instances.giveBack(first);

    expect(await second).not.toBe(first);
    expect([started.length, ended]).toEqual([2, [first]]);
  });
});

describe('idle instances beyond the limit', () => {
  test('end, the one that is unused for longest first', async () => {
    const { ended, open } = stage(2);
    const functions = [open(), open(), open()];
    const used = await Promise.all(functions.map((each) => each.take()));
    for (const [index, each] of functions.entries()) each.giveBack(used[index] as Instance);

    expect(ended).toEqual([used[0]]);
    expect(await functions[1]?.take()).toBe(used[1]);
    expect(await functions[0]?.take()).not.toBe(used[0]);
  });

  test('end first if their function has another, so that a burst does not end the instances of others', async () => {
    const { ended, open } = stage(2);
    const [lone, crowded] = [open(), open()];
    const only = await lone.take();
    const several = await Promise.all([crowded.take(), crowded.take()]);
    lone.giveBack(only);
    for (const instance of several) crowded.giveBack(instance);

    expect(ended).toEqual([several[0]]);
    expect(await lone.take()).toBe(only);
  });

  test('do not count while they are used', async () => {
    const { ended, open } = stage(1);
    const functions = [open(), open()];
    const [first, second] = await Promise.all(functions.map((each) => each.take()));
    functions[0]?.giveBack(first as Instance);
    await functions[0]?.take();
    functions[1]?.giveBack(second as Instance);

    expect(ended).toEqual([]);
  });
});
