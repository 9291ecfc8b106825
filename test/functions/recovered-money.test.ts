import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { balancesOf, type Posting, recovered } from '../../functions/domain/ledger.ts';
import type { PixReturn } from '../../functions/domain/purchase/pix.ts';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import type { Flags } from '../../operations/command.ts';
import { actWorld } from '../support/act-world.ts';
import { type Books, openBooks } from '../support/books.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { type DeathAt, Died, mortalClient } from '../support/mortal-client.ts';
import { START_AT } from '../support/ports.ts';

const AT = START_AT + 20 * MINUTE_MS;
const RETURN: PixReturn = {
  id: 'D1',
  amountCentavos: 250_00,
  status: 'REFUNDED',
  nature: 'MED_FRAUDE',
  at: AT,
};
const IN_FULL = { outcome: 'RECOVERED', amount: '250.00' };

/** A completed purchase whose payment the bank took back: R$ 250.00 are lost, and a case is open. */
async function takenBackWorld(changes: Partial<PixReturn> = {}) {
  const world = actWorld();
  world.ports.clock.advance(90 * MINUTE_MS);
  const books = await openBooks(world.tables);
  const { pix, purchase } = await books.completed();
  pix.returns = [{ ...RETURN, ...changes }];
  await books.run();
  const [id = ''] = await books.openIds();
  const recoveryId = `${pix.endToEndId}#RECOVERED#D1`;
  const close = (
    flags: Flags = IN_FULL,
    { of = id, by = 'ana', death = undefined as DeathAt | undefined } = {},
  ) => {
    const tables = { ...world.tables, client: mortalClient(world.tables.client, death) };
    return world.ops(by, `cases close ${of}`, { role: 'operator', flags, tables });
  };
  const findRecovery = () => books.ports.ledger.findPosting(recoveryId);
  return { tables: world.tables, books, pix, purchase, id, recoveryId, close, findRecovery };
}

const linesOf = (posting: Posting | undefined) =>
  posting?.entries.map(({ account, currency, amount }) => `${account} ${currency} ${amount}`);

async function lossesIn({ ports }: Books, endToEndId: string): Promise<bigint | undefined> {
  const ids = [`${endToEndId}#TAKEN_BACK#D1`, `${endToEndId}#RECOVERED#D1`];
  const found = await Promise.all(ids.map((id) => ports.ledger.findPosting(id)));
  return balancesOf(found.filter((each) => each !== undefined)).get('losses BRL');
}

// docs/decisions.md, "The books"
describe('money that came back after the bank had taken it', () => {
  let world: Awaited<ReturnType<typeof takenBackWorld>>;
  beforeEach(async () => {
    world = await takenBackWorld();
  });

  test('is posted with the closing, and nothing is lost any more', async () => {
    const { close, findRecovery, purchase, pix, books } = world;

    expect(await close()).toContain('is CLOSED as RECOVERED');

    const posting = await findRecovery();
    const { id: transactionId, partnerId } = purchase;
    const { endToEndId } = pix;
    expect(posting).toMatchObject({ kind: 'RECOVERED', transactionId, partnerId, endToEndId });
    expect(linesOf(posting)).toEqual(['pix BRL 25000', 'losses BRL -25000']);
    expect(await lossesIn(books, endToEndId)).toBe(0n);
  });

  test('leaves the rest as a loss if it was a part', async () => {
    const { close, books, pix } = world;

    await close({ ...IN_FULL, amount: '100.01' });

    expect(await lossesIn(books, pix.endToEndId)).toBe(149_99n);
  });

  test('agrees with its case, however often it is compared', async () => {
    const { close, books } = world;
    await close();

    for (const _ of [1, 2]) expect(await books.run()).toMatchObject({ opened: 0, failed: 0 });

    expect(await books.openIds()).toEqual([]);
  });

  test('opens a case if its posting is missing', async () => {
    const { close, books, recoveryId, tables } = world;
    await close();
    const Key = { id: recoveryId };
    await tables.client.send(new DeleteCommand({ TableName: tables.names.ledger, Key }));

    await books.run();

    expect(await books.openIds()).toEqual([`POSTING_MISSING#${recoveryId}`]);
  });

  test('opens a case if its posting was changed', async () => {
    const { close, books, recoveryId } = world;
    await close();
    await books.setPosting(recoveryId, 'SET entries[0].amount = :more', { ':more': 300_00n });

    await books.run();

    expect(await books.openIds()).toEqual([`POSTING_ALTERED#${recoveryId}`]);
  });

  test.each([undefined, 'LOST'])(
    'opens a case if it is posted, and its case is closed as %s',
    async (outcome) => {
      const { close, books, pix, recoveryId, id } = world;
      if (outcome !== undefined) await close({ outcome });
      const { endToEndId } = pix;
      const back = { returnId: 'D1', endToEndId, amountCentavos: 1, at: AT, from: 'losses' } as const;
      await books.post([recovered(back)]);

      await books.run();

      const before = outcome === undefined ? [id] : [];
      expect((await books.openIds()).sort()).toEqual([...before, `POSTING_EXTRA#${recoveryId}`]);
    },
  );

  test.each<[string, Flags, string]>([
    ['without an amount', { outcome: 'RECOVERED' }, '--amount is missing'],
    ['of nothing', { ...IN_FULL, amount: '0' }, '--amount is an amount'],
    ['of less than nothing', { ...IN_FULL, amount: '-250.00' }, '--amount is an amount'],
    ['of a fraction of a centavo', { ...IN_FULL, amount: '0.001' }, '--amount is an amount'],
    ['of no number', { ...IN_FULL, amount: 'all' }, '--amount is an amount'],
    ['of more than was taken back', { ...IN_FULL, amount: '250.01' }, 'more than the case is about'],
  ])('is refused %s, and the case stays open', async (_, flags, words) => {
    const { close, findRecovery, books, id } = world;

    expect(await close(flags)).toContain(words);

    expect(await findRecovery()).toBeUndefined();
    expect(await books.openIds()).toEqual([id]);
  });

  test('is refused a second time, and stays posted once', async () => {
    const { close, findRecovery } = world;
    await close();
    const first = await findRecovery();

    expect(await close({ ...IN_FULL, amount: '1.00' })).toContain('is CLOSED as RECOVERED (R$250.00)');

    expect(await findRecovery()).toEqual(first);
  });

  test('is posted for the one of twenty persons who closed the case', async () => {
    const { close, books, findRecovery, id } = world;
    const amounts = Array.from({ length: 20 }, (_, index) => `${index + 1}.00`);

    const said = await Promise.all(
      amounts.map((amount, index) => close({ ...IN_FULL, amount }, { by: `person${index}` })),
    );

    expect(said.filter((words) => words.endsWith('is CLOSED as RECOVERED.'))).toHaveLength(1);
    const { closed } = (await books.ports.moneyCases.findCase(id))!;
    expect((await findRecovery())?.entries[0]?.amount).toBe(BigInt(closed!.amountCentavos!));
  });

  test.each([false, true])(
    'is posted once if its process dies at any call, after the effect: %s',
    async (isAfter) => {
      const struck: number[] = [];
      for (let call = 1; call < 40; call++) {
        const { close, findRecovery, books, id } = await takenBackWorld();
        const died = await close(IN_FULL, { death: { call, isAfter } }).catch((error: unknown) => error);
        if (!(died instanceof Died)) break;
        struck.push(call);
        const isClosed = (await books.ports.moneyCases.findCase(id))?.status === 'CLOSED';
        expect((await findRecovery()) !== undefined).toBe(isClosed);

        expect(await close()).toContain('CLOSED as RECOVERED');

        expect(linesOf(await findRecovery())).toEqual(['pix BRL 25000', 'losses BRL -25000']);
        expect(await books.run()).toMatchObject({ opened: 0, failed: 0 });
      }
      expect(struck.length).toBeGreaterThan(3);
    },
  );
});

// docs/decisions.md, "The books"
describe('money of a return that has two cases', () => {
  /** The provider tells only later that a MED made the return. */
  async function twoCases() {
    const world = await takenBackWorld({ nature: 'ORIGINAL' });
    world.pix.returns = [RETURN];
    await world.books.run();
    const ids = await world.books.openIds();
    expect(ids).toHaveLength(2);
    return { ...world, ids };
  }

  test.each([
    [0, 1],
    [1, 0],
  ])('is posted for one of them, and the other is refused: %d before %d', async (first, second) => {
    const { books, ids, close, pix } = await twoCases();
    await close(IN_FULL, { of: ids[first]! });

    expect(await close(IN_FULL, { of: ids[second]! })).toContain(
      `The case ${ids[first]} is CLOSED as RECOVERED`,
    );
    expect(await close({ outcome: 'EXPLAINED' }, { of: ids[second]! })).toContain('is CLOSED as EXPLAINED');

    expect(await lossesIn(books, pix.endToEndId)).toBe(0n);
    expect(await books.run()).toMatchObject({ opened: 0, failed: 0 });
    expect(await books.openIds()).toEqual([]);
  });

  test('is posted once if both are closed at once', async () => {
    const { books, ids, close, pix } = await twoCases();

    const said = await Promise.all(ids.map((of) => close(IN_FULL, { of })));

    expect(said.filter((words) => words.endsWith('is CLOSED as RECOVERED.'))).toHaveLength(1);
    expect(said.filter((words) => words.endsWith('Close this one as EXPLAINED.'))).toHaveLength(1);
    expect(await lossesIn(books, pix.endToEndId)).toBe(0n);
    expect(await books.openIds()).toHaveLength(1);
  });
});

describe('a case without a loss in the ledger', () => {
  test('whose amount is unknown is closed as RECOVERED without an amount, and nothing is posted', async () => {
    const { close, findRecovery } = await takenBackWorld({ amountCentavos: undefined });

    expect(await close()).toContain('The ledger has no loss of this MED_REFUND');
    expect(await close({ outcome: 'RECOVERED' })).toContain('is CLOSED as RECOVERED');

    expect(await findRecovery()).toBeUndefined();
  });
});

/** The ledger’s balance of clients, from all postings of the test. */
async function owedToClients({ ports }: Books): Promise<bigint | undefined> {
  const days = new Set([START_AT, ports.clock.now()].map(dayInBrasilia));
  const found = await Promise.all([...days].map((day) => ports.ledger.listDay(day)));
  return balancesOf(found.flat()).get('clients BRL');
}

const GIVEN_BACK = { outcome: 'RETURNED_OUTSIDE', amount: '250.00' };

// docs/decisions.md, "The books"
describe('money of a purchase without a delivery that came back', () => {
  /** The bank took back the payment, and nothing was sent for it. `refund` is our own return, if there was one. */
  async function undelivered(refund?: { status: 'REFUNDED' | 'FAILED' }) {
    const world = actWorld();
    world.ports.clock.advance(90 * MINUTE_MS);
    const books = await openBooks(world.tables);
    const endToEndId = `E${'7'.repeat(31)}`;
    const paid = { endToEndId, amountCentavos: 250_00 };
    const purchase = await books.purchaseIn('FAILED', {
      payment: { ...paid, paidAt: START_AT + MINUTE_MS },
      failure: { reason: 'PAYMENT_TAKEN_BACK' },
      ...(refund && {
        refund: { ...paid, reason: 'PAYER_MISMATCH', refundedAt: AT, tries: 7, ...refund } as never,
      }),
    });
    books.show(purchase, [RETURN]);
    await books.run();
    const ids = await books.openIds();
    const id = ids.find((each) => each.startsWith('MED_REFUND'))!;
    const close = (flags: Flags, of = id, calling = {}) =>
      world.ops('ana', `cases close ${of}`, { role: 'operator', flags, ...calling });
    const approved = async (said: string) =>
      world.ops('rui', `acts approve ${said.split('\n')[0]}`, { role: 'operator' });
    return { ...world, books, endToEndId, purchase, id, ids, close, approved };
  }

  test('is not closed as recovered, because it is its payer’s', async () => {
    const { books, close, id } = await undelivered();

    expect(await close(IN_FULL)).toContain('Give it back by hand, and then close as RETURNED_OUTSIDE');

    expect(await books.openIds()).toEqual([id]);
  });

  test('is closed as returned outside: the ledger gets both ways, and owes nothing', async () => {
    const { books, close, approved, endToEndId } = await undelivered();

    expect(await approved(await close(GIVEN_BACK))).toContain('is CLOSED as RETURNED_OUTSIDE');

    const recovery = await books.ports.ledger.findPosting(`${endToEndId}#RECOVERED#D1`);
    expect(linesOf(recovery)).toEqual(['pix BRL 25000', 'clients BRL -25000']);
    expect(await owedToClients(books)).toBe(0n);
    for (const _ of [1, 2]) expect(await books.run()).toMatchObject({ opened: 0, failed: 0 });
    expect(await books.openIds()).toEqual([]);
  });

  test('opens a case if the posting of its way back is missing', async () => {
    const { books, close, approved, id, tables } = await undelivered();
    await approved(await close(GIVEN_BACK));
    const Key = { id: `${id}#RETURNED_OUTSIDE` };
    await tables.client.send(new DeleteCommand({ TableName: tables.names.ledger, Key }));

    await books.run();

    expect(await books.openIds()).toEqual([`POSTING_MISSING#${Key.id}`]);
  });

  test('is recovered if our own return was made as well, because nothing more is owed', async () => {
    const { close, books } = await undelivered({ status: 'REFUNDED' });

    expect(await close(GIVEN_BACK)).toContain('nothing is owed');
    expect(await close(IN_FULL)).toContain('is CLOSED as RECOVERED');

    expect(await books.openIds()).not.toContainEqual(expect.stringContaining('MED_REFUND'));
  });

  test('is recovered while the case of our failed return is open, which owes the same money', async () => {
    const { close, ids, purchase, approved, books } = await undelivered({ status: 'FAILED' });
    expect(ids).toContain(`REFUND_FAILED#${purchase.id}`);

    expect(await close(IN_FULL)).toContain('is CLOSED as RECOVERED');
    await approved(await close(GIVEN_BACK, `REFUND_FAILED#${purchase.id}`));

    expect(await owedToClients(books)).toBe(0n);
  });

  test('is not closed as recovered once a person has left our failed return', async () => {
    const { close, purchase, approved, books } = await undelivered({ status: 'FAILED' });
    await close({ outcome: 'EXPLAINED' }, `REFUND_FAILED#${purchase.id}`);

    expect(await close(IN_FULL)).toContain('Give it back by hand');
    await approved(await close(GIVEN_BACK));

    expect(await owedToClients(books)).toBe(0n);
  });
});
