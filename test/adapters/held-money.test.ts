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

/** Makes tables to which no other test writes. */
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

  test('no refund is requested, and it continues once money may leave', async () => {
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

  test('no purchase fails, because its transfer may be missing in the tables', async () => {
    const ports = open();
    const purchase = await putPurchaseIn(ports, 'PROCESSING');
    const failing = { transactionId: purchase.id, error: { Error: 'SettlementFailed' } };

    await expect(failTransaction(failing, ports)).rejects.toThrow(hold);

    expect(await reread(ports, purchase)).toEqual(purchase);
  });

  test('an unmatched payment found earlier waits, and is returned later', async () => {
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

  test('an unmatched payment found now needs a person, also later', async () => {
    const ports = open();
    const purchase = await putPurchaseIn(ports, 'EXPIRED');
    const pix = aReceivedPix(purchase);

    await receiveUnmatched(pix, purchase, ports);
    ports.holds.hold = undefined;
    await receiveUnmatched(pix, purchase, ports);
    ports.clock.advance(5 * MINUTE_MS);
    await returnUnmatchedPayments(ports);

    expect(ports.pix.refunds).toEqual([]);
    expect(await ports.moneyCases.findCase(`UNMATCHED_LEFT#${pix.endToEndId}`)).toMatchObject({
      status: 'OPEN',
    });
  });

  test('the treasury is not read, so that selling soon stops, and each run raises the alarm', async () => {
    const ports = open();
    const readHoldings = () => Promise.reject(new Error('nobody reads'));
    const treasury = { ...ports, openPurchases: {} as never, hotWallets: { readHoldings } };

    for (const run of [1, 2]) {
      expect(await readTreasuryFloat({ ...treasury, floatLimits: {} as never })).toEqual({ hold });
      expect(ports.log.raised).toEqual(Array(run).fill('MoneyHeld'));
    }
  });
});

describe('the comparison of restored tables', () => {
  test('waits for the replay, so that lost rows open no case, and nothing is left out', async () => {
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

  test('runs while an operator holds the money', async () => {
    const books = await openBooks(await newTables());
    books.ports.holds.hold = 'HELD';
    const transfer = books.transferOf(await books.purchaseIn('COMPLETED'));
    books.ports.outflows.owners.clear();

    await books.run();

    expect(await books.openIds()).toContain(`TRANSFER_UNKNOWN#${transfer.txHash}:0`);
  });
});

describe('after a replay', () => {
  test('an unmatched payment from before it needs a person, and a later one is returned', async () => {
    const ports = openPorts(tables);
    const purchase = await putPurchaseIn(ports, 'EXPIRED');
    const [lost, late] = [aReceivedPix(purchase), aReceivedPix(purchase)];
    ports.holds.replayedAt = lost.paidAt;
    late.paidAt = lost.paidAt + 1;

    await receiveUnmatched(lost, purchase, ports);
    await receiveUnmatched(late, purchase, ports);

    expect(ports.pix.refunds.map(({ endToEndId }) => endToEndId)).toEqual([late.endToEndId]);
    expect(await ports.moneyCases.findCase(`UNMATCHED_LEFT#${lost.endToEndId}`)).toMatchObject({
      status: 'OPEN',
    });
  });
});
