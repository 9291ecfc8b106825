import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hold } from '../../functions/domain/treasury/hold.ts';
import { receiveUnmatched } from '../../functions/logic/money/unmatched-payments.ts';
import { readTreasuryFloat } from '../../functions/schedules/read-treasury-float.ts';
import { returnUnmatchedPayments } from '../../functions/schedules/return-unmatched-payments.ts';
import { failTransaction } from '../../functions/steps/fail-transaction.ts';
import { refundPixPayment } from '../../functions/steps/refund-pix-payment.ts';
import { openBooks } from '../support/books.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { aReceivedPix, openPorts, putPurchaseIn, reread } from '../support/ports.ts';
import { startTables } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
const opened: (typeof tables)[] = [];
afterAll(() => Promise.all([tables, ...opened].map((each) => each.stop())));

/** Of which nobody else has written. */
async function newTables() {
  const fresh = await startTables();
  opened.push(fresh);
  return fresh;
}

const KINDS: Hold[] = ['RESTORED', 'HELD'];

describe.each(KINDS)('while money is held (%s)', (hold) => {
  const open = () => {
    const ports = openPorts(tables);
    ports.holds.hold = hold;
    return ports;
  };

  test('no refund is asked for, and it goes on once money may leave', async () => {
    const ports = open();
    const refund = {
      status: 'PENDING',
      endToEndId: `E${'2'.repeat(31)}`,
      amountCentavos: 250_00,
      reason: 'PAID_LATE',
    } as const;
    const { id } = await putPurchaseIn(ports, 'FAILED', { refund, disposition: 'REFUND', sequence: 1 });

    await expect(refundPixPayment({ transactionId: id }, ports)).rejects.toThrow(hold);

    expect(ports.pix.refunds).toEqual([]);
    ports.holds.hold = undefined;
    expect(await refundPixPayment({ transactionId: id }, ports)).toMatchObject({ refund: 'REFUNDED' });
  });

  test('no purchase fails: its transfer may be lost from the tables', async () => {
    const ports = open();
    const purchase = await putPurchaseIn(ports, 'PROCESSING');
    const failing = { transactionId: purchase.id, error: { Error: 'SettlementFailed' } };

    await expect(failTransaction(failing, ports)).rejects.toThrow(hold);

    expect(await reread(ports, purchase)).toEqual(purchase);
  });

  test('a stray Pix that was found before waits, and goes back later', async () => {
    const ports = open();
    const purchase = await putPurchaseIn(ports, 'COMPLETED');
    const pix = aReceivedPix(purchase);
    ports.holds.hold = undefined;
    ports.pix.refundStatus = 'PENDING';
    await receiveUnmatched(pix, purchase, ports);
    const asked = ports.pix.refunds.length;
    ports.holds.hold = hold;
    ports.pix.refundStatus = 'REFUNDED';

    ports.clock.advance(5 * MINUTE_MS);
    await returnUnmatchedPayments(ports);

    expect(ports.pix.refunds).toHaveLength(asked);
    ports.holds.hold = undefined;
    ports.clock.advance(5 * MINUTE_MS);
    await returnUnmatchedPayments(ports);
    expect(await ports.unmatchedPayments.findUnmatched(pix.endToEndId)).toMatchObject({
      refund: { status: 'REFUNDED' },
    });
  });

  test('a stray Pix that is found is a person’s, also later', async () => {
    const ports = open();
    const purchase = await putPurchaseIn(ports, 'EXPIRED');
    const pix = aReceivedPix(purchase);

    await receiveUnmatched(pix, purchase, ports);
    ports.holds.hold = undefined;
    await receiveUnmatched(pix, purchase, ports);
    ports.clock.advance(5 * MINUTE_MS);
    await returnUnmatchedPayments(ports);

    expect(ports.pix.refunds).toEqual([]);
    expect(await ports.moneyCases.findCase(`STRAY_LEFT#${pix.endToEndId}`)).toMatchObject({ status: 'OPEN' });
  });

  test('the treasury is not read, so that soon nothing is sold, and the alarm goes off each minute', async () => {
    const ports = open();
    const readHoldings = () => Promise.reject(new Error('nobody reads'));
    const treasury = { ...ports, openPurchases: {} as never, hotWallets: { readHoldings } };

    expect(await readTreasuryFloat({ ...treasury, floatLimits: {} as never })).toEqual({ hold });

    expect(ports.log.lines.join()).toContain('money is held');
  });
});

describe('books of tables that were restored', () => {
  test('are not compared by themselves until the replay, so that what they lost is no case, and nothing is left out', async () => {
    const books = await openBooks(await newTables());
    const { ports } = books;
    const transfer = books.transferOf(await books.purchaseIn('COMPLETED'));
    ports.outflows.owners.clear();
    ports.holds.hold = 'RESTORED';

    expect(await books.run()).toMatchObject({ payments: 0, opened: 0 });
    expect(await books.openIds()).toEqual([]);

    ports.holds.hold = undefined;
    await books.run();
    expect(await books.openIds()).toContain(`TRANSFER_UNKNOWN#${transfer.txHash}:0`);
  });

  test('are compared while an operator holds the money', async () => {
    const books = await openBooks(await newTables());
    books.ports.holds.hold = 'HELD';
    const transfer = books.transferOf(await books.purchaseIn('COMPLETED'));
    books.ports.outflows.owners.clear();

    await books.run();

    expect(await books.openIds()).toContain(`TRANSFER_UNKNOWN#${transfer.txHash}:0`);
  });
});

describe('after a replay', () => {
  test('a stray Pix that was paid before it is a person’s, and a later one goes back', async () => {
    const ports = openPorts(tables);
    const purchase = await putPurchaseIn(ports, 'EXPIRED');
    const [lost, late] = [aReceivedPix(purchase), aReceivedPix(purchase)];
    ports.holds.replayedAt = lost.paidAt;
    late.paidAt = lost.paidAt + 1;

    await receiveUnmatched(lost, purchase, ports);
    await receiveUnmatched(late, purchase, ports);

    expect(ports.pix.refunds.map(({ endToEndId }) => endToEndId)).toEqual([late.endToEndId]);
    expect(await ports.moneyCases.findCase(`STRAY_LEFT#${lost.endToEndId}`)).toMatchObject({
      status: 'OPEN',
    });
  });
});
