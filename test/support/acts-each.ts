import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Flags } from '../../operations/command.ts';
import { actWorld } from './act-world.ts';
import { MINUTE_MS } from './builders.ts';
import { type DeathAt, mortalClient } from './mortal-client.ts';

export type World = ReturnType<typeof actWorld>;
/** The call that proposes the act, and the state that it changes. */
export type Asked = { words: string; flags?: Flags; state(): Promise<unknown> };
export type Acts = Readonly<Record<string, (world: World) => Promise<Asked>>>;

/** A proposal of Ana, which Rui approves. Rui’s process may die at a call. */
export async function proposedWorld(ask: Acts[string]) {
  const world = actWorld();
  const { words, flags, state } = await ask(world);
  const before = await state();
  const said = await world.ops('ana', words, { role: 'admin', flags });
  const id = said.split('\n')[0]!;
  const approve = (death?: DeathAt) => {
    const { client } = world.tables;
    const tables = { ...world.tables, client: mortalClient(client, death) };
    return world.ops('rui', `acts approve ${id}`, { role: 'admin', tables }).catch((error: Error) => error);
  };
  return { ...world, id, before, state, approve, kinds: async () => (await world.kindsOf(id))! };
}

/** Describes each act: two persons make it, and whatever call a run dies at, the next run ends it. */
export function describeActs(acts: Acts): void {
  // docs/operations.md, "Two persons"
  describe.each(Object.entries(acts))('the act %s', (_, ask) => {
    test('changes nothing until another person approves it', async () => {
      const { before, state, approve, kinds } = await proposedWorld(ask);

      expect(await kinds()).toEqual(['PROPOSED']);
      expect(await state()).toEqual(before);
      await approve();
      expect(await kinds()).toEqual(['PROPOSED', 'APPROVED', 'DONE']);
      expect(await state()).not.toEqual(before);
    });

    test.each([false, true])(
      'is done once if its run dies at any call, after the effect: %s',
      async (isAfter) => {
        for (let call = 1; call < 60; call++) {
          const { approve, kinds, state, before, ports } = await proposedWorld(ask);
          const died = await approve({ call, isAfter });
          if (!(died instanceof Error))
            return expect(await kinds()).toEqual(['PROPOSED', 'APPROVED', 'DONE']);
          const made = await state();
          const isMade = !isDeepStrictEqual(made, before);
          ports.clock.advance(MINUTE_MS);

          await approve();

          expect((await kinds()).at(-1), `${call}: ${await kinds()}`).toBe('DONE');
          expect((await kinds()).filter((kind) => kind === 'APPROVED')).toHaveLength(1);
          expect(await state()).not.toEqual(before);
          if (isMade) expect(await state()).toEqual(made);
        }
        throw new Error('more calls than an approval may make');
      },
    );
  });
}
