import { describe, expect, test } from 'vitest';
import { actWorld } from '../support/act-world.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { type DeathAt, Died, mortalClient } from '../support/mortal-client.ts';
import { tapped } from '../support/tables.ts';

const TWENTY = Array.from({ length: 20 }, (_, index) => index);

/** A proposal, with a count of the writes that lift the block. */
async function proposedWorld() {
  const world = actWorld();
  const block = await world.blocked();
  const id = await world.proposed(block);
  const lifts: object[] = [];
  const counted = tapped(world.tables, (send) => async (command) => {
    const answer = await send(command);
    const { TableName } = (command as { input: { TableName?: string } }).input;
    if (TableName === 'personBlocks' && command.constructor.name === 'PutCommand') lifts.push(command);
    return answer;
  });
  const approve = (name: string, tables = counted) => world.ops(name, `acts approve ${id}`, { tables });
  const dyingAt = (death: DeathAt) => ({ ...counted, client: mortalClient(counted.client, death) });
  return { ...world, block, id, lifts, approve, counted, dyingAt, kinds: () => world.kindsOf(id) };
}

// docs/operations.md, "Two persons"
describe('twenty persons who approve at once', () => {
  test('make the change once, and nineteen are told who was first', async () => {
    const { approve, lifts, kinds, find, block } = await proposedWorld();

    const said = await Promise.all(TWENTY.map((index) => approve(`person${index}`)));

    const won = said.filter((words) => words.includes('is lifted'));
    expect(won).toHaveLength(1);
    for (const words of said.filter((each) => !won.includes(each)))
      expect(words).toMatch(/Another operator was first|is APPROVED by|is DONE by|RUNS/);
    expect(lifts).toHaveLength(1);
    expect(await kinds()).toEqual(['PROPOSED', 'APPROVED', 'DONE']);
    expect((await find(block))!.lifted!.by).toMatch(/^ana with person\d+$/);
  });

  test('who are one person in twenty processes make the change once', async () => {
    const { approve, lifts, kinds } = await proposedWorld();

    await Promise.all(TWENTY.map(() => approve('rui')));

    expect(lifts).toHaveLength(1);
    expect(await kinds()).toEqual(['PROPOSED', 'APPROVED', 'DONE']);
  });

  test('and twenty who withdraw: either the change is made or the proposal is withdrawn', async () => {
    const { approve, ops, id, lifts, kinds, counted } = await proposedWorld();

    await Promise.all(
      TWENTY.flatMap((index) => [
        approve(`person${index}`),
        ops('ana', `acts withdraw ${id}`, { tables: counted }),
      ]),
    );

    const ended = await kinds();
    expect([
      ['PROPOSED', 'WITHDRAWN'],
      ['PROPOSED', 'APPROVED', 'DONE'],
    ]).toContainEqual(ended);
    expect(lifts).toHaveLength(ended?.includes('APPROVED') ? 1 : 0);
  });
});

describe.each([false, true])('an approval whose process dies at a call, after its effect: %s', (isAfter) => {
  test('is completed by its repetition, and the change is made once', async () => {
    const struck: number[] = [];
    for (let call = 1; call < 40; call++) {
      const { approve, dyingAt, lifts, kinds, find, block, ports } = await proposedWorld();
      const died = await approve('rui', dyingAt({ call, isAfter })).catch((error: unknown) => error);
      if (!(died instanceof Died)) break;
      struck.push(call);
      ports.clock.advance(MINUTE_MS);

      await approve('rui');

      expect((await kinds())!.at(-1)).toBe('DONE');
      expect((await kinds())!.filter((kind) => kind === 'APPROVED')).toHaveLength(1);
      expect(lifts).toHaveLength(1);
      expect((await find(block))!.lifted).toMatchObject({ by: 'ana with rui' });
    }
    expect(struck.length).toBeGreaterThan(8);
  });

  test('is completed once by twenty persons who resume it at once, the author among them', async () => {
    for (const call of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]) {
      const { approve, dyingAt, lifts, kinds, ports } = await proposedWorld();
      await approve('rui', dyingAt({ call, isAfter })).catch(() => undefined);
      ports.clock.advance(MINUTE_MS);

      await Promise.all(TWENTY.map((index) => approve(index === 0 ? 'ana' : `person${index}`)));

      expect(lifts).toHaveLength(1);
      expect((await kinds())!.filter((kind) => kind === 'DONE')).toHaveLength(1);
    }
  });
});

describe('an approved act whose run has died', () => {
  test('is done if its write succeeded and its command was told that it did not', async () => {
    const { ops, id, counted, kinds, ports, lifts } = await proposedWorld();
    // The answer to the write is as if another operator had made it.
    const before = await ports.personBlocks.findBlock((await ports.acts.findAct(id))!.first.subject);
    const forgetful = tapped(counted, (send) => async (command) => {
      const answer = await send(command);
      const isRead = lifts.length > 0 && command.constructor.name === 'GetCommand';
      const { TableName } = (command as { input: { TableName?: string } }).input;
      return isRead && TableName === 'personBlocks' ? { Item: before } : answer;
    });

    expect(await ops('rui', `acts approve ${id}`, { tables: forgetful })).toContain(
      'Another operator was first',
    );
    expect(await kinds()).toEqual(['PROPOSED', 'APPROVED']);
    ports.clock.advance(MINUTE_MS);
    expect(await ops('rui', `acts approve ${id}`)).toContain('carried out before');

    expect(await kinds()).toEqual(['PROPOSED', 'APPROVED', 'RESUMED', 'DONE']);
    expect(lifts).toHaveLength(1);
  });

  test('is listed, is left alone for a minute, and then makes the change under the old approval', async () => {
    const { approve, ops, dyingAt, kinds, ports, find, block, id } = await proposedWorld();
    const approvals = async () => (await kinds())!.length;
    for (let call = 1; (await approvals()) < 2; call++)
      await approve('rui', dyingAt({ call, isAfter: true })).catch(() => undefined);

    expect(await ops('bia', 'acts list')).toMatch(new RegExp(`${id} .* APPROVED`));
    expect(await approve('bia')).toContain('look again in a minute');
    ports.clock.advance(MINUTE_MS);
    expect(await approve('bia')).toContain('is lifted');

    expect(await kinds()).toEqual(['PROPOSED', 'APPROVED', 'RESUMED', 'DONE']);
    expect((await find(block))!.lifted!.by).toBe('ana with rui');
  });

  test('lifts no other block that came meanwhile', async () => {
    const { approve, dyingAt, kinds, ports, find, block } = await proposedWorld();
    for (let call = 1; (await kinds())!.length < 2; call++)
      await approve('rui', dyingAt({ call, isAfter: true })).catch(() => undefined);
    const { id, ...rest } = block;
    await ports.personBlocks.lift(id, { by: 'bia', at: ports.clock.now(), reason: 'x' });
    const other = { ...rest, id, at: ports.clock.now() + 1, reason: 'another fraud' };
    await ports.personBlocks.block(other);
    ports.clock.advance(MINUTE_MS);

    expect(await approve('bia')).toContain('is stale');
    expect([await find(block), await kinds()]).toEqual([other, ['PROPOSED', 'APPROVED', 'STALE']]);
  });
});
