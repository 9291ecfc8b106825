import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { moneyCaseStore } from '../../functions/adapters/dynamodb/money-cases.ts';
import type { BlockLifting, MoneyCaseClosing } from '../../functions/domain/books/money-case.ts';
import { MONEY_CASE_OUTCOMES, type MoneyCaseOutcome } from '../../functions/domain/books/money-case-kinds.ts';
import { balancesOf, isBalanced } from '../../functions/domain/ledger.ts';
import { receivedId } from '../../functions/domain/purchase/postings.ts';
import { advance } from '../../functions/domain/purchase/transitions.ts';
import { aClient } from '../support/builders.ts';
import { dice as random } from '../support/dice.ts';
import { aMoneyCase } from '../support/money-cases.ts';
import { newEndToEndId, openPorts, putPurchaseIn } from '../support/ports.ts';
import { rowIn, startTables, tapped } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const AT = Date.UTC(2099, 0, 1);
const CLOSING: MoneyCaseClosing = { by: 'ana', at: AT + 1, reason: 'contested', outcome: 'RECOVERED' };
const LIFTING: BlockLifting = { by: 'ana', at: AT + 2, reason: 'the bank withdrew its claim' };

async function world() {
  const ports = openPorts(tables);
  const store = moneyCaseStore(tables.client, tables.names, random);
  const { id: transactionId, clientId, partnerId } = await putPurchaseIn(ports, 'COMPLETED');
  await ports.clients.create(aClient({ id: clientId, partnerId }));
  const med = (key: string, of: { clientId?: string } = { clientId }) =>
    aMoneyCase('MED_REFUND', key, { openedAt: AT, transactionId, endToEndId: 'E1', ...of });
  const blockedFor = async () => (await ports.clients.findClient(clientId))?.blockedFor;
  return { store, transactionId, clientId, med, blockedFor };
}

describe('a case of money', () => {
  test('is opened once, however many find it at once, and keeps its first facts', async () => {
    const { store, med } = await world();
    const found = med('once');

    const opened = await Promise.all(Array.from({ length: 8 }, () => store.open(found)));
    const again = await store.open({ ...found, openedAt: AT + 9, amountCentavos: 1 });

    expect(opened.filter(Boolean)).toHaveLength(1);
    expect(again).toBe(false);
    expect(await store.findCase(found.id)).toEqual(found);
  });

  test('is new to the process that opened it, even if the first answer was lost and the SDK asked again', async () => {
    const { store, transactionId } = await world();
    const found = aMoneyCase('REFUND_FAILED', transactionId, { openedAt: AT });
    const stack = tables.client.middlewareStack;
    let asked = 0;
    stack.add(
      (next) => async (given) => {
        const answer = await next(given);
        if (++asked > 1) return answer;
        throw Object.assign(new Error('no answer in time'), { name: 'TimeoutError' });
      },
      { step: 'deserialize', name: 'losesFirstAnswer' },
    );

    const isNew = await store.open(found);
    stack.remove('losesFirstAnswer');

    expect({ isNew, asked }).toEqual({ isNew: true, asked: 2 });
    expect(await store.findCase(found.id)).toEqual(found);
  });

  test('is listed until it is closed, the oldest first', async () => {
    const { store, med } = await world();
    const [younger, older] = [med('younger'), { ...med('older'), openedAt: AT - 1 }];
    await store.open(younger);
    await store.open(older);

    const listed = (await store.listOpen()).map(({ id }) => id);
    expect(listed.indexOf(older.id)).toBeLessThan(listed.indexOf(younger.id));
    expect(listed).toContain(younger.id);

    await store.close(older.id, CLOSING);
    expect((await store.listOpen()).map(({ id }) => id)).not.toContain(older.id);
  });

  test('is closed once: the first of two persons counts, and both learn the same', async () => {
    const { store, med } = await world();
    const { id } = med('closed');
    await store.open(med('closed'));

    const answers = await Promise.all([
      store.close(id, CLOSING),
      store.close(id, { ...CLOSING, by: 'rui', outcome: 'LOST' }),
    ]);

    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ status: 'CLOSED' });
    expect(['ana', 'rui']).toContain(answers[0].closed?.by);
  });

  test('is not opened again after it was closed, and ends ten years later; an open one stays', async () => {
    const { store, transactionId } = await world();
    const found = aMoneyCase('REFUND_FAILED', transactionId, { openedAt: AT });
    const { id } = found;
    await store.open(found);
    expect(await rowIn(tables, 'moneyCases', id)).not.toHaveProperty('ttl');

    await store.close(id, CLOSING);

    expect(await store.open(found)).toBe(false);
    expect(await store.findCase(id)).toMatchObject({ status: 'CLOSED', closed: CLOSING });
    expect(await rowIn(tables, 'moneyCases', id)).toMatchObject({ ttl: Date.UTC(2110, 0, 1) / 1000 });
  });

  test('cannot be closed if it does not exist', async () => {
    const { store } = await world();

    await expect(store.close('MED_REFUND#nothing', CLOSING)).rejects.toThrow('does not exist');
  });
});

describe('the client of a case that blocks', () => {
  test('is marked with the case, and free only once the block of the last case is lifted', async () => {
    const { store, med, blockedFor } = await world();
    const [one, other] = [med('one'), med('other')];
    await store.open(one);
    await store.open(other);
    expect((await blockedFor())?.sort()).toEqual([one.id, other.id].sort());

    expect(await store.lift(one.id, LIFTING)).toMatchObject({ block: 'LIFTED', unblocked: LIFTING });
    expect(await blockedFor()).toEqual([other.id]);

    await store.lift(other.id, LIFTING);
    expect(await blockedFor()).toBeUndefined();
  });

  test.each(Object.keys(MONEY_CASE_OUTCOMES) as MoneyCaseOutcome[])(
    'stays blocked when the case is closed as %s',
    async (outcome) => {
      const { store, med, blockedFor } = await world();
      const found = med(outcome);
      await store.open(found);

      await store.close(found.id, { ...CLOSING, outcome });

      expect(await blockedFor()).toEqual([found.id]);
      expect(await store.findCase(found.id)).toMatchObject({ status: 'CLOSED', block: 'ACTIVE' });
    },
  );

  test('is freed once: the first of two persons counts, and both learn the same', async () => {
    const { store, med, blockedFor } = await world();
    const { id } = med('lifted');
    await store.open(med('lifted'));

    const answers = await Promise.all([store.lift(id, LIFTING), store.lift(id, { ...LIFTING, by: 'rui' })]);
    const again = await store.lift(id, { ...LIFTING, by: 'eva', at: AT + 9 });

    expect(answers[0]).toEqual(answers[1]);
    expect(again).toEqual(answers[0]);
    expect(['ana', 'rui']).toContain(again.unblocked?.by);
    expect(await blockedFor()).toBeUndefined();
  });

  test('is freed by the person whose answer was lost', async () => {
    const { store, med, blockedFor } = await world();
    await store.open(med('lost'));
    let left = 1;
    const { client, names } = tapped(tables, (send) => async (command) => {
      const answer = await send(command);
      if (!(command instanceof TransactWriteCommand) || left-- <= 0) return answer;
      throw Object.assign(new Error('socket hang up'), { $metadata: {} });
    });

    const lifted = await moneyCaseStore(client, names, random).lift(med('lost').id, LIFTING);

    expect(lifted).toMatchObject({ status: 'OPEN', unblocked: LIFTING });
    expect(await blockedFor()).toBeUndefined();
  });

  test.each(['close first', 'lift first', 'both at once'])(
    'is in one list or the other, and the case ends ten years after both are over: %s',
    async (order) => {
      const { store, med } = await world();
      const { id } = med(order);
      const ids = async (block: 'ACTIVE' | 'LIFTED') =>
        (await store.listBlocks(block)).map((each) => each.id);
      const ttl = async () => (await rowIn(tables, 'moneyCases', id))?.ttl;
      const acts = [() => store.close(id, CLOSING), () => store.lift(id, LIFTING)] as const;
      await store.open(med(order));
      expect([await ids('ACTIVE'), await ids('LIFTED')]).toEqual([
        expect.arrayContaining([id]),
        expect.not.arrayContaining([id]),
      ]);

      if (order === 'both at once') await Promise.all(acts.map((act) => act()));
      else {
        const [first, second] = order === 'close first' ? acts : [...acts].reverse();
        await first!();
        expect(await ttl()).toBeUndefined();
        await second!();
      }

      expect(await ttl()).toBe(Date.UTC(2110, 0, 1) / 1000);
      expect(await store.findCase(id)).toMatchObject({ closed: CLOSING, unblocked: LIFTING });
      expect(await ids('ACTIVE')).not.toContain(id);
      expect(await ids('LIFTED')).toContain(id);
      expect((await store.listClosed()).map((each) => each.id)).toContain(id);
    },
  );

  test('is not marked again for a discrepancy whose block was lifted', async () => {
    const { store, med, blockedFor } = await world();
    await store.open(med('again'));
    await store.lift(med('again').id, LIFTING);

    await store.open(med('again'));

    expect(await blockedFor()).toBeUndefined();
  });

  test('is not freed by a case that blocks nobody', async () => {
    const { store, transactionId, clientId } = await world();
    const found = aMoneyCase('REFUND_FAILED', transactionId, { openedAt: AT, clientId });
    await store.open(found);

    await expect(store.lift(found.id, LIFTING)).rejects.toThrow('blocks no client');
    await expect(store.lift('MED_REFUND#nothing', LIFTING)).rejects.toThrow('blocks no client');

    expect(await store.findCase(found.id)).not.toHaveProperty('unblocked');
  });

  test('may be gone: the case can still be opened, closed and lifted, and no row is made', async () => {
    const { store, med } = await world();
    const gone = med('gone', { clientId: 'client-gone' });

    expect(await store.open(gone)).toBe(true);
    expect(await store.close(gone.id, CLOSING)).toMatchObject({ status: 'CLOSED' });
    expect(await store.lift(gone.id, LIFTING)).toMatchObject({ block: 'LIFTED' });

    expect(await rowIn(tables, 'clients', 'client-gone')).toBeUndefined();
  });

  test('stays free if the case blocks nobody', async () => {
    const { store, clientId, blockedFor } = await world();
    const found = aMoneyCase('REFUND_FAILED', 'x', { openedAt: AT, clientId });

    await store.open(found);

    expect(await blockedFor()).toBeUndefined();
  });
});

describe('money that a person returned by hand', () => {
  const outside = (amountCentavos: number): MoneyCaseClosing => ({
    by: 'ana',
    at: AT + 5,
    reason: 'TED 4711',
    outcome: 'RETURNED_OUTSIDE',
    amountCentavos,
  });

  /** A purchase of R$ 250.00 whose refund has failed for good, with the postings of its moves. */
  async function failedRefund() {
    const ports = openPorts(tables);
    const purchase = await putPurchaseIn(ports, 'AWAITING_PIX');
    const endToEndId = newEndToEndId();
    const payment = { endToEndId, paidAt: AT, amountCentavos: 250_00 };
    const at = { now: AT, minuteMs: 60_000 };
    await ports.transactions.save(advance(purchase, 'Pix payment detected', at, { payment })!);
    const { id: transactionId } = purchase;
    const subject = { openedAt: AT, transactionId, endToEndId, amountCentavos: 250_00 };
    const opened = aMoneyCase('REFUND_FAILED', transactionId, subject);
    await ports.moneyCases.open(opened);
    const posted = async () => {
      const ids = [receivedId(endToEndId), `${opened.id}#RETURNED_OUTSIDE`];
      const found = await Promise.all(ids.map((id) => ports.ledger.findPosting(id)));
      return found.filter((each) => each !== undefined);
    };
    return { store: ports.moneyCases, id: opened.id, transactionId, endToEndId, posted };
  }

  test('is posted with the closing, balanced: nothing is owed any more, and the account has it no more', async () => {
    const { store, id, transactionId, endToEndId, posted } = await failedRefund();
    expect(balancesOf(await posted())).toEqual(balances({ 'pix BRL': 250_00n, 'clients BRL': -250_00n }));

    const closed = await store.close(id, outside(250_00));

    expect(closed).toMatchObject({ status: 'CLOSED', closed: outside(250_00) });
    const [, posting] = await posted();
    expect(posting).toMatchObject({ kind: 'RETURNED_OUTSIDE', at: AT + 5, transactionId, endToEndId });
    expect(isBalanced(posting!)).toBe(true);
    expect(balancesOf(await posted())).toEqual(balances({ 'pix BRL': 0n, 'clients BRL': 0n }));
  });

  test('leaves the rest owed if it was a part: received equals returned plus remaining', async () => {
    const { store, id, posted } = await failedRefund();

    await store.close(id, outside(100_01));

    expect(balancesOf(await posted())).toEqual(balances({ 'pix BRL': 149_99n, 'clients BRL': -149_99n }));
  });

  test('is posted once, for the one of two persons who closed the case', async () => {
    const { store, id, posted } = await failedRefund();

    const answers = await Promise.all([
      store.close(id, outside(250_00)),
      store.close(id, { ...outside(100_00), by: 'rui' }),
      store.close(id, { ...CLOSING, outcome: 'RETURNED' }),
    ]);

    const { closed } = answers[0];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const gone = closed!.outcome === 'RETURNED' ? 0 : closed!.amountCentavos!;
    expect(balancesOf(await posted()).get('pix BRL')).toBe(250_00n - BigInt(gone));
  });

  test('does not close the case if another process has written its posting', async () => {
    const { store, id } = await failedRefund();
    const planted = { id: `${id}#RETURNED_OUTSIDE`, kind: 'RETURNED_OUTSIDE', day: '2099-01-01', at: AT };
    const Item = { ...planted, entries: [] };
    await tables.client.send(new PutCommand({ TableName: tables.names.ledger, Item }));

    await expect(store.close(id, outside(250_00))).rejects.toThrow('is in the ledger');

    expect(await store.findCase(id)).toMatchObject({ status: 'OPEN' });
  });
});

describe('the cursor of the books', () => {
  const progressAt = (version: number, at: number) => ({ version, upTo: at, comparedUpTo: at });

  test('is kept by one of several runs that continue from the same place', async () => {
    const own = await startTables();
    const store = moneyCaseStore(own.client, own.names, random);
    expect(await store.findProgress('CLOCK')).toBeUndefined();
    expect(await store.findCursor()).toBeUndefined();

    const kept = await Promise.all([1, 2, 3].map((at) => store.saveProgress('CLOCK', progressAt(1, at))));
    const later = [
      await store.saveProgress('CLOCK', progressAt(2, 8)),
      await store.saveProgress('CLOCK', progressAt(2, 9)),
    ];

    expect(kept.filter(Boolean)).toHaveLength(1);
    expect(later).toEqual([true, false]);
    expect(await store.findProgress('CLOCK')).toEqual(progressAt(2, 8));
    expect(await store.findCursor()).toBe(8);
    expect(await store.findProgress('OPERATOR')).toBeUndefined();
    await own.stop();
  });
});

const balances = (named: Record<string, bigint>) => new Map(Object.entries(named));
