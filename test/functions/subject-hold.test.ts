import { DeleteCommand, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { type Sliced, sliceKey, sliceOf } from '../../functions/domain/books/evidence-slice.ts';
import { keepHeldRows } from '../../functions/logic/money/held-rows.ts';
import type { TableName } from '../../functions/tables/describe.ts';
import { TABLE_LIST } from '../../functions/tables.ts';
import { aPartner, MINUTE_MS } from '../support/builders.ts';
import { aBuyer } from '../support/buyer.ts';
import { DAY, type DataSubjectWorld, dataSubject, END, putRareRows } from '../support/data-subject.ts';
import { Died, mortalClient } from '../support/mortal-client.ts';
import { newId } from '../support/ports.ts';
import { randomCpf } from '../support/sandbox.ts';

type Ends = Record<string, { ttl?: number; heldTtl?: number }>;
/** The tables whose rows tell of the operators' acts. Each command adds some. */
const OWN: readonly TableName[] = ['acts', 'evidence', 'personBlocks'];

/** The ends of all rows, by table and id. */
async function endsOf(
  { tables: { client, names } }: DataSubjectWorld,
  all = TABLE_LIST.map(({ name }) => name),
) {
  const ends: Ends = {};
  for (const name of all)
    for await (const { Items = [] } of paginateScan({ client }, { TableName: names[name] }))
      for (const { id, ttl, heldTtl } of Items) ends[`${name} ${id}`] = { ttl, heldTtl };
  return ends;
}

const ofOthers = TABLE_LIST.map(({ name }) => name).filter((name) => !OWN.includes(name));
const mortals = (ends: Ends) => Object.values(ends).filter(({ ttl }) => ttl !== undefined);

async function aSubject() {
  const world = await dataSubject();
  await putRareRows(world);
  const hold = (more: object = {}) =>
    world.ops('ana', 'subject hold', { flags: { cpf: world.cpf }, ...more });
  async function release() {
    const said = await world.ops('ana', `subject release ${world.personId}`);
    return world.ops('rui', `acts approve ${said.split('\n')[0]}`);
  }
  return { ...world, hold, release };
}

// docs/operations.md, "A client's rights"
describe('subject hold', () => {
  it('takes their end from all rows of the person, in every table, and from no other row', async () => {
    const world = await aSubject();
    const stranger = 'transactions REFERENCE#other#1';
    await world.put('transactions', { id: 'REFERENCE#other#1', usedBy: 'other', ttl: END });
    const before = await endsOf(world, ofOthers);

    expect(await world.hold()).toContain(`The person ${world.personId} is held`);

    const after = await endsOf(world, ofOthers);
    expect(mortals(before).length).toBeGreaterThan(12);
    expect(after[stranger]).toEqual({ ttl: END });
    for (const [row, { ttl }] of Object.entries(before))
      if (row !== stranger && ttl !== undefined) expect(after[row], row).toEqual({ heldTtl: ttl });
    const own = await endsOf(world, OWN as TableName[]);
    expect(own[`personBlocks MED#${world.personId}`]).toEqual({ heldTtl: END });
    expect(own['acts ACT#1']).toEqual({ heldTtl: END });
  });

  it('also keeps rows that are written while it lasts', async () => {
    const world = await aSubject();
    await world.hold();
    const { ports, purchase } = world;
    await world.put('events', { id: `${purchase.id}.1`, endpointIds: ['two'], ttl: END });
    await world.put('deliveries', { id: `${purchase.id}.1#two`, ttl: END });
    await world.put('usages', { id: `${world.personId}#${DAY}`, centavos: 1, ttl: END });

    await keepHeldRows(ports);

    const ends = await endsOf(world, ofOthers);
    for (const row of [
      `events ${purchase.id}.1`,
      `deliveries ${purchase.id}.1#two`,
      `usages ${world.personId}#${DAY}`,
    ])
      expect(ends[row]).toEqual({ heldTtl: END });
  });

  it('keeps the counters of a person who bought on several days', async () => {
    const world = await aSubject();
    await world.hold();
    const { ports, purchase, personId } = world;
    const claim = { day: '2099-01-02', person: personId };
    await ports.transactions.create({ ...purchase, id: newId(), externalId: undefined, claim });
    const usages = [DAY, '2099-01-02', '2099-01'].map((period) => `${personId}#${period}`);
    for (const id of usages) await world.put('usages', { id, centavos: 1, ttl: END });

    await keepHeldRows(ports);

    const ends = await endsOf(world, ['usages']);
    for (const id of usages) expect(ends[`usages ${id}`]).toEqual({ heldTtl: END });
  });

  it('of one person lasts, even if the look for another person fails', async () => {
    const world = await aSubject();
    const other = randomCpf();
    await aBuyer(world.ports, { cpf: other });
    await world.hold();
    await world.hold({ flags: { cpf: other } });
    const { litigationHolds: holds } = world.ports;
    const [first, second] = await holds.listHeld();
    const listBegun: typeof holds.listBegun = (owners) =>
      owners.personId === first?.personId ? Promise.reject(new Error('broken')) : holds.listBegun(owners);

    const look = keepHeldRows({ ...world.ports, litigationHolds: { ...holds, listBegun } });

    await expect(look).rejects.toThrow('broken');
    expect(await holds.findHold(second!.personId)).toHaveProperty('keptAt');
    expect(await holds.findHold(first!.personId)).not.toHaveProperty('keptAt');
  });

  it('lets the service look again after some hours only', async () => {
    const world = await aSubject();
    await world.hold();
    await keepHeldRows(world.ports);
    await world.put('events', { id: `${world.purchase.id}.1`, ttl: END });
    const endOf = async () => (await endsOf(world, ['events']))[`events ${world.purchase.id}.1`];

    world.ports.clock.advance(5 * 60 * MINUTE_MS);
    await keepHeldRows(world.ports);
    expect(await endOf()).toEqual({ ttl: END });
    world.ports.clock.advance(60 * MINUTE_MS);
    await keepHeldRows(world.ports);
    expect(await endOf()).toEqual({ heldTtl: END });
  });

  it('renews an earlier hold, for partners that came since', async () => {
    const world = await aSubject();
    await world.hold();
    await world.ports.register.create(aPartner({ id: 'newcomer', keyIds: [] }));
    const { clientIds, at } = (await world.ports.litigationHolds.findHold(world.personId))!;
    world.ports.clock.advance(MINUTE_MS);
    expect(await world.ops('ana', 'subject holds')).toContain('2 of 3: renew it');

    await world.hold();

    const renewed = (await world.ports.litigationHolds.findHold(world.personId))!;
    expect(renewed).toMatchObject({ at, state: 'HELD', clientIds: expect.arrayContaining([...clientIds]) });
    expect(renewed.clientIds).toHaveLength(clientIds.length + 1);
  });

  it('is listed with its reason, and without the CPF', async () => {
    const world = await aSubject();
    expect(await world.ops('ana', 'subject holds')).toBe('No person is held.');

    await world.hold();

    const said = await world.ops('ana', 'subject holds');
    expect(said).toContain(world.personId);
    expect(said).not.toContain(world.cpf);
  });

  it('accepts a CPF of which nothing is known yet', async () => {
    const world = await aSubject();

    expect(await world.ops('ana', 'subject hold', { flags: { cpf: randomCpf() } })).toContain(
      'is held since',
    );
  });

  it.each(['111.111.111-11', '9'.repeat(10_240)])('refuses what is no CPF', async (cpf) => {
    const world = await aSubject();

    expect(await world.ops('ana', 'subject hold', { flags: { cpf } })).toContain('no CPF');
  });

  it.each([false, true])(
    'is completed by a second call, whatever call the first dies at, after the effect: %s',
    async (isAfter) => {
      for (let call = 1; ; call++) {
        const world = await aSubject();
        const before = await endsOf(world, ofOthers);
        const client = mortalClient(world.tables.client, { call, isAfter });
        const died = await world.hold({ tables: { ...world.tables, client } }).catch((error: Error) => error);

        await world.hold();

        const after = await endsOf(world, ofOthers);
        for (const [row, { ttl }] of Object.entries(before))
          if (ttl !== undefined) expect(after[row], `${call}: ${row}`).toEqual({ heldTtl: ttl });
        expect(world.legallyHeld.size, String(call)).toBeGreaterThan(0);
        if (!(died instanceof Died)) return expect(call).toBeGreaterThan(60);
      }
    },
  );
});

// docs/operations.md, "A client's rights"
describe('the archived objects of a held person', () => {
  /** Registers the slice of this instant. */
  const registerSlice = async (table: Sliced, { put, ports }: DataSubjectWorld) => {
    const id = sliceKey(table, sliceOf(ports.clock.now()));
    await put('archive', { id, versionId: '7' });
    return `${id}?7`;
  };

  it('have a legal hold until the release, and nobody else’s have', async () => {
    const world = await aSubject();
    await world.put('archive', { id: 'executions/2026-01-01/stranger.json', versionId: '1' });
    const evidence = await registerSlice('evidence', world);
    const acts = await registerSlice('acts', world);
    const later = sliceKey('acts', sliceOf(world.ports.clock.now() + 60 * MINUTE_MS));
    await world.put('archive', { id: later, versionId: '7' });

    expect(await world.hold()).toContain('objects of the archive have a legal hold');
    const held = [...world.legallyHeld];
    await world.release();

    expect(held).toContainEqual(expect.stringMatching(/^executions\/.*\.json\?1$/));
    expect(held).toEqual(expect.arrayContaining([evidence, acts]));
    expect(held.join()).not.toContain('stranger');
    expect(held.join()).not.toContain(later);
    expect([...world.legallyHeld]).toEqual([]);
  });

  it('stay held if they also name another held person', async () => {
    const world = await aSubject();
    const other = randomCpf();
    const slice = await registerSlice('evidence', world);
    await aBuyer(world.ports, { cpf: other });
    await world.hold();
    await world.hold({ flags: { cpf: other } });

    await world.release();
    expect([...world.legallyHeld]).toEqual([slice]);

    await world.hold();
    expect(world.legallyHeld.size).toBeGreaterThan(1);
  });
});

describe('subject release', () => {
  it('gives every row its own end back, once two persons want it', async () => {
    const world = await aSubject();
    const before = await endsOf(world, ofOthers);
    await world.hold();

    await world.release();

    expect(await endsOf(world, ofOthers)).toEqual(before);
    expect(await world.ops('ana', 'subject holds')).toBe('No person is held.');
  });

  it('keeps the newer end of a row that was written during the hold', async () => {
    const world = await aSubject();
    await world.hold();
    const { client, names } = world.tables;
    await client.send(
      new UpdateCommand({
        TableName: names.transactions,
        Key: { id: world.purchase.id },
        UpdateExpression: 'SET #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':ttl': END + 1 },
      }),
    );

    await world.release();

    expect((await endsOf(world, ['transactions']))[`transactions ${world.purchase.id}`]).toEqual({
      ttl: END + 1,
    });
  });

  it('ends the work of the service: no row is kept any more', async () => {
    const world = await aSubject();
    await world.hold();
    await world.release();
    const before = await endsOf(world);
    world.ports.clock.advance(24 * 60 * MINUTE_MS);

    await keepHeldRows(world.ports);
    const [row] = await world.ports.litigationHolds.listEvents([`${world.purchase.id}.1`]);
    await world.ports.litigationHolds.park(world.personId, 'events', row!);

    expect(await endsOf(world)).toEqual(before);
  });

  it('recreates no row that is gone', async () => {
    const world = await aSubject();
    await world.hold();
    const [row] = await world.ports.litigationHolds.listEvents([`${world.purchase.id}.1`]);
    const { client, names } = world.tables;
    await client.send(new DeleteCommand({ TableName: names.events, Key: { id: row!.id } }));
    await world.release();

    await world.ports.litigationHolds.restore(world.personId, 'events', row!);
    await world.ports.litigationHolds.restore(world.personId, 'events', { ...row!, ttl: END });

    expect(await world.ports.litigationHolds.listEvents([row!.id])).toEqual([]);
  });

  it('is refused for a person who is not held, and when it was done before', async () => {
    const world = await aSubject();
    expect(await world.ops('ana', 'subject release nobody')).toBe('No person nobody is held.');

    await world.hold();
    await world.release();

    expect(await world.ops('ana', `subject release ${world.personId}`)).toContain('The person is free');
  });
});
