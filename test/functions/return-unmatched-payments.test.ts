import { beforeEach, describe, expect, test } from 'vitest';
import { recordReturn } from '../../functions/domain/purchase/return.ts';
import type { Status } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { advance } from '../../functions/domain/purchase/transitions.ts';
import {
  newUnmatchedPayment,
  type UnmatchedPayment,
} from '../../functions/domain/purchase/unmatched-payment.ts';
import { receiveUnmatched } from '../../functions/logic/money/unmatched-payments.ts';
import { returnUnmatchedPayments } from '../../functions/schedules/return-unmatched-payments.ts';
import { AT, MINUTE_MS } from '../support/builders.ts';
import {
  aCharge,
  aReceivedPix,
  eventsOf,
  newId,
  openPorts,
  putPurchaseIn,
  reread,
  START_AT,
  type TestPorts,
} from '../support/ports.ts';
import { memoryTables, rowIn, type Tables } from '../support/tables.ts';

/** Each test has its own tables, because the schedule drives everything that is due. */
let tables: Tables;
beforeEach(() => {
  tables = memoryTables();
});

const died = () => Promise.reject(new Error('the function died'));

/** A purchase that has ended, and an additional Pix that nobody has seen yet. */
async function world(status: Status = 'COMPLETED', changes: Partial<Transaction> = {}) {
  const ports = openPorts(tables);
  const purchase = await putPurchaseIn(ports, status, { sequence: 2, ...changes });
  const pix = aReceivedPix(purchase, { amountCentavos: 123_45 });
  const { endToEndId, amountCentavos } = pix;
  return {
    ports,
    purchase,
    pix,
    asked: (...suffixes: string[]) =>
      suffixes.map((suffix) => ({ endToEndId, id: `S${endToEndId}${suffix}`, amountCentavos })),
    receive: (to: TestPorts = ports) => receiveUnmatched(pix, purchase, to),
    unmatched: () => ports.unmatchedPayments.findUnmatched(endToEndId),
  };
}

/** Time passes, and the schedule runs. */
async function later(ports: TestPorts, minutes: number) {
  ports.clock.advance(minutes * MINUTE_MS);
  return returnUnmatchedPayments(ports);
}

describe('an unmatched payment', () => {
  // docs/decisions.md, "Paid, then failed"
  test.each([
    ['COMPLETED', 'PAID_TWICE'],
    ['FAILED', 'PAID_TWICE'],
    ['EXPIRED', 'PAID_LATE'],
  ] as const)(
    'of a purchase in %s is %s: it is returned in full, and the partner is told',
    async (status, reason) => {
      const { ports, purchase, pix, asked, receive, unmatched } = await world(status);

      await receive();

      expect(ports.pix.refunds).toEqual(asked(''));
      const { id: transactionId, partnerId } = purchase;
      expect(await unmatched()).toMatchObject({
        id: pix.endToEndId,
        reason,
        amountCentavos: 123_45,
        txid: transactionId,
        transactionId,
        partnerId,
        refund: { status: 'REFUNDED' },
      });
      expect(await reread(ports, purchase)).toEqual({ ...purchase, sequence: 3, ttl: expect.any(Number) });
      expect(await ports.events.findEvent(`${transactionId}.3`)).toMatchObject({
        type: 'transaction.pix_returned',
        partnerId,
        sequence: 3,
        data: {
          transactionId,
          status,
          sequence: 3,
          returned: { endToEndId: pix.endToEndId, amountBrl: 123.45, reason },
        },
      });
      const row = (await rowIn(tables, 'unmatchedPayments', pix.endToEndId))!;
      for (const key of ['nextCheckAt', 'sweep', 'open']) expect(row).not.toHaveProperty(key);
      expect(await ports.unmatchedPayments.listOpen()).not.toContainEqual(
        expect.objectContaining({ id: pix.endToEndId }),
      );
    },
  );

  test('has a row before the provider is asked for anything', async () => {
    const { ports, receive, unmatched } = await world();
    let seen: UnmatchedPayment | undefined;
    const refund: typeof ports.pix.refund = async () => {
      seen = await unmatched();
      return { status: 'REFUNDED' };
    };

    await receive({ ...ports, pix: { ...ports.pix, refund } });

    expect(seen).toMatchObject({ refund: { status: 'PENDING' }, nextCheckAt: START_AT });
  });

  test('keeps no part of an impossible txid, which may be any text', async () => {
    const { ports } = await world();
    const pix = aReceivedPix({ id: '11144477735' });

    await receiveUnmatched(pix, undefined, ports);

    const row = (await rowIn(tables, 'unmatchedPayments', pix.endToEndId))!;
    expect(row).toMatchObject({ reason: 'UNKNOWN_TXID', refund: { status: 'REFUNDED' } });
    expect(JSON.stringify(row)).not.toContain('11144477735');
  });

  test.each(['AWAITING_MFA', 'AWAITING_PIX'] as const)(
    'is not recorded while a purchase in %s may take it',
    async (status) => {
      const { ports, receive, unmatched } = await world(status);

      await receive();

      expect(await unmatched()).toBeUndefined();
      expect(ports.pix.refunds).toEqual([]);
    },
  );

  test('is not the payment itself', async () => {
    const { ports, purchase, pix } = await world();
    const { endToEndId } = purchase.payment!;

    await receiveUnmatched({ ...pix, endToEndId }, purchase, ports);

    expect(await ports.unmatchedPayments.findUnmatched(endToEndId)).toBeUndefined();
  });
});

describe('a payment without a purchase', () => {
  test.each([
    ['without a txid', undefined, 'NO_TXID'],
    ['under the txid of no charge', newId(), 'UNKNOWN_TXID'],
  ] as const)('%s is returned and counted once, and no partner is told', async (_, txid, reason) => {
    const { ports } = await world();
    const pix = aReceivedPix({ id: newId() }, { txid });

    await receiveUnmatched(pix, undefined, ports);
    await receiveUnmatched(pix, undefined, ports);

    const { endToEndId, amountCentavos } = pix;
    expect(ports.pix.refunds).toEqual([{ endToEndId, id: `S${endToEndId}`, amountCentavos }]);
    const row = await ports.unmatchedPayments.findUnmatched(endToEndId);
    expect(row).toMatchObject({ reason, refund: { status: 'REFUNDED' } });
    expect(row).not.toHaveProperty('partnerId');
    expect(ports.log.lines).toEqual([
      expect.stringContaining('unmatched Pix found'),
      expect.stringContaining('unmatched Pix returned'),
    ]);
  });

  test.each([1, 101, 49_99, 50_00, 50_000_00])(
    'of %i centavos is returned without an alarm, and counted',
    async (amountCentavos) => {
      const { ports } = await world();
      const pix = aReceivedPix({ id: newId() }, { txid: undefined, amountCentavos });

      await receiveUnmatched(pix, undefined, ports);

      expect(ports.pix.refunds).toMatchObject([{ amountCentavos }]);
      expect(ports.log.errors).toEqual([]);
      const facts = { endToEndId: pix.endToEndId, reason: 'NO_TXID', isDust: amountCentavos < 50_00 };
      expect(ports.log.lines[0]).toBe(`"unmatched Pix found" ${JSON.stringify(facts)}`);
    },
  );

  test('does not hide others that need a person, however many come', async () => {
    const { ports } = await world();
    const flood = [1, 101].flatMap((amountCentavos) =>
      Array.from({ length: 50 }, () => aReceivedPix({ id: newId() }, { amountCentavos })),
    );
    const lost = { id: newId() };
    const alarming = aReceivedPix(lost);
    ports.pix.charges.set(lost.id, aCharge(lost, [alarming]));

    for (const pix of [...flood, alarming]) await receiveUnmatched(pix, undefined, ports);

    expect(ports.pix.refunds).toHaveLength(100);
    expect(ports.log.lines.filter((line) => line.includes('unmatched Pix found'))).toHaveLength(101);
    for (const line of ports.log.errors) expect(line).toContain(alarming.endToEndId);
    expect(ports.log.errors).toHaveLength(2);
  });

  test.each([
    ['to no key that we know', { key: undefined, txid: undefined }, []],
    ['whose charge is ours but whose purchase is lost', {}, ['charge without its purchase']],
  ])('%s is left to a person', async (_, changes, besides) => {
    const { ports } = await world();
    const lost = { id: newId() };
    const pix = aReceivedPix(lost, changes);
    ports.pix.charges.set(lost.id, aCharge(lost, [pix]));

    await receiveUnmatched(pix, undefined, ports);
    await later(ports, 10_000);

    expect(ports.pix.refunds).toEqual([]);
    expect(await ports.unmatchedPayments.listOpen()).toContainEqual(
      expect.objectContaining({ id: pix.endToEndId, refund: { status: 'FAILED' } }),
    );
    const alarms = [...besides, 'case of money opened'];
    expect(ports.log.errors).toEqual(alarms.map((words) => expect.stringContaining(words)));
    expect(ports.log.lines.slice(alarms.length)).toEqual([expect.stringContaining('unmatched Pix found')]);
    expect(await ports.moneyCases.findCase(`UNMATCHED_LEFT#${pix.endToEndId}`)).toMatchObject({
      status: 'OPEN',
      endToEndId: pix.endToEndId,
      amountCentavos: 250_00,
      facts: { tries: 0 },
    });
  });

  test('is left to a person if the provider refuses to say whether its charge is ours', async () => {
    const { ports } = await world();
    const pix = aReceivedPix({ id: newId() });
    ports.pix.findCharge = () => Promise.reject(new Error('403'));

    await receiveUnmatched(pix, undefined, ports);

    expect(ports.pix.refunds).toEqual([]);
    expect(await ports.unmatchedPayments.findUnmatched(pix.endToEndId)).toMatchObject({
      refund: { status: 'FAILED' },
    });
  });

  test('has no row while the provider cannot say whether its charge is ours', async () => {
    const { ports } = await world();
    const pix = aReceivedPix({ id: newId() });
    ports.pix.isDown = true;

    await expect(receiveUnmatched(pix, undefined, ports)).rejects.toMatchObject({ name: 'Unavailable' });

    expect(await ports.unmatchedPayments.findUnmatched(pix.endToEndId)).toBeUndefined();
  });
});

describe('a return', () => {
  test('continues if everything died after the row was made', async () => {
    const { ports, purchase, asked, receive, unmatched } = await world();
    const dying = { ...ports.unmatchedPayments, postpone: died };
    await expect(
      receive({ ...ports, unmatchedPayments: dying, pix: { ...ports.pix, refund: died } }),
    ).rejects.toThrow('died');
    expect(await unmatched()).toMatchObject({ refund: { status: 'PENDING' } });

    await returnUnmatchedPayments(ports);

    expect(ports.pix.refunds).toEqual(asked(''));
    expect(await unmatched()).toMatchObject({ refund: { status: 'REFUNDED' } });
    expect((await eventsOf(ports, purchase)).map(({ type }) => type)).toEqual(['transaction.pix_returned']);
  });

  test('is requested under the same id if everything died before its end was written', async () => {
    const { ports, purchase, asked, receive } = await world();
    await expect(
      receive({ ...ports, unmatchedPayments: { ...ports.unmatchedPayments, save: died, postpone: died } }),
    ).rejects.toThrow('died');

    await returnUnmatchedPayments(ports);

    expect(ports.pix.refunds).toEqual(asked('', ''));
    expect((await reread(ports, purchase)).sequence).toBe(3);
  });

  test('is not announced twice if the answer of the write was lost', async () => {
    const { ports, purchase, receive, unmatched } = await world();
    const save: typeof ports.unmatchedPayments.save = async (change) => {
      await ports.unmatchedPayments.save(change);
      throw new Error('the answer was lost');
    };
    await receive({ ...ports, unmatchedPayments: { ...ports.unmatchedPayments, save } });

    await later(ports, 60);

    expect(await unmatched()).toMatchObject({ refund: { status: 'REFUNDED' } });
    expect((await reread(ports, purchase)).sequence).toBe(3);
    expect(await eventsOf(ports, purchase)).toHaveLength(1);
  });

  test('is one, and is announced once, by many functions at once', async () => {
    const { ports, purchase, asked, receive } = await world();

    await Promise.all(Array.from({ length: 10 }, () => receive()));
    await returnUnmatchedPayments(ports);

    expect(new Set(ports.pix.refunds.map(({ id }) => id))).toEqual(new Set(asked('').map(({ id }) => id)));
    expect((await reread(ports, purchase)).sequence).toBe(3);
    expect(await eventsOf(ports, purchase)).toHaveLength(1);
    expect(ports.log.lines.filter((line) => line.includes('unmatched Pix returned'))).toHaveLength(1);
  });

  test('is checked every two minutes while the provider works on it', async () => {
    const { ports, asked, receive, unmatched } = await world();
    ports.pix.refundStatus = 'PENDING';
    await receive();
    await later(ports, 1);
    expect(ports.pix.refunds).toEqual(asked(''));

    ports.pix.refundStatus = 'REFUNDED';
    await later(ports, 1);

    expect(ports.pix.refunds).toEqual(asked('', ''));
    expect(await unmatched()).toMatchObject({ refund: { status: 'REFUNDED' } });
  });

  test('waits while the provider is down, without its own alarm', async () => {
    const { ports, asked, receive, unmatched } = await world();
    ports.pix.isDown = true;
    await receive();
    expect(await unmatched()).toMatchObject({ refund: { status: 'PENDING' } });
    expect(ports.log.lines.at(-1)).toContain('unmatched Pix waits for the provider');
    expect(ports.log.errors).toEqual([]);

    ports.pix.isDown = false;
    await later(ports, 2);

    expect(ports.pix.refunds).toEqual(asked(''));
  });

  test('gets a new id, not before its time, if the provider ends it without sending', async () => {
    const { ports, asked, receive, unmatched } = await world();
    ports.pix.refundStatus = 'FAILED';
    await receive();
    const nextTryAt = START_AT + MINUTE_MS;
    expect(await unmatched()).toMatchObject({
      refund: { status: 'PENDING', tries: 1, nextTryAt },
      nextCheckAt: nextTryAt,
    });
    await receive();
    expect(ports.pix.refunds).toEqual(asked(''));

    ports.pix.refundStatus = 'REFUNDED';
    await later(ports, 1);

    expect(ports.pix.refunds).toEqual(asked('', 'R1'));
    expect(await unmatched()).toMatchObject({ refund: { status: 'REFUNDED', tries: 1 } });
  });

  test('needs a person after seven such ends: it is reported and listed, not announced', async () => {
    const { ports, purchase, pix, asked, receive, unmatched } = await world();
    ports.pix.refundStatus = 'FAILED';
    await receive();

    for (const minutes of [1, 10, 60, 360, 1440, 1440, 10_000]) await later(ports, minutes);

    expect(ports.pix.refunds).toEqual(asked('', 'R1', 'R2', 'R3', 'R4', 'R5', 'R6'));
    expect(await unmatched()).toMatchObject({ refund: { status: 'FAILED', tries: 7 } });
    expect(await unmatched()).not.toHaveProperty('nextCheckAt');
    expect(await ports.unmatchedPayments.listOpen()).toContainEqual(
      expect.objectContaining({ id: pix.endToEndId }),
    );
    expect(await eventsOf(ports, purchase)).toEqual([]);
    // Two cases are opened: after a day, and at the end. In the first hour a refusal is no error, because the service
    // retries by itself.
    const words = (wanted: string) => ports.log.lines.filter((line) => line.includes(wanted));
    expect(words('unmatched Pix not returned')).toHaveLength(7);
    expect(words('case of money opened')).toHaveLength(2);
    expect(ports.log.errors).toEqual(ports.log.lines.slice(4));
    expect(ports.log.lines.slice(0, 4).join()).not.toContain('case of money opened');
    expect(await ports.moneyCases.findCase(`UNMATCHED_LEFT#${pix.endToEndId}`)).toMatchObject({
      status: 'OPEN',
      transactionId: purchase.id,
      partnerId: purchase.partnerId,
      facts: { reason: 'PAID_TWICE', tries: 7 },
    });
  });

  test('opens one new try, however many functions see its end', async () => {
    const { ports, receive, unmatched } = await world();
    ports.pix.refundStatus = 'FAILED';

    await Promise.all(Array.from({ length: 10 }, () => receive()));

    expect(await unmatched()).toMatchObject({ refund: { status: 'PENDING', tries: 1 } });
    expect(ports.log.lines.filter((line) => line.includes('unmatched Pix not returned'))).toHaveLength(1);
  });

  test('needs a person at once if the provider refuses because it returned some money itself', async () => {
    const { ports, pix, receive, unmatched } = await world();
    const med = { id: 'D1', amountCentavos: 45, status: 'REFUNDED', nature: 'MED_FRAUDE' } as const;
    ports.pix.received.push({ ...pix, returns: [med] });
    const refused = { ...ports, pix: { ...ports.pix, refund: () => Promise.reject(new Error('422')) } };

    await receive(refused);

    expect(await unmatched()).toMatchObject({ refund: { status: 'FAILED' } });
    expect(await unmatched()).not.toHaveProperty('nextCheckAt');
    expect(await ports.moneyCases.findCase(`UNMATCHED_LEFT#${pix.endToEndId}`)).toMatchObject({
      status: 'OPEN',
    });
    expect(await later(ports, 24 * 60)).toEqual({ looked: 0 });
  });

  test('has ended if it is refused for good, and gets a new id unless the old one appears', async () => {
    const { ports, asked, receive, unmatched } = await world();
    const refund = async () => ({ status: 'FAILED', refusal: 'HTTP 422' }) as const;
    const refused = { ...ports, pix: { ...ports.pix, refund } };
    await receive(refused);
    expect(await unmatched()).toMatchObject({ refund: { status: 'PENDING', tries: 1 } });
    expect(ports.log.lines.at(-1)).toContain('unmatched Pix not returned');
    await later(refused, 1);
    expect(await unmatched()).toMatchObject({ refund: { status: 'PENDING', tries: 2 } });

    // The provider has made the second refund after all.
    ports.pix.formerRefunds.set(asked('R1')[0]!.id, { status: 'REFUNDED' });
    await later(ports, 10);

    expect(ports.pix.refunds).toEqual([]);
    expect(await unmatched()).toMatchObject({ refund: { status: 'REFUNDED', tries: 2 } });
  });

  test('keeps its id after a refusal such as a 409, because the result is unknown', async () => {
    const { ports, asked, receive, unmatched } = await world();
    const refused = { ...ports, pix: { ...ports.pix, refund: () => Promise.reject(new Error('409')) } };
    await receive(refused);
    await later(refused, 1);
    expect(await unmatched()).toMatchObject({ refund: { status: 'PENDING' }, faults: 2 });
    // Each refusal is an error in the log, because our own permission at the provider may be missing.
    expect(ports.log.errors).toHaveLength(2);
    await later(ports, 9);
    expect(ports.pix.refunds).toEqual([]);

    await later(ports, 1);

    expect(ports.pix.refunds).toEqual(asked(''));
    expect(await unmatched()).toMatchObject({ refund: { status: 'REFUNDED' } });
  });

  test('of dust raises no alarm, whatever happens to it; it has its case', async () => {
    const { ports } = await world();
    const [ended, refused] = [1, 49_99].map((amountCentavos) =>
      aReceivedPix({ id: newId() }, { txid: undefined, amountCentavos }),
    );
    const refund = async ({ endToEndId }: { endToEndId: string }) => {
      if (endToEndId === refused!.endToEndId) throw new Error('409');
      return { status: 'FAILED', refusal: 'HTTP 422' } as const;
    };
    const closed = { ...ports, pix: { ...ports.pix, refund } };
    for (const pix of [ended!, refused!]) await receiveUnmatched(pix, undefined, closed);

    for (const minutes of [1, 10, 60, 360, 1440, 1440, 10_000]) await later(closed, minutes);

    expect(ports.log.errors).toEqual([]);
    const cases = await ports.moneyCases.listOpen();
    expect(new Set(cases.map(({ id }) => id))).toEqual(
      new Set([
        `UNMATCHED_LEFT#${ended!.endToEndId}`,
        ...[ended!, refused!].map(({ endToEndId }) => `RETURN_STUCK#${endToEndId}`),
      ]),
    );
  });

  test('does not stop the others if it fails', async () => {
    const [one, other] = [await world(), await world('EXPIRED')];
    const { ports } = one;
    for (const { receive } of [one, other]) {
      const unmatchedPayments = { ...ports.unmatchedPayments, postpone: died };
      await expect(
        receive({ ...ports, unmatchedPayments, pix: { ...ports.pix, refund: died } }),
      ).rejects.toThrow();
    }
    const findUnmatched: typeof ports.unmatchedPayments.findUnmatched = async (id) =>
      id === one.pix.endToEndId ? died() : ports.unmatchedPayments.findUnmatched(id);

    await returnUnmatchedPayments({
      ...ports,
      unmatchedPayments: { ...ports.unmatchedPayments, findUnmatched },
    });

    expect(ports.log.raised).toContain('ReturnVisitFailed');
    expect(await one.unmatched()).toMatchObject({ refund: { status: 'PENDING' } });
    expect(await other.unmatched()).toMatchObject({ refund: { status: 'REFUNDED' } });
  });
});

describe('the event of a return', () => {
  test('waits for the end of its purchase, so that the order of events holds; the money does not wait', async () => {
    const { ports, purchase, asked, receive, unmatched } = await world('PROCESSING');
    await receive();
    expect(ports.pix.refunds).toEqual(asked(''));
    expect(await reread(ports, purchase)).toEqual(purchase);
    expect(await unmatched()).toMatchObject({ refund: { status: 'PENDING' } });

    const change = advance(purchase, 'stablecoin settled on-chain', AT, { txHash: '0xaa' })!;
    expect(await ports.transactions.save(change)).toBe(true);
    await later(ports, 2);

    expect(await eventsOf(ports, purchase)).toMatchObject([
      { type: 'transaction.completed', sequence: 3 },
      { type: 'transaction.pix_returned', sequence: 4, data: { status: 'COMPLETED' } },
    ]);
    expect(await unmatched()).toMatchObject({ refund: { status: 'REFUNDED' } });
  });

  test('takes the next number if the purchase announces something else in the meantime', async () => {
    const { ports, purchase, receive } = await world();
    const second = aReceivedPix(purchase);
    let isFirst = true;
    const save: typeof ports.unmatchedPayments.save = async (change) => {
      // Between the read and the write of one return another one is announced.
      if (isFirst) {
        isFirst = false;
        await receiveUnmatched(second, purchase, ports);
      }
      return ports.unmatchedPayments.save(change);
    };

    await receive({ ...ports, unmatchedPayments: { ...ports.unmatchedPayments, save } });

    const told = await eventsOf(ports, purchase);
    expect(told.map(({ sequence }) => sequence)).toEqual([3, 4]);
    expect(new Set(told.map(({ data }) => (data.returned as { endToEndId: string }).endToEndId)).size).toBe(
      2,
    );
  });

  test('never takes a number that the purchase has passed, even if no event has it any more', async () => {
    const { ports, purchase, pix, unmatched } = await world();
    await ports.unmatchedPayments.create(
      newUnmatchedPayment(pix, { transaction: purchase, mayReturn: true }, START_AT),
    );
    const stale = recordReturn((await unmatched())!, 'REFUNDED', AT, { ...purchase, sequence: 0 })!;

    expect(await ports.unmatchedPayments.save(stale)).toBe(false);

    expect(await ports.events.findEvent(`${purchase.id}.1`)).toBeUndefined();
    expect(await reread(ports, purchase)).toEqual(purchase);
    expect(await unmatched()).toMatchObject({ refund: { status: 'PENDING' } });
  });

  test('is one of ten in a row for ten Pix at once', async () => {
    const { ports, purchase } = await world('EXPIRED');
    const many = Array.from({ length: 10 }, () => aReceivedPix(purchase));

    await Promise.all(many.map((pix) => receiveUnmatched(pix, purchase, ports)));
    for (let rounds = 0; rounds < 5; rounds++) await later(ports, 2);

    const told = await eventsOf(ports, purchase);
    expect(told.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 10 }, (_, at) => at + 3));
    expect((await reread(ports, purchase)).sequence).toBe(12);
  });
});
