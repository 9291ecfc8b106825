import { beforeEach, describe, expect, test } from 'vitest';
import type { PixReturn } from '../../functions/domain/purchase/pix.ts';
import { aHash, type Books, HOUR_MS, openBooks } from '../support/books.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { limitedClient, outcomeOf } from '../support/limited-client.ts';
import { START_AT } from '../support/ports.ts';
import { memoryTables, type Tables } from '../support/tables.ts';

let tables: Tables;
let books: Books;
beforeEach(async () => {
  tables = memoryTables();
  books = await openBooks(tables);
});

const DAY_MS = 24 * HOUR_MS;
const AT = START_AT + 20 * MINUTE_MS;
const med = (id: string, changes: Partial<PixReturn> = {}): PixReturn => ({
  id,
  amountCentavos: 250_00,
  status: 'REFUNDED',
  nature: 'MED_FRAUDE',
  at: AT,
  ...changes,
});
const clientOf = (clientId: string) => books.ports.clients.findClient(clientId);

// docs/decisions.md, "MED refunds and fraud"
describe('a client whose payment was taken back', () => {
  const BLOCKED = { client: { blockedFor: ['purchase-1'] } };

  test('gets no charge for a purchase that was opened before', async () => {
    const { ports, purchase, charge } = await limitedClient(BLOCKED);

    expect(await outcomeOf(charge(await purchase(250)))).toBe('CLIENT_BLOCKED');
    expect(ports.pix.charges.size).toBe(0);
  });

  test('opens no purchase, until no payment blocks the client', async () => {
    const blocked = await limitedClient(BLOCKED);
    const free = await limitedClient({ client: { blockedFor: [] } });

    expect(await outcomeOf(blocked.initiate(250))).toBe('CLIENT_BLOCKED');
    expect(await outcomeOf(free.initiate(250))).toBe('PENDING_AUTH');
  });
});

// docs/decisions.md, "MED refunds and fraud"
describe('a completed purchase whose payment the provider takes back', () => {
  test('opens a case with a deadline, is a loss in the ledger, and blocks the client', async () => {
    const { purchase, pix } = await books.completed();
    pix.returns = [med('D1')];

    expect(await books.run()).toMatchObject({ opened: 1 });
    expect(await books.run()).toMatchObject({ opened: 0 });

    const id = `MED_REFUND#${pix.endToEndId}#D1`;
    const { id: transactionId, partnerId, clientId } = purchase;
    expect(await books.ports.moneyCases.findCase(id)).toMatchObject({
      status: 'OPEN',
      transactionId,
      partnerId,
      clientId,
      endToEndId: pix.endToEndId,
      amountCentavos: 250_00,
      deadline: AT + 7 * DAY_MS,
      facts: { nature: 'MED_FRAUDE', returnId: 'D1' },
    });
    expect(await books.ports.ledger.findPosting(`${pix.endToEndId}#TAKEN_BACK#D1`)).toMatchObject({
      kind: 'TAKEN_BACK',
      at: AT,
      transactionId,
      entries: [
        { account: 'losses', amount: 250_00n },
        { account: 'pix', amount: -250_00n },
      ],
    });
    expect((await clientOf(clientId))?.blockedFor).toEqual([id]);
    expect(await books.openIds()).toEqual([id]);
  });

  test('raises its condition once, and again two days before its deadline', async () => {
    const { pix } = await books.completed();
    pix.returns = [med('D1')];
    await books.run();
    await books.run();
    expect(books.ports.log.raised).toEqual(['PaymentTakenBack']);

    books.ports.clock.advance(AT + 5 * DAY_MS - books.ports.clock.now());
    await books.run();

    expect(books.ports.log.raised).toEqual(['PaymentTakenBack', 'CaseDue']);
  });

  test('opens a case and a posting for each part', async () => {
    const { purchase, pix } = await books.completed();
    pix.returns = [med('D1', { amountCentavos: 100_00 }), med('D2', { amountCentavos: 50_50 })];

    await books.run();

    const amounts = (await books.ports.moneyCases.listOpen()).map(({ amountCentavos }) => amountCentavos);
    expect(amounts.sort()).toEqual([100_00, 50_50]);
    expect((await clientOf(purchase.clientId))?.blockedFor).toHaveLength(2);
  });

  test.each([60, 89])('is found %d days after it was paid', async (days) => {
    const { pix } = await books.completed();
    await books.run();
    books.ports.clock.advance(days * DAY_MS);
    await books.compareUpTo(books.ports.clock.now());
    pix.returns = [med('D1', { at: books.ports.clock.now() - HOUR_MS })];

    expect(await books.run()).toMatchObject({ payments: 0, opened: 1 });

    expect(await books.openIds()).toEqual([`MED_REFUND#${pix.endToEndId}#D1`]);
  });

  test('is not counted while the return is in progress, or if it failed', async () => {
    const { purchase, pix } = await books.completed();
    pix.returns = [med('D1', { status: 'PENDING' }), med('D2', { status: 'FAILED' })];

    await books.run();

    expect(await books.openIds()).toEqual([]);
    expect((await clientOf(purchase.clientId))?.blockedFor).toBeUndefined();
  });

  test('is recognized later if it is not marked as MED at first, and posted once', async () => {
    const { purchase, pix } = await books.completed();
    pix.returns = [med('D1', { nature: 'ORIGINAL', at: AT - 1 })];
    await books.run();
    pix.returns = [med('D1')];

    expect(await books.run()).toMatchObject({ opened: 1, failed: 0 });
    expect(await books.run()).toMatchObject({ opened: 0 });
    pix.returns = [med('D1', { nature: 'ORIGINAL' })];
    expect(await books.run()).toMatchObject({ opened: 0 });

    const id = `MED_REFUND#${pix.endToEndId}#D1`;
    expect(await books.openIds()).toEqual([id, `REFUND_UNASKED#${pix.endToEndId}#D1`]);
    expect((await clientOf(purchase.clientId))?.blockedFor).toEqual([id]);
    const { findPosting } = books.ports.ledger;
    expect(await findPosting(`${pix.endToEndId}#TAKEN_BACK#D1`)).toMatchObject({ at: AT - 1 });
  });

  test('blocks the client beyond the closing of its case, until a person lifts the block', async () => {
    const { purchase, pix } = await books.completed();
    pix.returns = [med('D1')];
    await books.run();
    const [id] = await books.openIds();

    const closing = { by: 'ana', at: AT, reason: 'contested', outcome: 'LOST' } as const;
    await books.ports.moneyCases.close(id!, closing);
    await books.run();

    expect(await books.openIds()).toEqual([]);
    expect((await clientOf(purchase.clientId))?.blockedFor).toEqual([id]);
    await books.ports.moneyCases.lift(id!, { by: 'ana', at: AT + 1, reason: 'the bank withdrew its claim' });
    await books.run();
    expect((await clientOf(purchase.clientId))?.blockedFor).toBeUndefined();
  });

  test('opens a case even if the amount cannot be read, and posts nothing', async () => {
    const { pix } = await books.completed();
    pix.returns = [med('D1', { amountCentavos: undefined })];

    await books.run();

    expect(await books.openIds()).toEqual([`MED_REFUND#${pix.endToEndId}#D1`]);
    expect(await books.ports.ledger.findPosting(`${pix.endToEndId}#TAKEN_BACK#D1`)).toBeUndefined();
  });
});

describe('another return that the provider makes by itself', () => {
  test('of an unmatched payment opens a case that blocks nobody, and reduces what is owed for it', async () => {
    const { pix } = await books.returnedUnmatched();
    const shown = books.ports.pix.received.find(({ endToEndId }) => endToEndId === pix.endToEndId)!;
    shown.returns!.push(med('D1', { amountCentavos: 1 }));

    await books.run();

    const id = `MED_REFUND#${pix.endToEndId}#D1`;
    expect(await books.openIds()).toEqual([id]);
    expect(await books.ports.moneyCases.findCase(id)).not.toHaveProperty('clientId');
    const posting = await books.ports.ledger.findPosting(`${pix.endToEndId}#TAKEN_BACK#D1`);
    expect(posting?.entries[0]).toMatchObject({ account: 'unmatched', amount: 1n });
  });

  test('of a purchase that failed without a refund reduces what is owed to clients', async () => {
    const purchase = await books.purchaseIn('FAILED', { failure: { reason: 'PAYMENT_TAKEN_BACK' } });
    const pix = books.show(purchase, [med('D1')]);

    await books.run();

    const posting = await books.ports.ledger.findPosting(`${pix.endToEndId}#TAKEN_BACK#D1`);
    expect(posting?.entries[0]).toMatchObject({ account: 'clients', amount: 250_00n });
  });

  test('of a purchase that still moves waits for its end', async () => {
    const purchase = await books.purchaseIn('PROCESSING');
    books.show(purchase, [med('D1')]);

    await books.run();

    expect(await books.openIds()).toEqual([]);
  });

  test('does not hide that the transfer is missing', async () => {
    const purchase = await books.purchaseIn('COMPLETED', { txHash: aHash() });
    const pix = books.show(purchase, [med('D1')]);

    await books.run();

    expect(await books.openIds()).toEqual([
      `MED_REFUND#${pix.endToEndId}#D1`,
      `TRANSFER_NOT_SHOWN#${purchase.id}`,
    ]);
  });
});
