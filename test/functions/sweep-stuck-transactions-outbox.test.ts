import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openDelivery } from '../../functions/domain/deliveries.ts';
import { instantOf } from '../../functions/domain/ports.ts';
import { advance } from '../../functions/domain/transaction.ts';
import { resumeIfMoved } from '../../functions/edge/waits.ts';
import { sweepStuckTransactions } from '../../functions/schedules/sweep-stuck-transactions.ts';
import { announced } from '../support/announcements.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { openPorts, putPurchaseIn, reread, START_AT } from '../support/ports.ts';
import { executionStatus, realMachine, waitIn } from '../support/real-machine.ts';
import { eventually } from '../support/sandbox.ts';
import { sandboxTables, startTables } from '../support/tables.ts';

// Tables of each test's own: a sweep looks at everything that is there.
let tables: Awaited<ReturnType<typeof startTables>>;
const started: (() => Promise<void>)[] = [];
beforeEach(async () => {
  tables = await startTables();
  started.push(tables.stop);
});
afterAll(() => Promise.all(started.map((stop) => stop())));

async function world(endpoints?: string[]) {
  const ports = openPorts(tables);
  return { ports, ...(await announced(tables, ports, endpoints)) };
}

describe('an event', () => {
  test('that no delivery took up within two minutes is queued', async () => {
    const { ports, eventId } = await world();
    ports.clock.advance(2 * MINUTE_MS);

    expect(await sweepStuckTransactions(ports)).toEqual({ looked: 0, queued: 1 });

    expect(ports.webhookQueue.sent).toEqual([{ eventId }]);
  });

  test('is queued again until a delivery takes it up', async () => {
    const { ports, eventId, deliver } = await world();
    ports.clock.advance(2 * MINUTE_MS);
    await sweepStuckTransactions(ports);
    await sweepStuckTransactions(ports);
    expect(ports.webhookQueue.sent).toEqual([{ eventId }, { eventId }]);

    await deliver();

    expect(await sweepStuckTransactions(ports)).toMatchObject({ queued: 0 });
  });

  test('has two minutes to travel by itself', async () => {
    const { ports } = await world();
    ports.clock.advance(2 * MINUTE_MS - 1);

    expect(await sweepStuckTransactions(ports)).toEqual({ looked: 0, queued: 0 });
  });
});

describe('a delivery', () => {
  test('is queued when its next attempt is due, and not before', async () => {
    const { ports, eventId, deliver, answer, delivery } = await world();
    answer('one', 500);
    await deliver();
    const { nextAttemptAt } = (await delivery())!;
    ports.clock.advance(nextAttemptAt! - ports.clock.now() - 1);
    expect(await sweepStuckTransactions(ports)).toMatchObject({ queued: 0 });

    ports.clock.advance(1);
    expect(await sweepStuckTransactions(ports)).toMatchObject({ queued: 1 });

    expect(ports.webhookQueue.sent).toEqual([{ eventId }]);
    answer('one', 200);
    await deliver();
    expect(await sweepStuckTransactions(ports)).toMatchObject({ queued: 0 });
  });

  test('is queued again after five minutes where nobody tried it, and not each minute', async () => {
    const { ports, eventId, deliver, answer } = await world();
    answer('one', 500);
    await deliver();
    ports.clock.advance(MINUTE_MS);
    await sweepStuckTransactions(ports);

    ports.clock.advance(5 * MINUTE_MS - 1);
    expect(await sweepStuckTransactions(ports)).toMatchObject({ queued: 0 });
    ports.clock.advance(1);
    expect(await sweepStuckTransactions(ports)).toMatchObject({ queued: 1 });

    expect(ports.webhookQueue.sent).toEqual([{ eventId }, { eventId }]);
  });

  test('is queued with all others, be they more than a page', async () => {
    const { ports, partnerId } = await world();
    const save = (index: number) => {
      const event = { id: `event${index}.1`, partnerId };
      return ports.deliveries.save({ ...openDelivery(event, 'one'), nextAttemptAt: START_AT + index });
    };
    await Promise.all(Array.from({ length: 250 }, (_, index) => save(index)));
    ports.clock.advance(MINUTE_MS);

    expect(await sweepStuckTransactions(ports)).toMatchObject({ queued: 250 });

    expect(new Set(ports.webhookQueue.sent.map(({ eventId }) => eventId)).size).toBe(250);
    expect(ports.webhookQueue.sent).toHaveLength(250);
  });

  test('is queued once for all endpoints of its event', async () => {
    const { ports, eventId, deliver, answer } = await world(['one', 'two']);
    answer('one', 500);
    answer('two', undefined);
    await deliver();
    ports.clock.advance(MINUTE_MS);

    expect(await sweepStuckTransactions(ports)).toMatchObject({ queued: 1 });

    expect(ports.webhookQueue.sent).toEqual([{ eventId }]);
  });

  test('is queued although a purchase cannot be driven', async () => {
    const { ports, eventId } = await world();
    await putPurchaseIn(ports, 'PROCESSING', { nextCheckAt: 0 });
    ports.machine.start = () => Promise.reject(new Error('throttled'));
    ports.clock.advance(2 * MINUTE_MS);

    expect(await sweepStuckTransactions(ports)).toEqual({ looked: 1, queued: 1 });

    expect(ports.webhookQueue.sent).toEqual([{ eventId }]);
  });
});

test('the service sweeps by itself: a purchase without an execution gets one', async () => {
  const ports = openPorts(sandboxTables());
  const purchase = await putPurchaseIn(ports, 'AWAITING_PIX', { nextCheckAt: 1 });

  await waitIn(ports, purchase.id, 'AWAITING_PIX');

  expect(await executionStatus(purchase.id, 1)).toBe('RUNNING');
  expect((await reread(ports, purchase)).executions).toBe(1);
  await ports.transactions.save(
    advance(await reread(ports, purchase), 'no Pix payment within 30 minutes', instantOf(ports.clock))!,
  );
  await resumeIfMoved(await reread(ports, purchase), realMachine());
  await eventually(
    () => executionStatus(purchase.id, 1),
    (status) => status === 'SUCCEEDED',
  );
});
