import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Liveness } from '../../functions/domain/kyc/identity.ts';
import { instantOf } from '../../functions/domain/ports.ts';
import type { Status } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { advance } from '../../functions/domain/purchase/transitions.ts';
import { sweepStuckTransactions } from '../../functions/schedules/sweep-stuck-transactions.ts';
import { MINUTE_MS } from '../support/builders.ts';
import {
  aReceivedPix,
  openPorts,
  putPurchaseIn,
  reread,
  START_AT,
  type TestPorts,
} from '../support/ports.ts';
import { memoryTables, rowIn, type Tables } from '../support/tables.ts';

const NEXT_LOOK = START_AT + 2 * MINUTE_MS;

// Each test has its own tables, because a sweep reads everything.
let tables: Tables;
beforeEach(() => {
  tables = memoryTables();
});

/** A purchase that was not moved in time. */
function stuck(ports: TestPorts, status: Status, changes: Partial<Transaction> = {}) {
  return putPurchaseIn(ports, status, { nextCheckAt: START_AT, ...changes });
}

type Facts = { age?: number; expiresAt?: number };
const running = ({ id }: { id: string }, executions = 0) => `${id}#${executions}`;

describe('a purchase without an execution', () => {
  test.each(['AWAITING_MFA', 'AWAITING_PIX', 'PROCESSING', 'FAILED'] as const)(
    'in %s gets one, under a new name',
    async (status) => {
      const ports = openPorts(tables);
      const { id } = await stuck(ports, status);

      expect(await sweepStuckTransactions(ports)).toEqual({ looked: 1 });

      expect(ports.machine.started).toEqual([{ transactionId: id, status, executions: 1 }]);
      expect(await reread(ports, { id })).toMatchObject({ status, executions: 1, nextCheckAt: NEXT_LOOK });
    },
  );

  test('gets the next name if that one has ended too', async () => {
    const ports = openPorts(tables);
    const purchase = await stuck(ports, 'PROCESSING', { executions: 3 });

    await sweepStuckTransactions(ports);

    expect(ports.machine.started).toMatchObject([{ transactionId: purchase.id, executions: 4 }]);
  });

  test('gets one name from several sweeps if the first died before its write', async () => {
    const ports = openPorts(tables);
    const purchase = await stuck(ports, 'PROCESSING');
    const postpone = () => Promise.reject(new Error('the function died'));
    await sweepStuckTransactions({ ...ports, duePurchases: { ...ports.duePurchases, postpone } });
    ports.machine.running.clear();

    await sweepStuckTransactions(ports);

    const start = { transactionId: purchase.id, status: 'PROCESSING', executions: 1 };
    expect(ports.machine.started).toEqual([start, start]);
  });

  test('gets none if both ended after the sweep had read the purchase', async () => {
    const ports = openPorts(tables);
    const purchase = await stuck(ports, 'PROCESSING');
    const isRunning = async () => {
      const done = advance(purchase, 'stablecoin settled on-chain', instantOf(ports.clock), {
        txHash: '0x1',
      })!;
      await ports.transactions.save(done);
      return false;
    };

    await sweepStuckTransactions({ ...ports, machine: { ...ports.machine, isRunning } });

    expect(ports.machine.started).toEqual([]);
    expect(await reread(ports, purchase)).toMatchObject({ status: 'COMPLETED', executions: 0 });
  });

  test('gets one for its present status', async () => {
    const ports = openPorts(tables);
    const purchase = await stuck(ports, 'AWAITING_PIX');
    const isRunning = async () => {
      const { endToEndId, paidAt, amountCentavos } = aReceivedPix(purchase);
      const payment = { endToEndId, paidAt, amountCentavos };
      const paid = advance(purchase, 'Pix payment detected', instantOf(ports.clock), { payment })!;
      await ports.transactions.save(paid);
      return false;
    };

    await sweepStuckTransactions({ ...ports, machine: { ...ports.machine, isRunning } });

    expect(ports.machine.started).toMatchObject([{ status: 'PROCESSING', executions: 1 }]);
  });

  test('gets one name from two sweeps at once', async () => {
    const ports = openPorts(tables);
    await stuck(ports, 'PROCESSING');

    await Promise.all([sweepStuckTransactions(ports), sweepStuckTransactions(ports)]);

    expect(new Set(ports.machine.started.map(({ executions }) => executions))).toEqual(new Set([1]));
  });
});

describe('a purchase whose execution runs', () => {
  // docs/architecture.md, "Five ideas"
  test('is woken if its wait has missed the news', async () => {
    const ports = openPorts(tables);
    const wait = { status: 'AWAITING_PIX', token: 'token-1' } as const;
    const purchase = await stuck(ports, 'PROCESSING', { wait });
    ports.machine.running.add(running(purchase));

    await sweepStuckTransactions(ports);

    expect(ports.machine.resumed).toEqual([
      { token: 'token-1', output: { transactionId: purchase.id, status: 'PROCESSING' } },
    ]);
    expect(ports.machine.started).toEqual([]);
    expect(await reread(ports, purchase)).toMatchObject({ executions: 0, nextCheckAt: NEXT_LOOK });
  });

  test.each([
    ['a wait for the client, after its deadline', 'AWAITING_MFA', { expiresAt: 15 }, 17],
    ['a wait for the Pix, after its deadline', 'AWAITING_PIX', { expiresAt: 30 }, 32],
    ['a face check, in two minutes, because its callback may be lost', 'AWAITING_MFA', 'LIVENESS', 2],
    ['a new settlement, in two minutes', 'PROCESSING', { age: 3 }, 2],
    ['an older settlement, after a quarter of its age', 'PROCESSING', { age: 40 }, 10],
    ['a very old settlement, in a quarter of an hour', 'PROCESSING', { age: 600 }, 15],
  ] as const)('is read again, if it is %s', async (_, status, facts, minutes) => {
    const ports = openPorts(tables);
    const { age = 0, expiresAt = undefined } = facts === 'LIVENESS' ? {} : (facts as Facts);
    const purchase = await stuck(ports, status, {
      executions: 2,
      wait: { status, token: 'token-1' },
      history: [{ status, at: START_AT - age * MINUTE_MS }],
      expiresAt: expiresAt && START_AT + expiresAt * MINUTE_MS,
      ...(facts === 'LIVENESS' && { liveness: { attempt: 1 } as Liveness, expiresAt: START_AT + MINUTE_MS }),
    });
    ports.machine.running.add(running(purchase, 2));

    expect(await sweepStuckTransactions(ports)).toMatchObject({ looked: 1 });

    expect(ports.machine.resumed).toEqual([]);
    expect(ports.machine.started).toEqual([]);
    expect(await reread(ports, purchase)).toEqual({
      ...purchase,
      nextCheckAt: START_AT + minutes * MINUTE_MS,
    });
    ports.clock.advance(minutes * MINUTE_MS - 1);
    expect(await sweepStuckTransactions(ports)).toMatchObject({ looked: 0 });
  });
});

describe('the sweep', () => {
  test('reads no purchase before its time', async () => {
    const ports = openPorts(tables);
    const purchase = await stuck(ports, 'PROCESSING', { nextCheckAt: START_AT + 1 });

    expect(await sweepStuckTransactions(ports)).toEqual({ looked: 0 });

    expect(await reread(ports, purchase)).toEqual(purchase);
  });

  test('asks for 300 executions in a run, and for the others in the next run', async () => {
    const ports = openPorts(tables);
    const ages = Array.from({ length: 305 }, (_, index) => index);
    const purchases = await Promise.all(
      ages.map((age) => stuck(ports, 'PROCESSING', { nextCheckAt: START_AT - age })),
    );

    expect(await sweepStuckTransactions(ports)).toEqual({ looked: 300 });
    const first = new Set(ports.machine.started.map(({ transactionId }) => transactionId));
    expect(await sweepStuckTransactions(ports)).toEqual({ looked: 5 });

    expect(purchases.filter(({ id }) => !first.has(id))).toEqual(purchases.slice(0, 5));
    expect(ports.machine.started).toHaveLength(305);
  });

  test('reads everything that is due, ten at once, the longest waiting first', async () => {
    const ports = openPorts(tables);
    const ages = Array.from({ length: 103 }, (_, index) => index);
    const purchases = await Promise.all(
      ages.map((age) => stuck(ports, 'PROCESSING', { nextCheckAt: START_AT - age })),
    );

    expect(await sweepStuckTransactions(ports)).toMatchObject({ looked: 103 });
    const looked = ports.machine.started.map(({ transactionId }) => transactionId);
    const oldestFirst = purchases.map(({ id }) => id).reverse();
    for (let from = 0; from < 103; from += 10) {
      expect(looked.slice(from, from + 10).sort()).toEqual(oldestFirst.slice(from, from + 10).sort());
    }
    expect(await sweepStuckTransactions(ports)).toMatchObject({ looked: 0 });
  });

  test('ends within half a minute, however slow a read is, and the next run continues', async () => {
    const ports = openPorts(tables);
    await Promise.all(Array.from({ length: 40 }, () => stuck(ports, 'PROCESSING')));
    const { start } = ports.machine;
    ports.machine.start = async (...row) => {
      ports.clock.advance(1_000);
      await start(...row);
    };

    expect(await sweepStuckTransactions(ports)).toMatchObject({ looked: 30 });
    expect(await sweepStuckTransactions(ports)).toMatchObject({ looked: 10 });
  });

  test('is not stopped by a purchase that cannot be driven, nor by an unreadable row', async () => {
    const ports = openPorts(tables);
    const undriven = await stuck(ports, 'PROCESSING', { nextCheckAt: START_AT - 3 });
    const unreadable = await stuck(ports, 'PROCESSING', { nextCheckAt: START_AT - 2 });
    const sound = await stuck(ports, 'PROCESSING', { nextCheckAt: START_AT - 1 });
    const UpdateExpression = 'REMOVE quote';
    const Key = { id: unreadable.id };
    await tables.client.send(
      new UpdateCommand({ TableName: tables.names.transactions, Key, UpdateExpression }),
    );
    const { start } = ports.machine;
    ports.machine.start = async (id, ...rest) => {
      if (id === undriven.id) throw new Error('throttled');
      await start(id, ...rest);
    };

    expect(await sweepStuckTransactions(ports)).toMatchObject({ looked: 3 });

    expect(ports.machine.started.map(({ transactionId }) => transactionId)).toEqual([sound.id]);
    const failed = ports.log.lines.filter((line) => line.includes('sweep failed'));
    expect(failed).toHaveLength(2);
    for (const { id } of [undriven, unreadable]) expect(failed.join()).toContain(id);
    expect(await reread(ports, undriven)).toMatchObject({ executions: 0, nextCheckAt: NEXT_LOOK });
  });

  test('reaches the others even if a whole batch cannot be driven', async () => {
    const ports = openPorts(tables);
    const age = { nextCheckAt: START_AT - 1 };
    await Promise.all(Array.from({ length: 100 }, () => stuck(ports, 'PROCESSING', age)));
    const sound = await stuck(ports, 'PROCESSING');
    const { start } = ports.machine;
    ports.machine.start = async (id, ...rest) => {
      if (id !== sound.id) throw new Error('throttled');
      await start(id, ...rest);
    };
    expect(await sweepStuckTransactions(ports)).toMatchObject({ looked: 101 });

    expect(ports.machine.started.map(({ transactionId }) => transactionId)).toEqual([sound.id]);
  });
});

describe('a finished purchase', () => {
  const complete = (ports: TestPorts, purchase: Transaction) =>
    ports.transactions.save(
      advance(purchase, 'stablecoin settled on-chain', instantOf(ports.clock), { txHash: '0xhash' })!,
    );

  const expectLeftAlone = async (ports: TestPorts, { id }: Transaction) => {
    const row = await rowIn(tables, 'transactions', id);
    expect(row).toMatchObject({ status: 'COMPLETED', executions: 0 });
    expect(row).not.toHaveProperty('nextCheckAt');
    expect(row).not.toHaveProperty('sweep');
    ports.clock.advance(60 * MINUTE_MS);
    expect(await ports.transactions.listDue(ports.clock.now(), 100)).toEqual([]);
  };

  test('is not read', async () => {
    const ports = openPorts(tables);
    const purchase = await stuck(ports, 'PROCESSING');
    await complete(ports, purchase);

    expect(await sweepStuckTransactions(ports)).toMatchObject({ looked: 0 });
  });

  test('is not changed if a stale index still names it', async () => {
    const ports = openPorts(tables);
    const purchase = await stuck(ports, 'PROCESSING');
    await complete(ports, purchase);
    const listDue = async () => [purchase.id, 'NO-SUCH-PURCHASE'];

    await sweepStuckTransactions({ ...ports, duePurchases: { ...ports.duePurchases, listDue } });

    expect(ports.machine.started).toEqual([]);
    expect(ports.log.lines).toEqual([]);
    await expectLeftAlone(ports, purchase);
    expect(await rowIn(tables, 'transactions', 'NO-SUCH-PURCHASE')).toBeUndefined();
  });

  test('does not come back if it ends while it is read', async () => {
    const ports = openPorts(tables);
    const purchase = await stuck(ports, 'PROCESSING');
    ports.machine.isRunning = async () => complete(ports, purchase);

    await sweepStuckTransactions(ports);

    await expectLeftAlone(ports, purchase);
  });
});
