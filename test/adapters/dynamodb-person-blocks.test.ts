import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moneyCaseStore } from '../../functions/adapters/dynamodb/money-cases.ts';
import { openMedsId, personBlockStore } from '../../functions/adapters/dynamodb/person-blocks.ts';
import type { PersonBlock } from '../../functions/domain/kyc/person-block.ts';
import { dice as random } from '../support/dice.ts';
import { aMoneyCase } from '../support/money-cases.ts';
import { newId } from '../support/ports.ts';
import { rowIn, startTables } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const AT = Date.UTC(2099, 0, 1);
type Active = Extract<PersonBlock, { state: 'ACTIVE' }>;

const open = () => personBlockStore(tables.client, tables.names.personBlocks, random);
const aBlock = (changes: Partial<Active> = {}): Active => ({
  id: newId(),
  state: 'ACTIVE',
  by: 'ana',
  at: AT,
  reason: 'stolen document',
  ...changes,
});
const LIFTED = { by: 'rui', at: AT + 1, reason: 'mistaken identity' };
const idsIn = async (state: PersonBlock['state']) => (await open().listBlocks(state)).map(({ id }) => id);

describe('the block of a person', () => {
  test('is set by one of twenty operators at once, and all see whose it is', async () => {
    const id = newId();
    const wanted = Array.from({ length: 20 }, (_, each) => aBlock({ id, by: `operator ${each}` }));

    const answers = await Promise.all(wanted.map((each) => open().block(each)));

    expect(new Set(answers.map(({ by }) => by)).size).toBe(1);
    expect(await open().findBlock(id)).toEqual(answers[0]);
  });

  test('is lifted by one of twenty operators at once', async () => {
    const { id } = await open().block(aBlock());
    const liftings = Array.from({ length: 20 }, (_, each) => ({ ...LIFTED, by: `operator ${each}` }));

    const answers = await Promise.all(liftings.map((each) => open().lift(id, each)));

    expect(new Set(answers.map((each) => each?.lifted?.by)).size).toBe(1);
  });

  test('is replaced once it is over or was lifted, and not before', async () => {
    const first = await open().block(aBlock({ until: AT + 10 }));
    const next = { ...aBlock({ id: first.id, by: 'rui' }), at: AT + 9 };

    expect(await open().block(next)).toEqual(first);
    expect(await open().block({ ...next, at: AT + 10 })).toMatchObject({ by: 'rui', at: AT + 10 });
    await open().lift(first.id, { ...LIFTED, at: AT + 11 });
    expect(await open().block({ ...next, at: AT + 12 })).toEqual({ ...next, at: AT + 12 });
  });

  test('is in the list of its state alone', async () => {
    const { id } = await open().block(aBlock());
    expect(await idsIn('ACTIVE')).toContain(id);
    expect(await idsIn('LIFTED')).not.toContain(id);

    await open().lift(id, LIFTED);

    expect(await idsIn('ACTIVE')).not.toContain(id);
    expect(await idsIn('LIFTED')).toContain(id);
  });

  test('is kept ten years after its end or its lifting, and without an end for good', async () => {
    const ttl = async (id: string) => (await rowIn(tables, 'personBlocks', id))?.ttl;
    const { id } = await open().block(aBlock());
    expect(await ttl(id)).toBeUndefined();
    expect(await ttl((await open().block(aBlock({ until: AT + 1 }))).id)).toBe(Date.UTC(2110, 0, 1) / 1000);

    await open().lift(id, LIFTED);

    expect(await ttl(id)).toBe(Date.UTC(2110, 0, 1) / 1000);
  });

  test('that nobody set cannot be lifted', async () => {
    expect(await open().lift(newId(), LIFTED)).toBeUndefined();
  });
});

describe('a case of the MED', () => {
  const aCase = async (personId = newId()) => {
    const store = moneyCaseStore(tables.client, tables.names, random);
    const found = { ...aMoneyCase('MED_REFUND', newId(), { openedAt: AT }), personId };
    await store.open(found);
    const close = (outcome: 'FRAUD' | 'LOST', by = 'ana') =>
      store.close(found.id, { by, at: AT + 1, reason: 'admitted', outcome });
    return { personId, id: found.id, close };
  };

  // docs/decisions.md, "MED refunds and fraud"
  test('that is closed as FRAUD blocks the person in the same write, with who and why', async () => {
    const { personId, id, close } = await aCase();

    await close('FRAUD');

    expect(await open().findBlock(personId)).toEqual(
      aBlock({ id: personId, at: AT + 1, reason: 'admitted', caseId: id }),
    );
  });

  test('that is closed as LOST blocks nobody elsewhere', async () => {
    const { personId, close } = await aCase();

    await close('LOST');

    expect(await open().findBlock(personId)).toBeUndefined();
  });

  test('is closed as FRAUD even if the person is blocked already, and that block stays', async () => {
    const { personId, close } = await aCase();
    const earlier = await open().block(aBlock({ id: personId }));

    expect(await close('FRAUD')).toMatchObject({ status: 'CLOSED' });

    expect(await open().findBlock(personId)).toEqual(earlier);
  });

  test('that two operators close at once blocks the person as its closing says', async () => {
    const { personId, close } = await aCase();

    const [one] = await Promise.all([close('FRAUD', 'ana'), close('LOST', 'rui')]);

    const block = await open().findBlock(personId);
    expect(block?.by).toBe(one.closed?.outcome === 'FRAUD' ? 'ana' : undefined);
  });

  const openMedsOf = (personId: string) => rowIn(tables, 'personBlocks', openMedsId(personId));
  const END = Date.UTC(2110, 0, 1) / 1000;

  test('stays in the list of open ones until it is closed, and only the last closing ends the list', async () => {
    const { personId, id, close } = await aCase();
    const other = await aCase(personId);

    await close('LOST');
    expect(await openMedsOf(personId)).toEqual({ id: openMedsId(personId), cases: new Set([other.id]) });
    await other.close('LOST');

    expect(await openMedsOf(personId)).toEqual({ id: openMedsId(personId), ttl: END });
    expect(await close('LOST')).toMatchObject({ id, status: 'CLOSED' });
  });

  test('that opens after the last closing keeps the list without an end, also during a hold', async () => {
    const first = await aCase();
    await first.close('LOST');
    const { personId, id, close } = await aCase(first.personId);
    expect(await openMedsOf(personId)).toEqual({ id: openMedsId(personId), cases: new Set([id]) });
    await close('LOST');
    const hold = { id: openMedsId(personId), heldTtl: END };
    await tables.client.send(new PutCommand({ TableName: tables.names.personBlocks, Item: hold }));

    const last = await aCase(personId);

    expect(await openMedsOf(personId)).toEqual({ id: openMedsId(personId), cases: new Set([last.id]) });
  });

  test('that is closed with another at once leaves no open one, and the list ends', async () => {
    const { personId, close } = await aCase();
    const others = [await aCase(personId), await aCase(personId)];

    await Promise.all([close('LOST'), ...others.map((each) => each.close('LOST'))]);

    expect(await openMedsOf(personId)).toEqual({ id: openMedsId(personId), ttl: END });
  });
});
