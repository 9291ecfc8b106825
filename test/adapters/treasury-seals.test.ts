import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { directTreasury } from '../../functions/adapters/chain/treasury.ts';
import type { DirectTreasury } from '../../functions/adapters/chain/visit.ts';
import { ALTERED } from '../../functions/domain/treasury/doing.ts';
import type { Payout } from '../../functions/domain/treasury/settlement.ts';
import { fakeDataKeys } from '../support/fake-data-keys.ts';
import { Death, mortal } from '../support/faults.ts';
import { type MemoryBook, memoryBook } from '../support/memory-book.ts';
import { openSeals } from '../support/seals.ts';
import {
  chain,
  newAddress,
  newPayout,
  openTreasury,
  openWorld,
  type Wallet,
  type World,
} from '../support/settlement-world.ts';

const HELD = { state: 'PENDING', doing: ALTERED };
const WISH = { reason: 'SETTLEMENT_FAILED', at: 1 } as const;
const CANCELLED = { state: 'FAILED', reason: 'CANCELLED', triesLeft: 0, cancelledFor: 'SETTLEMENT_FAILED' };

let world: World;
let wallet: Wallet;
let book: MemoryBook;
let now = 0;
beforeAll(async () => {
  world = await openWorld();
});
beforeEach(async () => {
  wallet = await world.openWallet();
  book = memoryBook();
  now = 1_000_000;
});
afterEach(() => world.startMining());
afterAll(() => world.stop());

const clock = { now: () => now, minuteMs: 60_000 };
const kms = fakeDataKeys();
const { seals, seal } = openSeals(kms);
const open = (changes: Partial<DirectTreasury> = {}) =>
  openTreasury(world, wallet, { book, clock, seals, ...changes });
const settle = (paid: Payout, changes = {}) => open(changes).treasury.settle(paid);
const sentTo = (to: string) => world.countTransfers(wallet, to);
const nonceOf = async () => Number(await world.node('eth_getTransactionCount', [wallet.address, 'latest']));

/** Changes the row of the settlement, as a writer of the table could. */
function alter(paid: Payout, change: Partial<Payout>): void {
  book.rows.set(paid.transactionId, { ...book.rows.get(paid.transactionId)!, ...change });
}

/** A sealed payout that owns a nonce, and whose visit died before it signed. */
async function assigned(): Promise<Payout> {
  const paid = await seal(newPayout());
  await expect(directTreasury(mortal(open().ports, 'after', 'book.assign')).settle(paid)).rejects.toThrow(
    Death,
  );
  return paid;
}

const thief = newAddress();
const ALTERATIONS: [string, Partial<Payout>][] = [
  ['another wallet', { to: thief }],
  ['more units', { units: 900_000_000n }],
  ['another asset', { asset: 'USDT' }],
  ['no seals, as before there were any', { sealedDestination: undefined, sealedUnits: undefined }],
];

// docs/decisions.md, "A sealed payout"
describe('a payout that is as it was sealed', () => {
  it('is sent', async () => {
    const paid = await seal(newPayout());

    expect(await settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(await sentTo(paid.to)).toBe(1);
  });

  it('waits while KMS does not open its seals, and is sent afterwards', async () => {
    const paid = await seal(newPayout());
    const fresh = openSeals(kms).seals;
    kms.failures = 2;

    expect(await settle(paid, { seals: fresh })).toEqual({ state: 'PENDING', doing: 'KMS is unavailable' });
    expect(await settle(paid, { seals: fresh })).toMatchObject({ state: 'CONFIRMED' });
  });

  it('keeps its nonce while KMS does not open its seals', async () => {
    const paid = await assigned();
    const fresh = openSeals(kms).seals;
    kms.failures = 2;

    expect(await settle(paid, { seals: fresh })).toEqual({ state: 'PENDING', doing: 'KMS is unavailable' });
    expect(book.rows.get(paid.transactionId)).toMatchObject({ state: 'ASSIGNED', nonce: 0 });
    expect(await settle(paid, { seals: fresh })).toMatchObject({ state: 'CONFIRMED' });
  });
});

// docs/decisions.md, "A sealed payout"
describe('a payout that is not as it was sealed', () => {
  it.each(ALTERATIONS)('with %s gets no nonce, and a person is called', async (_, change) => {
    const { treasury, logged } = open();
    const altered = { ...(await seal(newPayout())), ...change };

    expect(await treasury.settle(altered)).toEqual(HELD);
    expect(await treasury.settle(altered)).toEqual(HELD);

    expect(logged.map(({ fields }) => fields?.doing)).toEqual([ALTERED, ALTERED]);
    expect(book.rows.get(altered.transactionId)).toMatchObject({ state: 'REQUESTED', attempts: [] });
    expect(await sentTo(altered.to)).toBe(0);
  });

  it('holds up no other payout of its wallet', async () => {
    await settle({ ...(await seal(newPayout())), to: thief });
    const other = await seal(newPayout());

    expect(await settle(other)).toMatchObject({ state: 'CONFIRMED' });
  });

  it.each(ALTERATIONS)('with %s since its nonce is not signed, in no visit', async (_, change) => {
    const paid = await assigned();
    alter(paid, change);
    const later = await seal(newPayout());

    expect(await settle({ ...paid, ...change })).toEqual(HELD);
    // The later payment waits for the nonce of the altered one, and its visit would sign that one too.
    expect(await settle(later, { waitsMs: [] })).toMatchObject({ state: 'PENDING' });

    expect(book.rows.get(paid.transactionId)?.attempts).toEqual([]);
    expect(await nonceOf()).toBe(0);
  });

  it('is not signed again with higher fees', async () => {
    await world.stopMining();
    const paid = await seal(newPayout());
    await settle(paid, { waitsMs: [] });
    alter(paid, { to: thief });

    for (let visit = 0; visit < 6; visit++) {
      now += 5_000;
      await settle({ ...paid, to: thief }, { waitsMs: [] });
    }

    expect(book.rows.get(paid.transactionId)?.attempts).toHaveLength(1);
  });

  it('is not sent on the terms of the purchase once its settlement has others', async () => {
    const paid = await assigned();

    expect(await settle({ ...paid, to: thief })).toEqual(HELD);
    expect(await settle(paid)).toMatchObject({ state: 'CONFIRMED' });
    expect(await sentTo(thief)).toBe(0);
  });

  it('ends by a cancel, without a nonce', async () => {
    const altered = { ...(await seal(newPayout())), to: thief };
    await settle(altered);
    await book.cancellations.ask(altered.transactionId, WISH);

    expect(await settle(altered)).toEqual(CANCELLED);
    expect(await nonceOf()).toBe(0);
  });

  it('ends by a cancel at its nonce, which moves nothing', async () => {
    const paid = await assigned();
    alter(paid, { to: thief });
    await book.cancellations.ask(paid.transactionId, WISH);
    const finality = { chain: { ...chain, finality: 5 } };

    await expect
      .poll(async () => {
        await world.node('anvil_mine', ['0x1']);
        return settle(paid, finality);
      })
      .toEqual(CANCELLED);
    expect(await nonceOf()).toBe(1);
    expect([await sentTo(thief), await sentTo(paid.to)]).toEqual([0, 0]);
  });
});
