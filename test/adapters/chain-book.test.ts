import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancellations } from '../../functions/adapters/dynamodb/cancellations.ts';
import { type Book, settlementBook } from '../../functions/adapters/dynamodb/settlement-book.ts';
import type { CountedBooks } from '../../functions/adapters/dynamodb/settlement-items.ts';
import { perAsset } from '../../functions/domain/assets.ts';
import { NOTHING, type NonceBooks } from '../../functions/domain/treasury/hot-wallet.ts';
import {
  type Assigned,
  openSettlement,
  type Requested,
  type Settlement,
  type Signed,
} from '../../functions/domain/treasury/settlement.ts';
import { BOOK_SETTINGS, type Dynoxide, putPurchase, startDynoxide } from '../support/dynoxide.ts';
import { newAddress, newPayout } from '../support/settlement-world.ts';

const ATTEMPT = { kind: 'pay', hash: '0xaa', raw: '0x02', at: 1 } as const;
const MINED = { hash: '0xaa', blockNumber: 12, isFinal: false, at: 2, lookAt: 3 };

let database: Dynoxide;
beforeAll(async () => {
  database = await startDynoxide(['settlements', 'transactions', 'ledger']);
});
afterAll(() => database.stop());

type Send = (command: object) => Promise<unknown>;

/** The book, optionally with something between it and the database. */
function openBook(between?: (send: Send) => Send) {
  const send = ((command: never) => database.client.send(command)) as unknown as Send;
  const client = { send: between ? between(send) : send } as unknown as typeof database.client;
  const book = settlementBook({ client, ...BOOK_SETTINGS });
  /** Assigns the next nonce of the wallet. Without a window of payouts in `counted`, it uses the present one. */
  const assign = async (...[settlement, wallet, counted]: AssignOf<Partial<CountedBooks>>) => {
    const window = (await book.findWindows())[settlement.asset];
    return book.assign(settlement, wallet, { window, ...counted } as CountedBooks);
  };
  return { ...book, assign };
}
type AssignOf<Given> = [settlement: Requested, wallet: string, counted: Given];

async function rowAt(table: string, id: string): Promise<Record<string, unknown> | undefined> {
  const command = new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true });
  return (await database.client.send(command)).Item;
}

/** A settlement of a purchase with these fields, and its own wallet. */
async function requested(purchase: Record<string, unknown> = { status: 'PROCESSING' }) {
  const payout = newPayout();
  await database.client.send(
    new PutCommand({ TableName: 'transactions', Item: { id: payout.transactionId, ...purchase } }),
  );
  const book = openBook();
  const wallet = newAddress();
  await book.openWallet(wallet, 5);
  const settlement = openSettlement(payout, 0);
  expect(await book.open(settlement)).toEqual(settlement);
  return { book, wallet, settlement };
}

/** The settlement by its present row, which the test knows to be in this state. */
async function reread<State extends Settlement>(book: Book, { transactionId, asset, units, to }: Settlement) {
  return (await book.open(openSettlement({ transactionId, asset, units, to }, 0))) as State;
}

async function assigned() {
  const given = await requested();
  await given.book.assign(given.settlement, given.wallet, at(5));
  return { ...given, settlement: await reread<Assigned>(given.book, given.settlement) };
}

async function signed() {
  const given = await assigned();
  await given.book.addAttempt(given.settlement, ATTEMPT);
  return { ...given, settlement: await reread<Signed>(given.book, given.settlement) };
}

/** The account of a wallet that has reached this nonce and has paid nothing so far. */
const at = (next: number) => ({ next, committed: NOTHING });
const accountOf = async (book: Book, wallet: string, latest: number): Promise<NonceBooks> =>
  (await book.findAccounts([{ address: wallet, latest }])).get(wallet)!;
const nextOf = async (book: Book, wallet: string) => (await book.findWallets([wallet])).get(wallet)?.next;
const purchaseOf = (settlement: Settlement) => rowAt('transactions', settlement.transactionId);

describe('a settlement', () => {
  it('is opened once, and read back with all its units', async () => {
    const book = openBook();
    const payout = { ...newPayout(), units: 2n ** 70n };

    const first = await book.open(openSettlement(payout, 0));
    const second = await book.open({ ...openSettlement(payout, 0), to: newAddress() });

    expect(first).toEqual(openSettlement(payout, 0));
    expect(second).toEqual(first);
    expect(await rowAt('settlements', `PAY#${payout.transactionId}`)).toMatchObject({
      units: '1180591620717411303424',
      state: 'REQUESTED',
    });
  });
});

describe('a wallet', () => {
  it('counts from the nonce of its first use', async () => {
    const book = openBook();
    const wallet = newAddress();

    expect(await nextOf(book, wallet)).toBeUndefined();
    await book.openWallet(wallet, 7);
    await book.openWallet(wallet, 9);
    expect(await accountOf(book, wallet, 7)).toMatchObject({ next: 7, committed: NOTHING });
    expect(await nextOf(book, wallet.toUpperCase().replace('0X', '0x'))).toBe(7);
  });
});

describe('assigning a nonce', () => {
  it('writes wallet, slot, settlement and disposition together', async () => {
    const { book, wallet, settlement } = await requested();

    expect(await book.assign(settlement, wallet, at(5))).toBe('ASSIGNED');

    expect(await nextOf(book, wallet)).toBe(6);
    expect(await reread(book, settlement)).toEqual({ ...settlement, state: 'ASSIGNED', wallet, nonce: 5 });
    expect(await book.findOwner(wallet, 5)).toMatchObject({ transactionId: settlement.transactionId });
    expect(await rowAt('settlements', `SLOT#31337#${wallet}#5`)).toMatchObject({ kind: 'pay' });
    expect(await purchaseOf(settlement)).toMatchObject({ status: 'PROCESSING', disposition: 'SETTLE' });
  });

  it('writes nothing if another settlement took the nonce', async () => {
    const { book, wallet, settlement } = await requested();

    expect(await book.assign(settlement, wallet, at(4))).toBe('CONTENDED');
    expect(await book.assign(settlement, wallet, at(6))).toBe('CONTENDED');

    expect(await reread(book, settlement)).toEqual(settlement);
    expect(await purchaseOf(settlement)).not.toHaveProperty('disposition');
  });

  it('gives a settlement one nonce, however many functions ask', async () => {
    const { book, wallet, settlement } = await requested();

    const outcomes = await Promise.all(
      [5, 5, 5, 5].map((nonce) => book.assign(settlement, wallet, at(nonce))),
    );

    expect(outcomes.filter((outcome) => outcome === 'ASSIGNED')).toHaveLength(1);
    expect(await book.assign(settlement, wallet, at(6))).toBe('MOVED');
    expect(await nextOf(book, wallet)).toBe(6);
  });

  it.each([
    { status: 'PROCESSING', disposition: 'REFUND' },
    { status: 'AWAITING_PIX' },
    { status: 'FAILED' },
    { status: 'COMPLETED', disposition: 'SETTLE' },
  ])('is refused for a purchase of %o', async (purchase) => {
    const { book, wallet, settlement } = await requested(purchase);

    expect(await book.assign(settlement, wallet, at(5))).toBe('REFUSED');
    expect(await nextOf(book, wallet)).toBe(5);
    expect(await purchaseOf(settlement)).toEqual({ id: settlement.transactionId, ...purchase });
  });

  it('is dropped if a try failed in the meantime', async () => {
    const { book, wallet, settlement } = await requested();
    await book.fail(settlement, 'TRANSFER_REFUSED');

    expect(await book.assign(settlement, wallet, at(5))).toBe('MOVED');
  });
});

describe('the committed units of a wallet', () => {
  const put = (row: Record<string, unknown>) =>
    database.client.send(new PutCommand({ TableName: 'settlements', Item: row }));
  const tokens = (USDC: bigint, USDT = 0n) => ({ ...NOTHING, USDT, USDC });

  /** A wallet with three payments, from its nonce 5 on. */
  async function givenThree() {
    const { book, wallet } = await requested();
    for (const [asset, units] of [
      ['USDC', 2n],
      ['USDT', 2n ** 70n],
      ['USDC', 3n],
    ] as const) {
      const payout = newPayout(asset, units);
      await putPurchase(database, payout.transactionId);
      const opened = openSettlement(payout, 0);
      await book.open(opened);
      const account = await accountOf(book, wallet, 5);
      expect(await book.assign(opened, wallet, account)).toBe('ASSIGNED');
    }
    return { book, wallet };
  }

  it('are counted by asset, and marked at each nonce', async () => {
    const { book, wallet } = await givenThree();
    const committed = tokens(5n, 2n ** 70n);

    const marks = [NOTHING, tokens(2n), tokens(2n, 2n ** 70n), committed];
    for (const [at, mark] of marks.entries()) {
      const nonce = 5 + at;
      expect(await accountOf(book, wallet, nonce)).toEqual({
        next: 8,
        committed,
        mark: { nonce, committed: mark },
      });
    }
    expect(await rowAt('settlements', `SLOT#31337#${wallet}#6`)).toMatchObject({
      before: { ...perAsset(() => '0'), USDC: '2' },
    });
  });

  it('change only together with the nonce', async () => {
    const { book, wallet } = await givenThree();
    const payout = newPayout('USDC', 7n);
    await putPurchase(database, payout.transactionId);
    const opened = openSettlement(payout, 0);
    await book.open(opened);
    const account = await accountOf(book, wallet, 5);

    expect(await book.assign(opened, wallet, { ...account, next: 7 })).toBe('CONTENDED');

    expect(await accountOf(book, wallet, 5)).toEqual(account);
  });

  it('are not touched in rows older than the count, or in missing slots', async () => {
    const { book, wallet } = await requested();
    await put({ id: `WALLET#31337#${wallet}`, next: 9 });
    await put({ id: `SLOT#31337#${wallet}#8`, transactionId: 'x', kind: 'pay' });

    for (const nonce of [7, 8]) {
      expect(await accountOf(book, wallet, nonce)).toEqual({
        next: 9,
        committed: NOTHING,
        mark: { nonce, committed: NOTHING },
      });
    }
  });

  it('are zero for an asset newer than the row', async () => {
    const { book, wallet } = await requested();
    await put({ id: `WALLET#31337#${wallet}`, next: 9, given: { USDC: '5' } });
    await put({ id: `SLOT#31337#${wallet}#8`, transactionId: 'x', kind: 'pay', before: { USDC: '2' } });

    const account = { next: 9, committed: tokens(5n), mark: { nonce: 8, committed: tokens(2n) } };
    expect(await accountOf(book, wallet, 8)).toEqual(account);
  });

  it('are read for all wallets at once', async () => {
    const wallets = [(await givenThree()).wallet, (await givenThree()).wallet, newAddress()];
    const sent: string[] = [];
    const book = openBook((send) => (command) => {
      sent.push(command.constructor.name);
      return send(command);
    });

    const accounts = await book.findAccounts(wallets.map((address) => ({ address, latest: 6 })));

    expect([...accounts.keys()]).toEqual(wallets.slice(0, 2));
    expect(sent).toEqual(['BatchGetCommand']);
  });
});

describe('an attempt', () => {
  it('is stored once by two signers at once', async () => {
    const { book, settlement } = await assigned();

    const stored = await Promise.all([
      book.addAttempt(settlement, ATTEMPT),
      book.addAttempt(settlement, { ...ATTEMPT, hash: '0xbb' }),
    ]);

    expect(stored.filter(Boolean)).toHaveLength(1);
    expect((await reread(book, settlement)).attempts).toHaveLength(1);
  });

  it('is dropped if the nonce was taken away', async () => {
    const { book, settlement } = await assigned();
    await book.fail(settlement, 'REVERTED');

    expect(await book.addAttempt(settlement, ATTEMPT)).toBe(false);
  });

  it('restarts the count of casts', async () => {
    const { book, settlement } = await assigned();
    await book.addAttempt(settlement, ATTEMPT);
    await book.noteCast(await reread(book, settlement), { at: 9, hint: 'already known' });
    const cast = await reread<Signed>(book, settlement);

    await book.addAttempt(cast, { ...ATTEMPT, hash: '0xbb' });

    expect(cast).toMatchObject({ state: 'BROADCAST', casts: 1, lastCastAt: 9, hint: 'already known' });
    expect(await reread(book, settlement)).toEqual({
      ...settlement,
      state: 'SIGNED',
      casts: 0,
      attempts: [ATTEMPT, { ...ATTEMPT, hash: '0xbb' }],
    });
  });
});

describe('the end of a settlement', () => {
  it('is written once: a confirmed settlement neither fails nor is sent again', async () => {
    const { book, settlement } = await signed();

    expect(await book.confirm(settlement, MINED)).toBe(true);
    expect(await book.confirm(settlement, MINED)).toBe(false);
    expect(await book.fail(settlement, 'REVERTED')).toBeUndefined();
    await book.noteCast(settlement, { at: 1, hint: '' });

    expect(await reread(book, settlement)).toMatchObject({
      state: 'CONFIRMED',
      txHash: '0xaa',
      blockNumber: 12,
    });
  });

  it('of a try removes the nonce and the disposition, and keeps the slot as history', async () => {
    const { book, wallet, settlement } = await assigned();
    await book.addAttempt(settlement, ATTEMPT);
    const signed = await reread<Signed>(book, settlement);

    expect(await book.fail(signed, 'REVERTED')).toMatchObject({ state: 'REQUESTED', tries: ['REVERTED'] });

    const { wallet: _, nonce: __, ...requestedAgain } = settlement;
    expect(await reread(book, settlement)).toEqual({
      ...requestedAgain,
      state: 'REQUESTED',
      tries: ['REVERTED'],
    });
    expect(await purchaseOf(settlement)).not.toHaveProperty('disposition');
    expect(await rowAt('settlements', `SLOT#31337#${wallet}#5`)).toMatchObject({
      transactionId: settlement.transactionId,
      reason: 'REVERTED',
      attempts: [ATTEMPT],
    });
  });

  it('of a try is counted once by many functions', async () => {
    const { book, settlement } = await assigned();

    const failed = await Promise.all(Array.from({ length: 5 }, () => book.fail(settlement, 'REVERTED')));

    expect(failed.filter(Boolean)).toHaveLength(1);
    expect((await reread(book, settlement)).tries).toEqual(['REVERTED']);
  });

  it('comes with the fourth failed try', async () => {
    const { book, settlement } = await requested();

    for (let tries = 0; tries < 4; tries++)
      await book.fail(await reread(book, settlement), 'TRANSFER_REFUSED');

    expect(await reread(book, settlement)).toMatchObject({ state: 'FAILED' });
    expect(await book.fail(await reread(book, settlement), 'TRANSFER_REFUSED')).toBeUndefined();
  });
});

describe('a cancellation', () => {
  const wish = { reason: 'SANCTIONS_HIT', at: 3 } as const;
  const ask = ({ transactionId }: Settlement) =>
    cancellations(database.client, 'settlements', BOOK_SETTINGS.random).ask(transactionId, wish);

  it('is requested once, and a writer that does not know of it neither removes nor misses it', async () => {
    const { book, wallet, settlement } = await signed();

    expect(await ask(settlement)).toBe(true);
    expect(await ask(settlement)).toBe(false);

    expect(await book.addAttempt(settlement, ATTEMPT)).toBe(false);
    expect(await book.confirm(settlement, MINED)).toBe(false);
    expect(await book.fail(settlement, 'REVERTED')).toBeUndefined();
    const known = await reread<Signed>(book, settlement);
    expect(known).toEqual({ ...settlement, cancel: wish });
    expect(await book.addAttempt(known, { ...ATTEMPT, kind: 'cancel' })).toBe(true);
    expect(await rowAt('settlements', `SLOT#31337#${wallet}#5`)).toMatchObject({ kind: 'cancel' });
  });

  it('of a settlement without a nonce prevents any later nonce', async () => {
    const { book, wallet, settlement } = await requested();
    await ask(settlement);

    expect(await book.assign(settlement, wallet, at(5))).toBe('MOVED');
    expect(await book.fail(await reread(book, settlement), 'CANCELLED')).toMatchObject({ state: 'FAILED' });
    expect(await book.assign(await reread(book, settlement), wallet, at(5))).toBe('MOVED');
  });

  it('is written together with the try that shows that none can succeed', async () => {
    const { book, settlement } = await requested();

    const over = await book.fail(settlement, 'DESTINATION_RESERVED', { cancel: wish });

    expect(over).toMatchObject({ state: 'FAILED', tries: ['DESTINATION_RESERVED'], cancel: wish });
    expect(await reread(book, settlement)).toEqual(over);
    expect(await ask(settlement)).toBe(false);
  });

  it('ends with the try: the nonce and the disposition are removed, its reason stays', async () => {
    const { book, settlement } = await assigned();
    await ask(settlement);

    const over = await book.fail(await reread(book, settlement), 'CANCELLED');

    expect(over).toMatchObject({ state: 'FAILED', tries: ['CANCELLED'], cancel: wish });
    expect(await reread(book, settlement)).toEqual(over);
    expect(await purchaseOf(settlement)).not.toHaveProperty('disposition');
  });

  it('has no effect on a confirmed, failed or unknown settlement', async () => {
    const { book, settlement } = await signed();
    await book.confirm(settlement, MINED);
    const { book: other, settlement: failed } = await requested();
    for (let tries = 0; tries < 4; tries++) await other.fail(await reread(other, failed), 'TRANSFER_REFUSED');

    expect(await ask(settlement)).toBe(false);
    expect(await ask(failed)).toBe(false);
    expect(await ask(openSettlement(newPayout(), 0))).toBe(false);
    expect(await reread(book, settlement)).not.toHaveProperty('cancel');
  });
});

describe('a write', () => {
  const isWrite = (command: object) => /^(TransactWrite|Put|Update)Command$/.test(command.constructor.name);
  const conflict = (...codes: string[]) =>
    Object.assign(new Error('Transaction cancelled'), {
      name: 'TransactionCanceledException',
      $fault: 'client',
      $metadata: {},
      CancellationReasons: codes.map((Code) => ({ Code })),
    });

  it('is repeated after it met another write', async () => {
    const { wallet, settlement } = await requested();
    let conflicts = 3;
    const book = openBook((send) => async (command) => {
      if (isWrite(command) && conflicts-- > 0) throw conflict('None', 'TransactionConflict', 'None', 'None');
      return send(command);
    });

    expect(await book.assign(settlement, wallet, at(5))).toBe('ASSIGNED');
  });

  it('of one row is repeated after it met a transaction, and needs no transaction itself', async () => {
    const { settlement } = await requested();
    let conflicts = 3;
    const sent: string[] = [];
    const book = openBook((send) => async (command) => {
      if (isWrite(command)) sent.push(command.constructor.name);
      const met = { name: 'TransactionConflictException', $fault: 'client', $metadata: {} };
      if (isWrite(command) && conflicts-- > 0) throw Object.assign(new Error('met another'), met);
      return send(command);
    });

    expect(await book.fail(settlement, 'REVERTED')).toMatchObject({ tries: ['REVERTED'] });
    expect(sent).toEqual(Array(4).fill('PutCommand'));
    expect(await book.fail(settlement, 'REVERTED')).toBeUndefined();
  });

  it('is known after a lost answer by reading again', async () => {
    const { wallet, settlement } = await requested();
    const book = openBook((send) => async (command) => {
      const answer = await send(command);
      if (isWrite(command)) throw Object.assign(new Error('socket hang up'), { $metadata: { attempts: 3 } });
      return answer;
    });

    expect(await book.assign(settlement, wallet, at(5))).toBe('MOVED');
    const owned = await reread<Assigned>(book, settlement);
    expect(owned.nonce).toBe(5);
    expect(await book.addAttempt(owned, ATTEMPT)).toBe(false);
    expect((await reread(book, owned)).attempts).toEqual([ATTEMPT]);
  });

  it('is an error, not a doubt, if DynamoDB refuses it as wrong', async () => {
    const { settlement } = await signed();
    const denied = Object.assign(new Error('not authorized'), {
      name: 'AccessDenied',
      $fault: 'client',
      $metadata: {},
    });
    const book = openBook((send) => async (command) => {
      if (isWrite(command)) throw denied;
      return send(command);
    });

    await expect(book.confirm(settlement, MINED)).rejects.toThrow('not authorized');
  });
});

describe('a row without a field that its state needs', () => {
  const put = (row: Record<string, unknown>) =>
    database.client.send(new PutCommand({ TableName: 'settlements', Item: row }));
  const attempts = [ATTEMPT];

  it.each([
    ['an owner without a wallet', { state: 'ASSIGNED', nonce: 0 }, 'is ASSIGNED, which its wallet'],
    ['an owner without a nonce', { state: 'ASSIGNED', wallet: '0x1' }, 'is ASSIGNED, which its nonce'],
    ['signed without bytes', { state: 'SIGNED', wallet: '0x1', nonce: 0 }, 'is SIGNED, which its attempts'],
    [
      'sent at no time',
      { state: 'BROADCAST', wallet: '0x1', nonce: 0, attempts, hint: '' },
      'its lastCastAt',
    ],
    [
      'confirmed without a hash',
      { state: 'CONFIRMED', wallet: '0x1', nonce: 0, attempts, blockNumber: 1 },
      'txHash',
    ],
    [
      'confirmed and looked at no more',
      {
        state: 'CONFIRMED',
        wallet: '0x1',
        nonce: 0,
        attempts,
        blockNumber: 1,
        txHash: '0xaa',
        confirmedAt: 1,
      },
      'is CONFIRMED, which its nextCheckAt',
    ],
    [
      'a nonce that nobody knows to own',
      { state: 'REQUESTED', wallet: '0x1', nonce: 0 },
      'is REQUESTED, which its nonce',
    ],
    ['failed for no reason', { state: 'FAILED' }, 'is FAILED, which its tries'],
    ['a state that there is not', { state: 'LOSING' }, 'has the state LOSING'],
  ])('is an error, and gets no default: %s', async (_, changes, message) => {
    const { book, settlement } = await requested();
    const id = `PAY#${settlement.transactionId}`;
    await put({ ...(await rowAt('settlements', id)), ...changes });

    await expect(book.open(settlement)).rejects.toThrow(message);
  });
});
