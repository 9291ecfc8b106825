import { describe, expect, test } from 'vitest';
import { settlementBook } from '../../functions/adapters/dynamodb/settlement-book.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { NOTHING } from '../../functions/domain/treasury/hot-wallet.ts';
import { openSettlement, type Settlement } from '../../functions/domain/treasury/settlement.ts';
import { failTransaction } from '../../functions/steps/fail-transaction.ts';
import { eventsOf, openPorts, putPurchaseIn, reread } from '../support/ports.ts';
import { newAddress } from '../support/settlement-world.ts';
import { memoryTables, type Tables } from '../support/tables.ts';

const FIRST_NONCE = 5;

/** A paid purchase with its settlement before any nonce is owned, and its own wallet. */
async function paid(tables: Tables = memoryTables()) {
  const ports = openPorts(tables);
  const { client, names } = tables;
  const book = settlementBook({
    client,
    settlementsTable: names.settlements,
    transactionsTable: names.transactions,
    ledgerTable: names.ledger,
    chainId: 31337,
    random: ports.random,
  });
  const purchase = await putPurchaseIn(ports, 'PROCESSING');
  const wallet = newAddress();
  await book.openWallet(wallet, FIRST_NONCE);
  const { id: transactionId, asset, quote, walletAddress: to } = purchase;
  const payout = { transactionId, asset, units: quote.assetUnits, to };
  /** The present row, which the caller knows to be in this state. */
  const open = async <State extends Settlement>() => (await book.open(openSettlement(payout, 0))) as State;
  const error = { Error: 'SettlementFailed' };
  return {
    ports,
    purchase,
    book,
    open,
    assign: async (next = FIRST_NONCE) => {
      const window = (await book.findWindows())[asset];
      return book.assign(await open(), wallet, { next, committed: NOTHING, window });
    },
    refund: () => failTransaction({ transactionId, error }, ports),
  };
}

type Paid = Awaited<ReturnType<typeof paid>>;

async function stateOf({ ports, purchase, open }: Paid): Promise<[Transaction, Settlement, string[]]> {
  const events = (await eventsOf(ports, purchase)).map(({ type }) => type);
  return [await reread(ports, purchase), await open(), events];
}

async function expectSettling(given: Paid): Promise<void> {
  const [purchase, settlement, events] = await stateOf(given);
  expect(purchase).toMatchObject({ status: 'PROCESSING', disposition: 'SETTLE', sequence: 0 });
  expect(purchase).not.toHaveProperty('refund');
  expect(settlement.nonce).toBeDefined();
  expect(events).toEqual([]);
}

async function expectRefunding(given: Paid): Promise<void> {
  const [purchase, settlement, events] = await stateOf(given);
  expect(purchase).toMatchObject({ status: 'FAILED', disposition: 'REFUND', sequence: 1 });
  expect(purchase.refund).toMatchObject({ status: 'PENDING' });
  expect(settlement.nonce).toBeUndefined();
  expect(events).toEqual(['transaction.failed']);
}

describe('a refund', () => {
  test('is not claimed while a nonce is owned, because the transfer may still be mined', async () => {
    const given = await paid();
    expect(await given.assign()).toBe('ASSIGNED');

    await expect(given.refund()).rejects.toMatchObject({ name: 'TransferMayLive' });

    await expectSettling(given);
  });

  test('is not claimed after the transfer was confirmed', async () => {
    const given = await paid();
    await given.assign();
    await given.book.addAttempt(await given.open(), { kind: 'pay', hash: '0xaa', raw: '0x02', at: 1 });
    const mined = { hash: '0xaa', blockNumber: 7, isFinal: false, at: 2, lookAt: 3 };
    expect(await given.book.confirm(await given.open(), mined)).toBe(true);

    await expect(given.refund()).rejects.toMatchObject({ name: 'TransferMayLive' });

    await expectSettling(given);
  });

  test('is claimed if settlement never began', async () => {
    const given = await paid();

    expect(await given.refund()).toMatchObject({ status: 'FAILED' });

    await expectRefunding(given);
  });

  test('is claimed if settlement owns nothing yet', async () => {
    const given = await paid();
    await given.open();

    expect(await given.refund()).toMatchObject({ status: 'FAILED' });

    await expectRefunding(given);
  });

  test.each([1, 4])('is claimed after the nonce was freed, with %i tries', async (tries) => {
    const given = await paid();
    for (let nonce = FIRST_NONCE; nonce < FIRST_NONCE + tries; nonce++) {
      expect(await given.assign(nonce)).toBe('ASSIGNED');
      await given.book.fail(await given.open(), 'REVERTED');
    }

    expect(await given.refund()).toMatchObject({ status: 'FAILED' });

    await expectRefunding(given);
  });

  test('is claimed once by many functions', async () => {
    const given = await paid();

    const answers = await Promise.all(Array.from({ length: 10 }, given.refund));

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill('FAILED'));
    await expectRefunding(given);
  });

  test('is final: no nonce is assigned afterwards', async () => {
    const given = await paid();
    await given.open();
    await given.refund();

    expect(await given.assign()).toBe('REFUSED');

    await expectRefunding(given);
  });
});

describe('settlement and refund at once', () => {
  const PAIRS = 30;

  // docs/architecture.md, "Five ideas"
  test('have exactly one winner in each of 30 pairs', async () => {
    const tables = memoryTables();
    const pairs = await Promise.all(Array.from({ length: PAIRS }, () => paid(tables)));
    await Promise.all(pairs.map(({ open }) => open()));

    const won = await Promise.all(
      pairs.map(async ({ assign, refund }) => {
        const [assigned, refunded] = await Promise.allSettled([assign(), refund()]);
        return [
          assigned.status === 'fulfilled' && assigned.value === 'ASSIGNED',
          refunded.status === 'fulfilled' && refunded.value.status === 'FAILED',
        ];
      }),
    );

    expect(won.filter(([isSettled, isRefunded]) => isSettled === isRefunded)).toEqual([]);
    await Promise.all(
      pairs.map((pair, index) => (won[index]?.[0] ? expectSettling(pair) : expectRefunding(pair))),
    );
  });

  test('have exactly one winner if a failed try frees its nonce in the meantime', async () => {
    const tables = memoryTables();
    const pairs = await Promise.all(Array.from({ length: PAIRS }, () => paid(tables)));
    await Promise.all(pairs.map(({ assign }) => assign()));

    await Promise.allSettled(
      pairs.flatMap(({ book, open, assign, refund }) => {
        const failAndTryAgain = async () => {
          await book.fail(await open(), 'REVERTED');
          return assign(FIRST_NONCE + 1);
        };
        return [failAndTryAgain(), refund().catch(refund)];
      }),
    );

    for (const pair of pairs) {
      const { status } = await reread(pair.ports, pair.purchase);
      await (status === 'PROCESSING' ? expectSettling(pair) : expectRefunding(pair));
    }
  });
});
