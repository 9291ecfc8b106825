import { describe, expect, test } from 'vitest';
import { floatStore } from '../../functions/adapters/dynamodb/floats.ts';
import { ASSETS } from '../../functions/domain/assets.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { quoteFor } from '../../functions/domain/money.ts';
import { issueCharge } from '../../functions/logic/purchase/issue-charge.ts';
import { putApproved } from '../support/approved.ts';
import { aClient } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { openPorts, putPurchaseIn, reread } from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';

const SPREAD = 100;
const ROOM = 1_000_000_000n;

const tables = memoryTables();

/** A purchase with a cleared challenge, and a treasury that was just read. */
async function cleared(room = ROOM) {
  const floats = floatStore(tables.client, tables.names, dice);
  const ports = openPorts(tables);
  const price = ports.prices;
  const purchase = await putPurchaseIn(ports, 'AWAITING_MFA');
  await putApproved(ports, purchase);
  const { asset, clientId: id, partnerId } = purchase;
  const cpfCipher = await ports.vault.encrypt('52998224725', id);
  const client = await ports.clients.create(aClient({ id, partnerId, cpfCipher }));
  const reading = {
    asset,
    free: room,
    largest: room,
    hourlyPayout: room,
    readAt: ports.clock.now(),
    block: 1,
    isGasLow: false,
    hotWallets: ['0xA'],
  };
  // The tables still have the reservations of the earlier tests, which are over.
  const { [asset]: over } = await floats.listReserved();
  await floats.save(reading, { revision: await floats.findRevision(asset), over });
  await floats.release(asset, over, ports.clock.now());
  const issue = () =>
    issueCharge(
      purchase,
      { trigger: 'MFA code accepted', client, spreadBasisPoints: SPREAD },
      { ...ports, liquidity: floats },
    );
  const roomLeft = async () => (await floats.findFloat(asset))!.room;
  const units = (ask = price.ask) =>
    quoteFor(purchase.amountCentavos, { ask, spreadBasisPoints: SPREAD, decimals: ASSETS[asset].decimals })
      .assetUnits;
  return { ports, purchase, price, issue, roomLeft, units };
}

describe('a charge', () => {
  test('reserves the tokens of its locked price before it is made', async () => {
    const { ports, purchase, issue, roomLeft, units } = await cleared();
    const { createCharge } = ports.pix;
    let roomThen = 0n;
    ports.pix.createCharge = async (charge) => {
      roomThen = await roomLeft();
      return createCharge(charge);
    };

    await issue();

    const { quote } = await reread(ports, purchase);
    expect(quote.assetUnits).toBe(units());
    expect([roomThen, await roomLeft()]).toEqual([ROOM - units(), ROOM - units()]);
  });

  test('is not made without room, and is made once there is room', async () => {
    const { ports, purchase, issue, roomLeft, units } = await cleared(1n);

    await expect(issue()).rejects.toMatchObject({
      code: 'LIQUIDITY_UNAVAILABLE',
      details: { retryAfterSeconds: 60 },
    });
    expect(ports.pix.charges.size).toBe(0);
    expect(await reread(ports, purchase)).toMatchObject(purchase);
    expect(await roomLeft()).toBe(1n);

    const store = floatStore(tables.client, tables.names, dice);
    const revision = await store.findRevision(purchase.asset);
    const { room: _, ...rest } = (await store.findFloat(purchase.asset))!;
    await store.save({ ...rest, free: units(), largest: units() }, { revision, over: [] });
    expect(await issue()).toMatchObject({ status: 'AWAITING_PIX' });
    expect(await roomLeft()).toBe(0n);
  });

  // docs/decisions.md, "Quotes and open promises"
  test('reserves once, however often a later call fails', async () => {
    const { ports, purchase, issue, roomLeft, units } = await cleared();
    const { createCharge } = ports.pix;
    const { save } = ports.transactions;
    ports.pix.createCharge = () => Promise.reject(new Unavailable('the payment provider'));
    for (let call = 0; call < 3; call++) await expect(issue()).rejects.toThrow('the payment provider');
    ports.pix.createCharge = createCharge;
    ports.transactions.save = () => Promise.reject(new Unavailable('the transactions table'));
    await expect(issue()).rejects.toThrow('the transactions table');
    ports.transactions.save = save;

    expect(await issue()).toMatchObject({ status: 'AWAITING_PIX' });

    expect(await roomLeft()).toBe(ROOM - units());
    expect(await reread(ports, purchase)).toMatchObject({ status: 'AWAITING_PIX' });
  });

  test('wakes the machine even if the write was refused because it had succeeded before', async () => {
    const { ports, purchase, issue } = await cleared();
    const wait = { status: 'AWAITING_MFA', token: 'token-1' } as const;
    await ports.transactions.saveWait(purchase.id, wait);
    const { save } = ports.transactions;
    // The answer was lost, and the SDK asked again.
    ports.transactions.save = async (change) => (await save(change)) && save(change);

    expect(await issue()).toMatchObject({ status: 'AWAITING_PIX' });

    expect(ports.machine.resumed).toMatchObject([{ token: wait.token }]);
  });

  test('reserves once for three functions that race', async () => {
    const { issue, roomLeft, units } = await cleared();

    const issued = await Promise.all([issue(), issue(), issue()]);

    expect(issued.map(({ status }) => status)).toEqual(Array(3).fill('AWAITING_PIX'));
    expect(await roomLeft()).toBe(ROOM - units());
  });

  test('reserves the difference if it is repeated at a new price', async () => {
    const { ports, price, issue, roomLeft, units } = await cleared();
    const { createCharge } = ports.pix;
    ports.pix.createCharge = () => Promise.reject(new Unavailable('the payment provider'));
    await expect(issue()).rejects.toThrow();
    ports.pix.createCharge = createCharge;
    price.ask = '5.20';

    await issue();

    expect(units()).toBeGreaterThan(units('5.45'));
    expect(await roomLeft()).toBe(ROOM - units());
  });

  test('is made for one of two purchases that want the last tokens', async () => {
    const one = await cleared();
    const other = await cleared(one.units());

    const ended = await Promise.allSettled([one.issue(), other.issue()]);

    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(one.ports.pix.charges.size + other.ports.pix.charges.size).toBe(1);
  });
});
