import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { floatStore } from '../../functions/adapters/dynamodb/floats.ts';
import { openPurchases } from '../../functions/adapters/dynamodb/open-purchases.ts';
import { type FloatReading, hasRoom, STALE_AFTER_MS } from '../../functions/domain/treasury/liquidity.ts';
import { aTransaction, MINUTE_MS, NOW } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { sending } from '../support/mortal-client.ts';
import { openPorts } from '../support/ports.ts';
import { startTables } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const PAUSE = { by: 'ana', reason: 'key rotation', at: NOW };
let at = NOW;
let purchases = 0;
const idOf = (index: number) => `01JD4F${String(index).padStart(20, '0')}`;
/** A reservation of these units, for a new purchase. */
const aNew = (units: bigint) => ({ id: idOf(purchases++), units });

/** The client that does `act` once, before the first command of this kind. */
function before(
  client: DynamoDBDocumentClient,
  Kind: new (input: never) => unknown,
  act: () => Promise<unknown>,
): DynamoDBDocumentClient {
  let isDone = false;
  return sending(client, async (command) => {
    if ((command as unknown) instanceof Kind && !isDone) {
      isDone = true;
      await act();
    }
    return client.send(command);
  });
}

/** The room, the revision and the reservations of USDC. */
async function bookOf(store: ReturnType<typeof floatStore>) {
  const [float, revision, { USDC: reserved }] = await Promise.all([
    store.findFloat('USDC'),
    store.findRevision('USDC'),
    store.listReserved(),
  ]);
  return { room: float?.room, revision, reserved };
}

/** Saves a reading of the treasury with this room, later than that of the last test, and without reservations. */
async function readWith(room: bigint, changes: Partial<FloatReading> = {}) {
  at += 10 * MINUTE_MS;
  const store = floatStore(tables.client, tables.names, dice);
  await store.resume('USDC');
  const reading: FloatReading = {
    asset: 'USDC',
    free: room,
    largest: 2n ** 60n,
    hourlyPayout: 5_000_000n,
    readAt: at,
    block: 1,
    isGasLow: false,
    hotWallets: ['0xA'],
    ...changes,
  };
  const before = await bookOf(store);
  expect(await store.save(reading, { ...before, over: before.reserved })).toBe(true);
  await store.release('USDC', before.reserved, at);
  return { store, reading, now: at };
}

describe('a reservation', () => {
  it('is made anew if a reading releases it between the writes of a repeated request', async () => {
    const { store, now } = await readWith(100n);
    const purchase = aNew(7n);
    await store.reserve('USDC', purchase, now);
    const releasing = before(tables.client, GetCommand, () => store.release('USDC', [purchase], now));

    expect(await floatStore(releasing, tables.names, dice).reserve('USDC', purchase, now)).toBe(true);
    expect((await bookOf(store)).reserved).toEqual([purchase]);
  });

  it('is exact, however many are made at once', async () => {
    const { store, now } = await readWith(100n);

    const asked = await Promise.all(Array.from({ length: 30 }, () => store.reserve('USDC', aNew(7n), now)));

    expect(asked.filter(Boolean)).toHaveLength(14);
    expect(await store.findFloat('USDC')).toMatchObject({ room: 2n });
  });

  it('keeps every digit of an asset with eighteen decimals', async () => {
    const units = 10_000_000n * 10n ** 18n + 1n;
    const { store, now } = await readWith(3n * units, { largest: units });
    const wanted = [aNew(units), aNew(units - 1n)];

    for (const each of wanted) expect(await store.reserve('USDC', each, now)).toBe(true);

    expect(await store.findFloat('USDC')).toMatchObject({
      room: units + 1n,
      largest: units,
      hourlyPayout: 5_000_000n,
    });
    const book = await bookOf(store);
    expect(book.room).toBe(units + 1n);
    // A set has no order.
    expect(book.reserved).toHaveLength(2);
    expect(book.reserved).toEqual(
      expect.arrayContaining(wanted.map((each) => expect.objectContaining(each))),
    );
  });

  it('is made once for a purchase, however often it is requested', async () => {
    const { store, now } = await readWith(100n);
    const purchase = aNew(60n);

    const asked = await Promise.all(Array.from({ length: 8 }, () => store.reserve('USDC', purchase, now)));

    expect(asked).toEqual(Array(8).fill(true));
    expect(await store.findFloat('USDC')).toMatchObject({ room: 40n });
    expect((await bookOf(store)).reserved).toEqual([purchase]);
  });

  it('is made for a purchase, however many prices it is requested at, at once', async () => {
    const { store, now } = await readWith(100n);
    const { id } = aNew(0n);

    const asked = await Promise.all(
      [40n, 41n, 42n, 43n, 44n].map((units) => store.reserve('USDC', { id, units }, now)),
    );

    expect(asked).toEqual(Array(5).fill(true));
    expect(await bookOf(store)).toMatchObject({ room: 56n, reserved: [{ id, units: 44n }] });
  });

  it('grows if another request raised it between the writes', async () => {
    const { store, now } = await readWith(100n);
    const { id } = aNew(0n);
    await store.reserve('USDC', { id, units: 40n }, now);
    let reads = 0;
    const raised = sending(tables.client, async (command) => {
      const answer = await tables.client.send(command);
      const isRead = (command as unknown) instanceof GetCommand;
      if (isRead && reads++ === 0) await store.reserve('USDC', { id, units: 41n }, now);
      return answer;
    });

    expect(await floatStore(raised, tables.names, dice).reserve('USDC', { id, units: 42n }, now)).toBe(true);
    expect(await bookOf(store)).toMatchObject({ room: 58n, reserved: [{ id, units: 42n }] });
  });

  it('grows by the difference to a new price if there is room, and does not shrink', async () => {
    const { store, now } = await readWith(100n);
    const { id } = aNew(0n);
    const wants = (units: bigint) => store.reserve('USDC', { id, units }, now);

    expect([await wants(60n), await wants(95n), await wants(101n), await wants(50n)]).toEqual([
      ...[true, true, false, true],
    ]);

    expect(await bookOf(store)).toMatchObject({ room: 5n, reserved: [{ id, units: 95n }] });
  });

  it('holds amounts beyond the precision of doubles', async () => {
    const { store, now } = await readWith(2n ** 60n);
    const purchase = aNew(2n ** 58n + 1n);

    expect(await store.reserve('USDC', purchase, now)).toBe(true);
    expect(await store.reserve('USDC', purchase, now)).toBe(true);
    expect((await store.findFloat('USDC'))!.room).toBe(2n ** 60n - 2n ** 58n - 1n);
  });

  it.each<[string, Partial<FloatReading>, number]>([
    ['where gas is low', { isGasLow: true }, 0],
    ['of more than there is', { free: 9n }, 0],
    ['of more than one wallet can pay', { largest: 9n }, 0],
    ['from a reading that is old', {}, STALE_AFTER_MS + 1],
  ])('is refused %s', async (_, changes, later) => {
    const { store, now } = await readWith(10n, changes);

    expect(await store.reserve('USDC', aNew(10n), now + later)).toBe(false);
    expect(hasRoom(await store.findFloat('USDC'), 10n, now + later)).toBe(false);
    expect(await bookOf(store)).toMatchObject({ room: changes.free ?? 10n, reserved: [] });
  });

  it('is refused while operators pause the asset, also twice, and the readings continue', async () => {
    const { store, reading, now } = await readWith(10n);
    const purchase = aNew(1n);
    expect(await store.reserve('USDC', purchase, now)).toBe(true);
    await store.pause('USDC', PAUSE);

    expect(await store.reserve('USDC', purchase, now)).toBe(false);
    expect(await store.reserve('USDC', aNew(1n), now)).toBe(false);
    const { revision } = await bookOf(store);
    expect(await store.save({ ...reading, readAt: now + MINUTE_MS }, { revision, over: [] })).toBe(true);
    expect(await store.findFloat('USDC')).toMatchObject({ paused: PAUSE, readAt: now + MINUTE_MS });
    await store.resume('USDC');
    expect(await store.reserve('USDC', purchase, now + MINUTE_MS)).toBe(true);
  });

  it('is refused if nothing was ever read, also after a pause and its end', async () => {
    const store = floatStore(tables.client, tables.names, dice);

    expect(await store.reserve('USDT', aNew(1n), NOW)).toBe(false);
    await store.pause('USDT', PAUSE);
    await store.resume('USDT');
    expect(await store.reserve('USDT', aNew(1n), NOW)).toBe(false);
    expect(hasRoom(await store.findFloat('USDT'), 0n, NOW)).toBe(false);
    expect(await store.findRevision('USDT')).toBe(0);
    expect((await store.listReserved()).USDT).toEqual([]);
  });
});

describe('a reading', () => {
  it('adds its wallets to the earlier ones, each once', async () => {
    const { store, reading } = await readWith(1n, { hotWallets: ['0xA', '0xB'] });

    await store.save({ ...reading, hotWallets: ['0xB', '0xC'] }, { ...(await bookOf(store)), over: [] });

    expect([...(await store.findFloat('USDC'))!.hotWallets].sort()).toEqual(['0xA', '0xB', '0xC']);
  });

  it('replaces the last one, and keeps every reservation deducted that is not over', async () => {
    const { store, reading, now } = await readWith(100n);
    const [early, late] = [aNew(30n), aNew(5n)];
    await store.reserve('USDC', early, now);
    const { revision, reserved } = await bookOf(store);
    await store.reserve('USDC', late, now);

    // The purchase of the early reservation is charged, and its row counts. The reading does not know the late one.
    expect(await store.save({ ...reading, free: 470n }, { revision, over: reserved })).toBe(true);

    expect(await bookOf(store)).toMatchObject({ room: 465n });
    await store.release('USDC', reserved, now);
    expect(await bookOf(store)).toMatchObject({ room: 465n, reserved: [late] });
  });

  it('gives units back once, also if it died before the release, or released twice', async () => {
    const { store, reading, now } = await readWith(100n);
    await store.reserve('USDC', aNew(30n), now);
    for (let death = 0; death < 3; death++) {
      const { revision, reserved } = await bookOf(store);
      expect(await store.save(reading, { revision, over: reserved })).toBe(true);
      expect((await store.findFloat('USDC'))!.room).toBe(100n);
    }

    const { reserved } = await bookOf(store);
    await store.release('USDC', reserved, now);
    await store.release('USDC', reserved, now);

    expect(await bookOf(store)).toMatchObject({ room: 100n, reserved: [] });
    const { revision } = await bookOf(store);
    expect(await store.save(reading, { revision, over: [] })).toBe(true);
    expect((await store.findFloat('USDC'))!.room).toBe(100n);
  });

  it('is dropped if reservations were released since it began, because it would give them back again', async () => {
    const { store, reading, now } = await readWith(100n);
    await store.reserve('USDC', aNew(30n), now);
    const { revision, reserved } = await bookOf(store);
    await store.save(reading, { revision, over: reserved });
    const late = await bookOf(store);
    await store.release('USDC', reserved, now);

    expect(await store.save(reading, { revision: late.revision, over: late.reserved })).toBe(false);

    expect((await store.findFloat('USDC'))!.room).toBe(100n);
  });

  it('does not release a reservation that grew since it was read', async () => {
    const { store, now } = await readWith(100n);
    const { id } = aNew(0n);
    await store.reserve('USDC', { id, units: 10n }, now);
    const { reserved } = await bookOf(store);
    await store.reserve('USDC', { id, units: 11n }, now);

    await store.release('USDC', reserved, now);

    expect(await bookOf(store)).toMatchObject({ room: 89n, reserved: [{ id, units: 11n }] });
  });

  it('leaves a released purchase free to reserve again', async () => {
    const { store, now } = await readWith(100n);
    const purchase = aNew(10n);
    await store.reserve('USDC', purchase, now);
    await store.release('USDC', [purchase], now);

    expect(await store.reserve('USDC', { ...purchase, units: 4n }, now)).toBe(true);

    expect((await bookOf(store)).reserved).toEqual([{ ...purchase, units: 4n }]);
  });

  it('loses no reservation that is made at the same moment', async () => {
    const { store, reading, now } = await readWith(1000n);
    const basis = { ...(await bookOf(store)), over: [] };

    const [isSaved, ...reserved] = await Promise.all([
      store.save(reading, basis),
      ...Array.from({ length: 20 }, () => store.reserve('USDC', aNew(1n), now)),
    ]);

    expect([isSaved, ...reserved].every(Boolean)).toBe(true);
    expect(await bookOf(store)).toMatchObject({ room: 980n });
  });

  it('is dropped if another reading was faster', async () => {
    const { store, reading } = await readWith(100n);
    const basis = { ...(await bookOf(store)), over: [] };

    const saved = await Promise.all([50n, 60n].map((free) => store.save({ ...reading, free }, basis)));

    expect(saved.filter(Boolean)).toHaveLength(1);
    expect(await bookOf(store)).toMatchObject({ room: saved[0] ? 50n : 60n });
  });

  it('removes any number of reservations', async () => {
    const { store, now } = await readWith(1000n);
    const all = Array.from({ length: 130 }, () => aNew(1n));
    await Promise.all(all.map((each) => store.reserve('USDC', each, now)));

    await store.release('USDC', all.slice(1), now);

    expect((await bookOf(store)).reserved).toEqual([all[0]]);
  });

  it('is recorded as low once, and as no longer low once', async () => {
    const { store, now } = await readWith(0n);

    expect(await Promise.all([store.noteLow('USDC', now), store.noteLow('USDC', now)])).toContain(false);
    expect(await store.findFloat('USDC')).toMatchObject({ lowSince: now });
    expect(await store.noteLow('USDC', undefined)).toBe(true);
    expect(await store.noteLow('USDC', undefined)).toBe(false);
  });
});

describe('the open purchases', () => {
  it('are all that need attention, in any number', async () => {
    const ports = openPorts(tables);
    const ids = Array.from({ length: 130 }, (_, index) => `01JD4G${String(index).padStart(20, '0')}`);
    await Promise.all(ids.map((id) => ports.transactions.create(aTransaction({ id }))));
    const store = openPurchases(tables.client, tables.names.transactions);

    const open = await store.listOpen(NOW + 40 * MINUTE_MS);

    expect(open.map(({ id }) => id).sort()).toEqual(ids);
    expect(open[0]!.quote.assetUnits).toBe(45_566_968n);
    expect(await store.listOpen(NOW)).toEqual([]);
    expect((await store.listByIds([ids[0]!, idOf(0)])).map(({ id }) => id)).toEqual([ids[0]]);
    expect(await store.listByIds([])).toEqual([]);
  });
});
