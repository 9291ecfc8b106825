import { describe, expect, test } from 'vitest';
import { actWorld } from '../support/act-world.ts';

const HOUR_MS = 60 * 60_000;

async function proposedWorld() {
  const world = actWorld();
  const block = await world.blocked();
  const id = await world.proposed(block);
  const approve = (name = 'rui', calling = {}) => world.ops(name, `acts approve ${id}`, calling);
  return {
    ...world,
    block,
    id,
    approve,
    kinds: () => world.kindsOf(id),
    state: async () => (await world.find(block))!.state,
  };
}

// docs/operations.md, "Two persons"
describe('a change that wants a second person', () => {
  test('is proposed, approved by another person and made, and the audit has both with before and after', async () => {
    const { ops, approve, block, id, find, kinds } = await proposedWorld();

    expect(id).toMatch(/^[0-9A-Z]{10}$/);
    expect((await find(block))!.state).toBe('ACTIVE');
    expect(await ops('bia', 'acts list')).toMatch(
      new RegExp(`${id} +fraud lift +${block.id} +PROPOSED +ana +- `),
    );
    expect(await approve()).toContain('is lifted');

    const lifted = (await find(block))!;
    expect(lifted).toMatchObject({
      state: 'LIFTED',
      lifted: { by: 'ana with rui', reason: 'mistaken identity' },
    });
    expect(await kinds()).toEqual(['PROPOSED', 'APPROVED', 'DONE']);
    const [told] = JSON.parse(await ops('bia', 'audit list', { flags: { subject: block.id, json: true } }));
    expect(told).toMatchObject({ act: id, what: 'fraud lift', subject: block.id, state: 'DONE' });
    const [proposal, approval] = told.events;
    expect(proposal).toMatchObject({
      who: {
        id: 'ana',
        roles: ['operator'],
        via: 'STS',
        principal: expect.stringMatching(/:assumed-role\/.*\/ana$/),
      },
      reason: 'mistaken identity',
      before: { state: 'ACTIVE', by: 'ana', reason: 'opened with a stolen document' },
      after: { state: 'LIFTED' },
    });
    expect(approval.who).toMatchObject({ id: 'rui', roles: ['compliance'] });
    expect(await ops('bia', 'acts list')).toBe('Nothing waits for a second person.');
  });

  test('is found by the first characters of its id, and shown', async () => {
    const { ops, id, block } = await proposedWorld();

    const shown = await ops('bia', `acts show ${id.slice(0, 5).toLowerCase()}`);

    for (const part of [
      id,
      'fraud lift',
      block.id,
      'PROPOSED',
      'mistaken identity',
      'before',
      'OnrampOperator',
    ])
      expect(shown).toContain(part);
  });
});

describe('an approval', () => {
  test('is refused to the author, in capitals and in another role too', async () => {
    const { approve, state, kinds } = await proposedWorld();

    expect(await approve('ana')).toContain('another person must approve it');
    expect(await approve('Ana', { role: 'admin' })).toContain('another person must approve it');
    expect([await state(), await kinds()]).toEqual(['ACTIVE', ['PROPOSED']]);
  });

  test.each(['viewer', 'operator'] as const)('is refused to a %s', async (role) => {
    const { approve, state } = await proposedWorld();

    expect(await approve('rui', { role })).toBe('rui may not do that: it is for compliance.');
    expect(await state()).toBe('ACTIVE');
  });

  test('is refused a second time, and changes nothing', async () => {
    const { approve, find, block, kinds } = await proposedWorld();
    await approve();
    const before = await find(block);

    expect(await approve()).toContain('is DONE by rui');
    expect(await approve('bia')).toContain('is DONE by rui');
    expect([await find(block), await kinds()]).toEqual([before, ['PROPOSED', 'APPROVED', 'DONE']]);
  });

  test('is refused after the proposal was withdrawn', async () => {
    const { approve, ops, id, state, kinds } = await proposedWorld();

    expect(await ops('ana', `acts withdraw ${id}`, { role: 'operator' })).toContain('is WITHDRAWN by ana');

    expect(await approve()).toContain('is WITHDRAWN by ana');
    expect(await ops('rui', `acts withdraw ${id}`)).toContain('is WITHDRAWN by ana');
    expect([await state(), await kinds()]).toEqual(['ACTIVE', ['PROPOSED', 'WITHDRAWN']]);
  });

  test('is refused after the proposal expired, at the last instant not yet', async () => {
    const early = await proposedWorld();
    early.ports.clock.advance(24 * HOUR_MS - 1);
    expect(await early.approve()).toContain('is lifted');

    const { approve, ports, state, kinds } = await proposedWorld();
    ports.clock.advance(24 * HOUR_MS);

    expect(await approve()).toContain('has expired');
    expect(await approve()).toContain('is EXPIRED');
    expect([await state(), await kinds()]).toEqual(['ACTIVE', ['PROPOSED', 'EXPIRED']]);
  });

  test('is refused when the proposal expired while the person read it', async () => {
    const { approve, ports, state } = await proposedWorld();
    const meanwhile = async () => ports.clock.advance(24 * HOUR_MS);

    expect(await approve('rui', { meanwhile })).toContain('has expired');
    expect(await state()).toBe('ACTIVE');
  });

  test('is refused as stale once another block is in force, and the other block stays', async () => {
    const { approve, ports, block, find, kinds } = await proposedWorld();
    const { id, ...rest } = block;
    await ports.personBlocks.lift(id, { by: 'bia', at: ports.clock.now(), reason: 'x' });
    const other = { ...rest, id, at: ports.clock.now() + 1, reason: 'another fraud' };
    await ports.personBlocks.block(other);

    expect(await approve()).toContain('is stale, and nothing is changed');
    expect([await find(block), await kinds()]).toEqual([other, ['PROPOSED', 'STALE']]);
  });

  test('is refused as stale once somebody else has made the change', async () => {
    const { approve, ports, block, kinds } = await proposedWorld();
    await ports.personBlocks.lift(block.id, { by: 'bia', at: ports.clock.now(), reason: 'x' });

    expect(await approve()).toMatch(/is stale.*LIFTED by bia/);
    expect(await kinds()).toEqual(['PROPOSED', 'STALE']);
  });

  test('is refused for an act that is not there, and for one that one person ordered', async () => {
    const { ops, ports, block } = await proposedWorld();

    expect(await ops('rui', 'acts approve NOTHING')).toBe(
      'There is no act NOTHING of the last month. audit list has older ones.',
    );
    expect(await ops('rui', `acts approve ${'A'.repeat(3000)}`)).toContain('There is no act');
    await ops('rui', 'fraud block', { flags: { cpf: '52998224725' } });
    const now = ports.clock.now();
    const events = await ports.acts.listBetween(now, now + 1);
    const ordered = events.find(({ kind, subject }) => kind === 'ORDERED' && subject !== block.id);
    expect(await ops('bia', `acts approve ${ordered!.act}`)).toContain('was one person’s');
  });
});

describe('an act that has ended', () => {
  test('is found by the first characters of its id, and is not decided again', async () => {
    const { ops, approve, id, kinds } = await proposedWorld();
    await approve();
    const beginning = id.slice(0, 4);

    expect(await ops('rui', `acts show ${beginning.toLowerCase()}`)).toMatch(/state +DONE/);
    expect(await ops('bia', `acts approve ${beginning}`)).toContain(`${id} is DONE by rui`);
    expect(await ops('ana', `acts withdraw ${beginning}`)).toContain(`${id} is DONE by rui`);
    expect(await kinds()).toEqual(['PROPOSED', 'APPROVED', 'DONE']);
  });

  test('gives way to an open one whose id begins likewise', async () => {
    const { ops, approve, ports, id } = await proposedWorld();
    await approve();
    const { first } = (await ports.acts.findAct(id))!;
    const open = `${id.slice(0, 4)}ZZZZZZ`;
    await ports.acts.add({ ...first, act: open });

    expect(await ops('rui', `acts show ${id.slice(0, 4)}`)).toMatch(new RegExp(`act +${open}`));
  });
});

describe('a withdrawal', () => {
  test('is refused to one who may not approve, and after the approval', async () => {
    const { ops, approve, id, kinds } = await proposedWorld();

    expect(await ops('rui', `acts withdraw ${id}`, { role: 'operator' })).toContain('may not do that');
    await approve();
    expect(await ops('ana', `acts withdraw ${id}`)).toContain('is DONE');
    expect(await kinds()).toEqual(['PROPOSED', 'APPROVED', 'DONE']);
  });
});

describe('an operator', () => {
  test('without a role does nothing', async () => {
    const { ops, block, state } = await proposedWorld();

    expect(await ops('rui', `fraud lift ${block.id}`, { role: 'viewer' })).toBe(
      'rui may not do that: fraud lift is for operator, compliance.',
    );
    expect(await state()).toBe('ACTIVE');
  });

  test.each([
    ['two lines', 'one\ntwo'],
    ['a command of the terminal', 'x\u001b[2J'],
    ['too many characters', 'x'.repeat(501)],
    ['a CPF', 'the client 529.982.247-25 called'],
  ])('gives no reason with %s', async (_, reason) => {
    const { ops, block, ports } = await proposedWorld();

    expect(await ops('rui', `fraud lift ${block.id}`, { flags: { reason } })).toMatch(/^A reason/);
    expect((await ports.acts.listOfSubject(block.id)).length).toBe(1);
  });
});
