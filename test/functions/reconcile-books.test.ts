import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '../../functions/domain/errors.ts';
import { type Posting, takenBack } from '../../functions/domain/ledger.ts';
import { postingsOf, receivedId } from '../../functions/domain/purchase/postings.ts';
import { gasPosting } from '../../functions/domain/treasury/gas.ts';
import { aHash, type Books, HOUR_MS, openBooks, ourReturn } from '../support/books.ts';
import { aTransaction, MINUTE_MS } from '../support/builders.ts';
import { aMoneyCase } from '../support/money-cases.ts';
import { aReceivedPix, reread, START_AT } from '../support/ports.ts';
import { memoryTables, type Tables } from '../support/tables.ts';

let tables: Tables;
let books: Books;
beforeEach(async () => {
  tables = memoryTables();
  books = await openBooks(tables);
});

const paid = { endToEndId: `E${'7'.repeat(31)}`, paidAt: START_AT + MINUTE_MS, amountCentavos: 250_00 };

/** A purchase whose refund has failed for good. */
function refundFailed() {
  const refund = { status: 'FAILED', endToEndId: paid.endToEndId, amountCentavos: 250_00 } as const;
  return books.purchaseIn('FAILED', {
    payment: paid,
    refund: { ...refund, reason: 'PAID_LATE', tries: 7 },
  });
}

/** One purchase of every correct ending, beside the discrepancy of a test. */
async function ordinary() {
  await books.completed();
  await books.refunded();
  await books.returnedUnmatched();
  await books.purchaseIn('EXPIRED');
  await books.purchaseIn('AWAITING_MFA');
}

describe('books that agree', () => {
  // docs/decisions.md, "The books"
  test('open no case, however often they are compared', async () => {
    await ordinary();

    const first = await books.run();
    books.ports.clock.advance(HOUR_MS / 2);
    const second = await books.run();

    expect(first).toMatchObject({ payments: 3, repaired: 0, opened: 0, failed: 0 });
    expect(second).toMatchObject({ opened: 0, repaired: 0 });
    expect(await books.openIds()).toEqual([]);
    expect(books.ports.log.lines).toEqual([]);
  });

  test('are accepted from a provider whose list shows no refunds', async () => {
    await ordinary();
    const { listReceived } = books.ports.pix;
    books.ports.pix.listReceived = async (...asked) => {
      const { received, upTo } = await listReceived(...asked);
      return { received: received.map(({ returns: _, ...pix }) => pix), upTo };
    };

    expect(await books.run()).toMatchObject({ payments: 3, opened: 0, failed: 0 });
  });

  test('are accepted with a posting from before the account `margin`', async () => {
    const { purchase } = await books.completed();
    const [, settled] = postingsOf(purchase);
    const entries = settled!.entries.toSpliced(2, 2);
    await books.post([{ ...settled!, entries }]);

    expect(entries.map(({ account }) => account)).not.toContain('margin');
    expect(await books.run()).toMatchObject({ opened: 0, failed: 0 });
  });

  test('are accepted while amounts are still on their way: nothing young or moving is judged', async () => {
    const processing = await books.purchaseIn('PROCESSING', { wait: { status: 'PROCESSING', token: 't' } });
    books.show(processing);
    books.transferOf(processing);
    const now = books.ports.clock.now();
    const young = { endToEndId: `E${'1'.repeat(31)}`, paidAt: now - MINUTE_MS, amountCentavos: 250_00 };
    const history = [{ status: 'COMPLETED', at: now - MINUTE_MS } as const];
    await books.purchaseIn('COMPLETED', { txHash: aHash(), payment: young, history });
    const open = await books.purchaseIn('AWAITING_MFA');
    books.ports.pix.received.push(aReceivedPix(open));

    await books.run();

    expect(await books.openIds()).toEqual([]);
  });
});

describe('the gas of a nonce', () => {
  /** A completed purchase, and the gas that the slot of its nonce asks for. */
  async function withGas() {
    const { purchase, transfer } = await books.completed();
    const { wallet, nonce, txHash } = transfer;
    const slot = { chainId: 31337, wallet, nonce: nonce!, transactionId: purchase.id };
    const posting = gasPosting(slot, { txHash, wei: 21_000n * 30n ** 9n, at: START_AT + 4 * MINUTE_MS });
    books.ports.outflows.gas.set(`${wallet}#${nonce}`, posting);
    return posting;
  }

  test('agrees with its posting', async () => {
    await books.post([await withGas()]);

    expect(await books.run()).toMatchObject({ opened: 0, failed: 0 });
  });

  test.each<[string, (posting: Posting) => Promise<void>]>([
    ['POSTING_MISSING', async () => undefined],
    [
      'POSTING_ALTERED',
      (posting) =>
        books.post([{ ...posting, entries: posting.entries.map((each) => ({ ...each, amount: 0n })) }]),
    ],
    [
      'POSTING_EXTRA',
      async (posting) => {
        books.ports.outflows.gas.clear();
        await books.post([posting]);
      },
    ],
  ])('that differs is a case of the kind %s', async (kind, change) => {
    const posting = await withGas();
    await change(posting);

    await books.run();

    expect(await books.openIds()).toEqual([`${kind}#${posting.id}`]);
  });
});

describe('the comparison repairs', () => {
  test('a lost callback: the purchase goes on', async () => {
    await ordinary();
    const purchase = await books.purchaseIn('AWAITING_PIX', {
      wait: { status: 'AWAITING_PIX', token: 'token-1' },
    });
    books.show(aTransaction({ ...purchase, payment: paid }));

    expect(await books.run()).toMatchObject({ repaired: 1, opened: 0 });

    expect(await reread(books.ports, purchase)).toMatchObject({ status: 'PROCESSING', payment: paid });
    expect(books.ports.machine.resumed).toMatchObject([{ token: 'token-1' }]);
  });

  test('a lost wake-up: the machine is resumed', async () => {
    const wait = { status: 'AWAITING_PIX', token: 'token-2' } as const;
    const purchase = await books.purchaseIn('PROCESSING', { wait });
    books.show(purchase);

    await books.run();

    expect(books.ports.machine.resumed).toEqual([
      { token: 'token-2', output: { transactionId: purchase.id, status: 'PROCESSING' } },
    ]);
    expect(await books.openIds()).toEqual([]);
  });

  test('a second Pix without its row: it is returned', async () => {
    const { purchase } = await books.completed();
    const second = aReceivedPix(purchase);
    books.ports.pix.received.push(second);

    expect(await books.run()).toMatchObject({ repaired: 1, opened: 0 });

    expect(await books.ports.unmatchedPayments.findUnmatched(second.endToEndId)).toMatchObject({
      reason: 'PAID_TWICE',
    });
    expect(books.ports.pix.refunds).toMatchObject([{ id: `S${second.endToEndId}` }]);
  });
});

/** Each discrepancy and its case. Each stands beside normal purchases, and is found once. */
const PLANTED: [string, () => Promise<string>][] = [
  [
    'a payment that the provider does not show',
    async () => {
      const purchase = await books.purchaseIn('FAILED', { refund: undefined });
      return `PAYMENT_NOT_SHOWN#${purchase.payment!.endToEndId}`;
    },
  ],
  [
    'a payment of another amount at the provider',
    async () => {
      const { pix } = await books.completed();
      pix.amountCentavos = 249_00;
      return `PAYMENT_DIFFERS#${pix.endToEndId}`;
    },
  ],
  [
    'an unmatched payment of another amount at the provider',
    async () => {
      const { pix } = await books.returnedUnmatched();
      const shown = books.ports.pix.received.find(({ endToEndId }) => endToEndId === pix.endToEndId)!;
      shown.amountCentavos += 1;
      return `PAYMENT_DIFFERS#${pix.endToEndId}`;
    },
  ],
  [
    'a refund that nobody asked for',
    async () => {
      const { pix } = await books.completed();
      pix.returns = [ourReturn('BYHAND', 250_00)];
      return `REFUND_UNASKED#${pix.endToEndId}#BYHAND`;
    },
  ],
  [
    'a refund that we recorded, and that the provider does not show as done',
    async () => {
      const { pix } = await books.refunded();
      pix.returns![0]!.status = 'FAILED';
      return `REFUND_NOT_SHOWN#${pix.endToEndId}`;
    },
  ],
  [
    'a refund of another amount',
    async () => {
      const { pix } = await books.refunded();
      pix.returns![0]!.amountCentavos = 25_00;
      return `REFUND_DIFFERS#${pix.endToEndId}`;
    },
  ],
  [
    'a refund that we recorded as failed, and that the provider shows as done',
    async () => {
      const purchase = await refundFailed();
      const failed = aMoneyCase('REFUND_FAILED', purchase.id, { ...paid, transactionId: purchase.id });
      await books.ports.moneyCases.open(failed);
      const closing = { by: 'ana with bob', at: START_AT + 2 * MINUTE_MS, reason: 'TED' };
      const posted = { outcome: 'RETURNED_OUTSIDE', amountCentavos: 250_00 } as const;
      await books.ports.moneyCases.close(failed.id, { ...closing, ...posted });
      books.show(purchase, [ourReturn(`${purchase.id}R6`, 250_00)]);
      return `REFUND_DIFFERS#${paid.endToEndId}`;
    },
  ],
  [
    'a refund that failed for good and has no case',
    async () => {
      const purchase = await refundFailed();
      books.show(purchase);
      return `REFUND_FAILED#${purchase.id}`;
    },
  ],
  [
    'a transfer out that belongs to no settlement',
    async () => {
      const transfer = books.transferOf(await books.purchaseIn('AWAITING_PIX'), { nonce: 4711 });
      return `TRANSFER_UNKNOWN#${transfer.txHash}:0`;
    },
  ],
  [
    'a transfer that another account has made with our tokens',
    async () => {
      const transfer = books.transferOf(await books.purchaseIn('AWAITING_PIX'), { nonce: undefined });
      return `TRANSFER_UNKNOWN#${transfer.txHash}:0`;
    },
  ],
  [
    'a transfer of other units than its settlement',
    async () => {
      const purchase = await books.purchaseIn('PROCESSING');
      books.show(purchase);
      const transfer = books.transferOf(purchase, { units: purchase.quote.assetUnits + 1n });
      return `TRANSFER_DIFFERS#${transfer.txHash}:0`;
    },
  ],
  [
    'a transfer to another address than its settlement',
    async () => {
      const purchase = await books.purchaseIn('PROCESSING');
      books.show(purchase);
      const transfer = books.transferOf(purchase, { to: `0x${'bb'.repeat(20)}` });
      return `TRANSFER_DIFFERS#${transfer.txHash}:0`;
    },
  ],
  [
    'a Pix that its purchase, which is over, neither has nor leaves as unmatched',
    async () => {
      const purchase = await books.purchaseIn('EXPIRED');
      const pix = aReceivedPix(purchase);
      books.ports.pix.received.push(pix);
      const { findUnmatched, create } = books.ports.unmatchedPayments;
      books.ports.unmatchedPayments.findUnmatched = async (id) =>
        id === pix.endToEndId ? undefined : findUnmatched(id);
      books.ports.unmatchedPayments.create = async (payment) =>
        payment.id === pix.endToEndId
          ? { payment: { ...payment, nextCheckAt: undefined }, isNew: false }
          : create(payment);
      return `PAYMENT_IGNORED#${pix.endToEndId}`;
    },
  ],
  [
    'a second transfer of a completed purchase',
    async () => {
      const { purchase } = await books.completed();
      const second = books.transferOf(purchase, { txHash: aHash() });
      return `TRANSFERRED_TWICE#${second.txHash}:0`;
    },
  ],
  [
    'a transfer of a purchase that was refunded',
    async () => {
      const { purchase } = await books.refunded();
      return `TRANSFERRED_TWICE#${books.transferOf(purchase).txHash}:0`;
    },
  ],
  [
    'a transfer of a purchase that was processed for hours, and then refunded',
    async () => {
      const history = [{ status: 'FAILED', at: START_AT + 5 * HOUR_MS } as const];
      const refund = { ...paid, status: 'REFUNDED', reason: 'SETTLEMENT_FAILED' } as const;
      const purchase = await books.purchaseIn('FAILED', {
        payment: paid,
        history,
        refund: { ...refund, refundedAt: START_AT + 5 * HOUR_MS + 1 },
      });
      books.show(purchase, [ourReturn(purchase.id, paid.amountCentavos)]);
      books.ports.clock.advance(5 * HOUR_MS);
      await books.compareUpTo(books.ports.clock.now() - HOUR_MS);
      return `TRANSFERRED_TWICE#${books.transferOf(purchase).txHash}:0`;
    },
  ],
  [
    'a completed purchase without its transfer',
    async () => {
      const purchase = await books.purchaseIn('COMPLETED', { txHash: aHash() });
      books.show(purchase);
      return `TRANSFER_NOT_SHOWN#${purchase.id}`;
    },
  ],
  [
    'an entry of the ledger that is missing',
    async () => {
      const { purchase } = await books.completed();
      const Key = { id: `${purchase.id}#SETTLED` };
      await tables.client.send(new DeleteCommand({ TableName: tables.names.ledger, Key }));
      return `POSTING_MISSING#${Key.id}`;
    },
  ],
  [
    'an entry of the ledger that was altered',
    async () => {
      const { purchase } = await books.completed();
      const id = receivedId(purchase.payment!.endToEndId);
      await books.setPosting(id, 'SET entries[0].amount = :more', { ':more': 260_00 });
      return `POSTING_ALTERED#${id}`;
    },
  ],
  [
    'an entry of the ledger that was moved to another day',
    async () => {
      const { purchase } = await books.completed();
      const id = `${purchase.id}#SETTLED`;
      await books.setPosting(id, 'SET #day = :day', { ':day': '2098-01-01' });
      return `POSTING_ALTERED#${id}`;
    },
  ],
  [
    'an entry of the ledger that no purchase explains',
    async () => {
      const purchase = await books.purchaseIn('EXPIRED');
      const posting = takenBack({
        returnId: 'R',
        endToEndId: paid.endToEndId,
        transactionId: purchase.id,
        amountCentavos: 1,
        at: paid.paidAt,
        from: 'losses',
      });
      await books.post([{ ...posting, id: `${purchase.id}#SETTLED`, kind: 'SETTLED' }]);
      return `POSTING_EXTRA#${purchase.id}#SETTLED`;
    },
  ],
  [
    'an entry of the ledger of a return that has no case',
    async () => {
      const posting = takenBack({
        returnId: 'R',
        endToEndId: paid.endToEndId,
        amountCentavos: 1,
        at: paid.paidAt,
        from: 'losses',
      });
      await books.post([posting]);
      return `POSTING_EXTRA#${posting.id}`;
    },
  ],
];

describe('the comparison opens a case', () => {
  test.each(PLANTED)('for %s', async (_, plant) => {
    await ordinary();
    const id = await plant();

    expect(await books.run()).toMatchObject({ opened: 1 });
    books.ports.clock.advance(MINUTE_MS);
    expect(await books.run()).toMatchObject({ opened: 0 });

    expect(await books.openIds()).toEqual([id]);
    const alarms = books.ports.log.lines.filter((line) => line.includes('case of money opened'));
    expect(alarms).toHaveLength(1);
  });

  test('and books what was paid out by it', async () => {
    const { pix } = await books.completed();
    pix.returns = [ourReturn('BYHAND', 100_00)];

    await books.run();

    expect(await books.ports.ledger.findPosting(`${pix.endToEndId}#TAKEN_BACK#BYHAND`)).toMatchObject({
      entries: [
        { account: 'losses', amount: 100_00n },
        { account: 'pix', amount: -100_00n },
      ],
    });
  });

  test('whose postings every later comparison checks', async () => {
    const { pix } = await books.completed();
    pix.returns = [ourReturn('BYHAND', 100_00)];
    await books.run();
    const id = `${pix.endToEndId}#TAKEN_BACK#BYHAND`;
    await books.setPosting(id, 'SET entries[0].amount = :less', { ':less': 1 });

    await books.run();

    expect(await books.openIds()).toContain(`POSTING_ALTERED#${id}`);
  });
});

describe('the decision of a person', () => {
  const close = (id: string) =>
    books.ports.moneyCases.close(id, {
      by: 'ana',
      at: books.ports.clock.now(),
      reason: 'agreed',
      outcome: 'EXPLAINED',
    });

  test('is not asked for again, unless the amount changes', async () => {
    const { pix } = await books.completed();
    const id = `PAYMENT_DIFFERS#${pix.endToEndId}`;
    const closed: string[] = [];
    for (const amountCentavos of [249_00, 248_00, 247_00]) {
      pix.amountCentavos = amountCentavos;
      expect(await books.run()).toMatchObject({ opened: 1 });
      expect(await books.run()).toMatchObject({ opened: 0 });
      closed.push(...(await books.openIds()));
      await close(closed.at(-1)!);
      expect(await books.run()).toMatchObject({ opened: 0 });
      books.ports.clock.advance(1);
    }
    pix.amountCentavos = 249_00;
    expect(await books.run()).toMatchObject({ opened: 0 });

    expect(closed[0]).toBe(id);
    expect(new Set(closed).size).toBe(3);
  });
});

describe('the cursor', () => {
  const cursor = () => books.ports.moneyCases.findCursor();
  /** The start of the first run, which is kept although the run fails. */
  const atFirst = () => books.ports.clock.now() - 2 * HOUR_MS;

  test('is the end of the compared period, and never beyond final blocks', async () => {
    const now = books.ports.clock.now();
    await books.run();
    expect(await cursor()).toBe(now);

    books.ports.clock.advance(HOUR_MS);
    books.ports.outflows.finalAt = now + MINUTE_MS;
    await books.run();
    expect(await cursor()).toBe(now + MINUTE_MS);
  });

  test('is reported as an error if it stands still with the chain', async () => {
    await books.run();
    books.ports.outflows.finalAt = books.ports.clock.now();
    books.ports.clock.advance(2 * HOUR_MS);
    await books.run();
    expect(books.ports.log.lines).toEqual([]);

    books.ports.clock.advance(HOUR_MS);
    await books.run();

    expect(books.ports.log.lines).toEqual([expect.stringContaining('the chain is not final')]);
  });

  test.each(['provider', 'chain'] as const)(
    'does not move while the %s is out, and nothing is concluded',
    async (who) => {
      const purchase = await books.purchaseIn('COMPLETED', { txHash: aHash() });
      await books.run({ from: '2098-12-31T00:00:00Z', to: '2098-12-31T01:00:00Z' });
      expect(await cursor()).toBeUndefined();
      const port = who === 'provider' ? books.ports.pix : books.ports.outflows;
      port.isDown = true;

      await expect(books.run()).rejects.toMatchObject({ name: 'Unavailable' });

      expect(await cursor()).toBe(atFirst());
      expect(await books.openIds()).toEqual([]);
      port.isDown = false;
      books.ports.clock.advance(5 * HOUR_MS);
      await books.run();
      expect(await books.openIds()).toContain(`TRANSFER_NOT_SHOWN#${purchase.id}`);
    },
  );

  test('skips no period in which the service was down', async () => {
    await books.run();
    const begin = books.ports.clock.now();
    books.ports.clock.advance(20 * HOUR_MS);
    const asked: [number, number][] = [];
    const { listReceived } = books.ports.pix;
    books.ports.pix.listReceived = (from, to, filter) => {
      if (!filter?.isReturned) asked.push([from - begin, to - begin]);
      return listReceived(from, to, filter);
    };

    await books.run();

    expect(asked[0]![0]).toBe(-2 * HOUR_MS);
    expect(asked.at(-1)![1]).toBe(20 * HOUR_MS);
    for (const [at, [from]] of asked.entries()) if (at > 0) expect(from).toBe(asked[at - 1]![1]);
  });

  test('stays if one comparison fails, and the others are still made', async () => {
    const { purchase } = await books.completed();
    const failing = await books.completed();
    failing.pix.amountCentavos = 1;
    const { findTransaction } = books.ports.transactions;
    books.ports.transactions.findTransaction = async (id) => {
      if (id === purchase.id) throw new Error('the row cannot be read');
      return findTransaction(id);
    };

    await expect(books.run()).rejects.toThrow('comparisons failed');

    expect(books.ports.log.raised).toContain('ComparisonFailed');
    expect(await cursor()).toBe(atFirst());
    expect(await books.openIds()).toEqual([`PAYMENT_DIFFERS#${failing.pix.endToEndId}`]);
  });

  test('stays at a row that can never be compared, but all later times are compared in each run', async () => {
    const { purchase } = await books.completed();
    const { findTransaction } = books.ports.transactions;
    books.ports.transactions.findTransaction = async (id) => {
      if (id === purchase.id) throw new Error('the row cannot be read');
      return findTransaction(id);
    };
    await expect(books.run()).rejects.toThrow('comparisons failed');
    const stays = await cursor();
    for (const pause of [30 * HOUR_MS, HOUR_MS]) {
      books.ports.clock.advance(pause);
      const later = lostPayment(books.ports.clock.now() - HOUR_MS / 2);

      await expect(books.run()).rejects.toThrow('comparisons failed');

      expect(await books.ports.unmatchedPayments.findUnmatched(later)).toBeDefined();
      expect(await cursor()).toBe(stays);
    }
    books.ports.transactions.findTransaction = findTransaction;
    await books.run();
    expect(await cursor()).toBe(books.ports.clock.now());
  });

  test('stays at a payment for which the provider never answers, but all others are compared', async () => {
    const { purchase } = await books.completed();
    const { pix } = await books.completed();
    pix.amountCentavos = 1;
    await books.refunded();
    const { findTransaction } = books.ports.transactions;
    books.ports.transactions.findTransaction = async (id) => {
      if (id === purchase.id) throw new Unavailable('Pix provider');
      return findTransaction(id);
    };

    await expect(books.run()).rejects.toThrow('comparisons failed');

    expect(await books.openIds()).toEqual([`PAYMENT_DIFFERS#${pix.endToEndId}`]);
    expect(await cursor()).toBe(atFirst());
    expect(books.ports.log.raised).not.toContain('ComparisonFailed');
  });

  /** A payment without a row here, which the provider shows. */
  function lostPayment(paidAt: number): string {
    const pix = aReceivedPix({ id: 'x' }, { txid: undefined, paidAt });
    books.ports.pix.received.push(pix);
    return pix.endToEndId;
  }
});

describe('an outage of the provider', () => {
  test('does not keep the deadlines of cases from being reported, and days from being closed', async () => {
    const deadline = books.ports.clock.now() + HOUR_MS;
    await books.ports.moneyCases.open(aMoneyCase('MED_REFUND', 'E1#D1', { deadline }));
    books.ports.pix.listReceived = async () => {
      throw new Unavailable('Pix provider');
    };

    await expect(books.run()).rejects.toThrow(Unavailable);

    expect(books.ports.log.raised).toContain('CaseDue');
    expect(await books.ports.daySums.findClosed()).toBeDefined();
  });
});

describe('on demand', () => {
  test('compares the requested period, reports its end, and keeps the cursor', async () => {
    await books.completed();
    books.ports.clock.advance(100 * 24 * HOUR_MS);
    const id = await PLANTED[0]![1]();

    const [from, to] = ['2098-12-31T22:00:00Z', '2099-01-01T02:00:00Z'];
    expect(await books.run({ from, to })).toMatchObject({ payments: 1, upTo: '2099-01-01T02:00:00.000Z' });

    expect(await books.openIds()).toEqual([id]);
    expect(await books.ports.moneyCases.findCursor()).toBeUndefined();
  });

  test.each([
    { from: '2099-01-01T02:00:00Z' },
    { from: 'yesterday', to: 'today' },
    { from: '2099-01-01T02:00:00Z', to: '2099-01-01T01:00:00Z' },
  ])('refuses %j', async (event) => {
    await expect(books.run(event)).rejects.toThrow('must be instants');
  });

  test('does not take the event of the clock for a period', async () => {
    const event = { version: '0', 'detail-type': 'Scheduled Event', time: '2099-01-01T00:00:00Z' };

    expect(await books.run(event)).toMatchObject({ opened: 0 });
    expect(await books.ports.moneyCases.findCursor()).toBe(books.ports.clock.now());
  });
});
