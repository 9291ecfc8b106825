import { beforeEach, describe, expect, test } from 'vitest';
import type { Status } from '../../functions/domain/purchase/status.ts';
import type { Refund, Transaction } from '../../functions/domain/purchase/transaction.ts';
import type { UnmatchedPayment } from '../../functions/domain/purchase/unmatched-payment.ts';
import { receiveUnmatched } from '../../functions/logic/money/unmatched-payments.ts';
import { returnUnmatchedPayments } from '../../functions/schedules/return-unmatched-payments.ts';
import { sweepStuckTransactions } from '../../functions/schedules/sweep-stuck-transactions.ts';
import { moneyCaseCommands } from '../../operations/cases.ts';
import type { Desk } from '../../operations/desk.ts';
import { run } from '../../operations/run.ts';
import { dossier } from '../../operations/stores/dossier.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { aReceivedPix, newEndToEndId, openPorts, putPurchaseIn, START_AT } from '../support/ports.ts';
import { memoryTables, type Tables } from '../support/tables.ts';

const DAY_MINUTES = 24 * 60;
const REFUND: Refund = {
  status: 'PENDING',
  endToEndId: newEndToEndId(),
  amountCentavos: 250_00,
  reason: 'PAYER_MISMATCH',
};

let tables: Tables;
beforeEach(() => {
  tables = memoryTables();
});

/** A purchase that was paid a minute after the start, and its sweeps. */
async function world(status: Status, changes: Partial<Transaction> = {}) {
  const ports = openPorts(tables);
  const purchase = await putPurchaseIn(ports, status, { nextCheckAt: START_AT, ...changes });
  const id = `PURCHASE_STUCK#${purchase.id}`;
  return {
    ports,
    purchase,
    id,
    sweepAt: async (minutesAfterPayment: number) => {
      ports.clock.advance(START_AT + (1 + minutesAfterPayment) * MINUTE_MS - ports.clock.now());
      return sweepStuckTransactions(ports);
    },
    opened: () => ports.moneyCases.findCase(id),
    told: () => ports.log.lines.filter((line) => line.includes('case of money opened')).length,
  };
}

/** The case as an operator reads it. */
async function show(caseId: string): Promise<string> {
  const ports = openPorts(tables);
  const said: string[] = [];
  const terminal = { say: (line: string) => said.push(line), tell: () => {}, ask: async () => 'yes' };
  const desk = { ...ports, dossier: dossier(tables.client, tables.names) } as unknown as Desk;
  const command = moneyCaseCommands.find(({ name }) => name === 'cases show')!;
  const call = { isSure: true };
  await run(command, { words: [caseId], flags: {}, ask: terminal.ask }, { desk, terminal, call });
  return said.join('\n');
}

describe('a purchase that was paid an hour ago', () => {
  test.each<[Status, Partial<Transaction>]>([
    ['PROCESSING', {}],
    ['FAILED', { refund: REFUND }],
  ])('raises its condition at each visit in %s, and not before', async (status, changes) => {
    const { ports, sweepAt } = await world(status, changes);
    await sweepAt(58);
    expect(ports.log.raised).toEqual([]);

    for (const minutes of [60, 75]) await sweepAt(minutes);

    expect(ports.log.raised).toEqual(['PurchaseSlow', 'PurchaseSlow']);
  });
});

describe('a purchase that was paid a day ago', () => {
  // docs/decisions.md, "The books"
  test.each<[Status, Partial<Transaction>]>([
    ['PROCESSING', {}],
    ['FAILED', { refund: REFUND }],
  ])('has one case in %s, and is driven on', async (status, changes) => {
    const { ports, purchase, sweepAt, opened, told } = await world(status, changes);
    await sweepAt(DAY_MINUTES - 1);
    expect(await opened()).toBeUndefined();

    for (const minutes of [1, 16, 31]) expect(await sweepAt(DAY_MINUTES + minutes)).toEqual({ looked: 1 });

    const { id: transactionId, clientId, partnerId, payment } = purchase;
    expect(await opened()).toMatchObject({
      status: 'OPEN',
      transactionId,
      clientId,
      partnerId,
      endToEndId: payment!.endToEndId,
      amountCentavos: 250_00,
      facts: { status, paidAt: payment!.paidAt },
    });
    expect(told()).toBe(1);
    expect(ports.machine.started).toHaveLength(1);
    expect(ports.machine.started[0]).toMatchObject({ transactionId, status });
  });

  test('has its case even if it cannot be driven', async () => {
    const { ports, sweepAt, opened } = await world('PROCESSING');
    ports.machine.isRunning = () => Promise.reject(new Error('throttled'));

    await sweepAt(DAY_MINUTES);

    expect(await opened()).toMatchObject({ status: 'OPEN' });
  });

  test('is driven even if its case cannot be opened, and has the case the next time', async () => {
    const { ports, sweepAt, opened } = await world('PROCESSING');
    const { open } = ports.moneyCases;
    ports.moneyCases.open = () => Promise.reject(new Error('throttled'));
    await sweepAt(DAY_MINUTES);
    expect(ports.machine.started).toHaveLength(1);
    ports.moneyCases.open = open;

    await sweepAt(DAY_MINUTES + 2);

    expect(await opened()).toMatchObject({ status: 'OPEN' });
  });

  test('is not reported again after a person has closed its case', async () => {
    const { ports, id, sweepAt, opened, told } = await world('PROCESSING');
    await sweepAt(DAY_MINUTES);
    const closing = { by: 'ana', at: ports.clock.now(), reason: 'waits for a reviewer' } as const;
    await ports.moneyCases.close(id, { ...closing, outcome: 'EXPLAINED' });

    await sweepAt(DAY_MINUTES + 2);

    expect(await opened()).toMatchObject({ status: 'CLOSED' });
    expect(told()).toBe(1);
  });

  test.each<[Status, Partial<Transaction>]>([
    ['AWAITING_PIX', {}],
    ['COMPLETED', {}],
    ['FAILED', {}],
    ['FAILED', { refund: { ...REFUND, status: 'REFUNDED', refundedAt: 1 } }],
    ['FAILED', { refund: { ...REFUND, status: 'FAILED' } }],
  ])('has no case in %s if its end needs no person', async (status, changes) => {
    const { sweepAt, opened } = await world(status, changes);

    await sweepAt(DAY_MINUTES + 1);

    expect(await opened()).toBeUndefined();
  });

  test('shows the reader of its case its present state', async () => {
    const { ports, purchase, id, sweepAt } = await world('PROCESSING');
    await sweepAt(DAY_MINUTES);
    expect(await show(id)).toMatch(/now +PROCESSING/);
    await ports.transactions.save({
      id: purchase.id,
      was: { status: 'PROCESSING', sequence: 0 },
      remove: ['nextCheckAt'],
      set: { status: 'FAILED', refund: { ...REFUND, status: 'REFUNDED', refundedAt: 1 } },
      events: [],
      postings: [],
    });

    expect(await show(id)).toMatch(/now +FAILED, refund REFUNDED/);
  });
});

describe('an unmatched payment that was found a day ago', () => {
  /** An unmatched payment whose return the provider refuses temporarily, for as long as the test wants. */
  async function refused() {
    const ports = openPorts(tables);
    const pix = aReceivedPix({ id: 'x' }, { txid: undefined });
    const { refund } = ports.pix;
    ports.pix.refund = () => Promise.reject(new Error('HTTP 409'));
    await receiveUnmatched(pix, undefined, ports);
    const answer = () => {
      ports.pix.refund = refund;
    };
    return { ports, pix, id: `RETURN_STUCK#${pix.endToEndId}`, answer };
  }

  test('has one case at its next look if it was not returned, and is driven on', async () => {
    const { ports, pix, id, answer } = await refused();
    for (const minutes of [1, 10, 60, 360]) {
      ports.clock.advance(minutes * MINUTE_MS);
      await returnUnmatchedPayments(ports);
    }
    expect(await ports.moneyCases.findCase(id)).toBeUndefined();
    ports.clock.advance(1440 * MINUTE_MS);
    await returnUnmatchedPayments(ports);
    answer();
    ports.clock.advance(1440 * MINUTE_MS);
    await returnUnmatchedPayments(ports);

    const { endToEndId, amountCentavos } = pix;
    expect(await ports.moneyCases.findCase(id)).toMatchObject({
      status: 'OPEN',
      endToEndId,
      amountCentavos,
      facts: { reason: 'NO_TXID', faults: 5 },
    });
    const unmatched = (await ports.unmatchedPayments.findUnmatched(endToEndId)) as UnmatchedPayment;
    expect(unmatched.refund.status).toBe('REFUNDED');
    expect(await show(id)).toMatch(/now +refund REFUNDED/);
  });
});
