import { beforeEach, describe, expect, test } from 'vitest';
import { floatStore } from '../../functions/adapters/dynamodb/floats.ts';
import { openPurchases } from '../../functions/adapters/dynamodb/open-purchases.ts';
import { ASSET_NAMES, ASSETS, type Asset, perAsset } from '../../functions/domain/assets.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { instantOf } from '../../functions/domain/ports.ts';
import { advance, type Trigger } from '../../functions/domain/purchase/transitions.ts';
import { readTreasuryFloat } from '../../functions/schedules/read-treasury-float.ts';
import { issued, MINUTE_MS } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { aPurchaseIn, openPorts } from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';

const tokens = (count: bigint, asset: Asset = 'USDC') => count * 10n ** BigInt(ASSETS[asset].decimals);
const PROMISE = 45_566_968n;

async function openTreasury() {
  const tables = memoryTables();
  const { client, names } = tables;
  const wallet = { gasWei: 10n ** 18n, units: { ...perAsset((asset) => tokens(500n, asset)) } };
  const ports = {
    ...openPorts(tables),
    floats: floatStore(client, names, dice),
    openPurchases: openPurchases(client, names.transactions),
    hotWallets: { readHoldings: async () => ({ block: 7, wallets: [wallet], addresses: ['0xA', '0xHeld'] }) },
    floatLimits: perAsset(() => ({
      reserve: '100',
      minimumGas: '0.1',
      largestPurchase: '400',
      hourlyPayout: '400',
      walletCeiling: '900',
    })),
  };
  const read = async () => {
    ports.clock.advance(MINUTE_MS);
    return readTreasuryFloat(ports);
  };
  const roomOf = async (asset: Asset) => (await ports.floats.findFloat(asset))!.room;
  return { ports, wallet, read, roomOf };
}

let world: Awaited<ReturnType<typeof openTreasury>>;
beforeEach(async () => {
  world = await openTreasury();
});

describe('the reading of the treasury', () => {
  test('ends only when prices are recorded, because Lambda then freezes the function', async () => {
    const { ports, read } = world;
    ports.hotWallets.readHoldings = () => Promise.reject(new Unavailable('chain RPC'));
    const { findBooks } = ports.prices;
    ports.prices.findBooks = async () => {
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      return findBooks();
    };
    const saved: string[] = [];
    const { save } = ports.priceHistories;
    ports.priceHistories.save = (history) => {
      saved.push(history.asset);
      return save(history);
    };

    await expect(read()).rejects.toThrow('chain RPC');

    expect(saved).toEqual([...ASSET_NAMES]);
  });

  test('covers every wallet that it pays or paid from, removed ones included', async () => {
    const { ports, read } = world;
    await read();
    const holdings = await ports.hotWallets.readHoldings();
    ports.hotWallets.readHoldings = async () => ({ ...holdings, addresses: ['0xNew'] });

    await read();

    for (const asset of ASSET_NAMES) {
      const { hotWallets } = (await ports.floats.findFloat(asset))!;
      expect([...hotWallets].sort()).toEqual(['0xA', '0xHeld', '0xNew']);
    }
  });

  // Threat: "a stolen key of one wallet"
  test('calls a person for a wallet that holds more of an asset than its ceiling, and saves what it read', async () => {
    const { ports, wallet, read, roomOf } = world;
    await read();
    expect(ports.log.raised).toEqual([]);
    wallet.units.USDC = tokens(900n) + 1n;

    await read();

    expect(ports.log.raised).toEqual(['WalletOverfull']);
    expect(ports.log.lines).toContainEqual(expect.stringMatching(/USDC.*"wallets":1|"wallets":1.*USDC/));
    expect(await roomOf('USDC')).toBe(tokens(800n) + 1n);
  });

  test('subtracts the reserve and the amounts of open purchases, not of ended ones', async () => {
    const { ports, read, roomOf } = world;
    for (const status of ['AWAITING_MFA', 'AWAITING_PIX', 'PROCESSING'] as const)
      await ports.transactions.create(aPurchaseIn(status, { nextCheckAt: ports.clock.now() }));
    for (const status of ['COMPLETED', 'EXPIRED'] as const)
      await ports.transactions.create(aPurchaseIn(status, { nextCheckAt: undefined }));
    await ports.transactions.create(aPurchaseIn('FAILED', { nextCheckAt: ports.clock.now() }));

    expect(await read()).toEqual({ open: 4, block: 7 });

    expect(await roomOf('USDC')).toBe(tokens(400n) - 2n * PROMISE);
    for (const asset of ASSET_NAMES.filter((each) => each !== 'USDC'))
      expect(await roomOf(asset)).toBe(tokens(400n, asset));
  });

  /** A purchase that waits for its code, with reserved tokens. */
  async function reserved() {
    const { ports, read } = world;
    await read();
    const purchase = await ports.transactions.create(
      aPurchaseIn('AWAITING_MFA', { nextCheckAt: ports.clock.now() }),
    );
    const wanted = { id: purchase.id, units: PROMISE };
    expect(await ports.floats.reserve('USDC', wanted, ports.clock.now())).toBe(true);
    const move = async (trigger: Trigger) =>
      ports.transactions.save(advance(purchase, trigger, instantOf(ports.clock))!);
    return { purchase, wanted, move };
  }

  test('keeps the reservation of a purchase until its charge, and counts its row afterwards, each once', async () => {
    const { read, roomOf } = world;
    const { move } = await reserved();
    const left = tokens(400n) - PROMISE;

    for (let minute = 0; minute < 3; minute++) {
      expect(await roomOf('USDC')).toBe(left);
      await read();
    }
    await move('MFA code accepted');
    for (let minute = 0; minute < 3; minute++) {
      expect(await roomOf('USDC')).toBe(left);
      await read();
    }
    expect((await world.ports.floats.listReserved()).USDC).toEqual([]);
  });

  test('frees the reservation of a purchase without a charge once its time is over', async () => {
    const { ports, read, roomOf } = world;
    const { move } = await reserved();
    await move('no MFA response within 15 minutes');

    await read();

    expect(await roomOf('USDC')).toBe(tokens(400n));
    expect((await ports.floats.listReserved()).USDC).toEqual([]);
  });

  test.each(['before the books are read', 'after that'])(
    'counts a charged purchase once, charged %s',
    async (when) => {
      const { ports, read, roomOf } = world;
      const { move } = await reserved();
      const moving =
        <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
        async (...args: Args) => {
          const answer = await call(...args);
          await move('MFA code accepted');
          return answer;
        };
      if (when === 'after that') ports.hotWallets.readHoldings = moving(ports.hotWallets.readHoldings);
      else ports.openPurchases.listOpen = moving(ports.openPurchases.listOpen);

      await read();

      expect(await roomOf('USDC')).toBe(tokens(400n) - PROMISE);
    },
  );

  test('counts a purchase once that is reserved and charged while it reads', async () => {
    const { ports, read, roomOf } = world;
    await read();
    const { readHoldings } = ports.hotWallets;
    ports.hotWallets.readHoldings = async () => {
      const purchase = await ports.transactions.create(aPurchaseIn('AWAITING_MFA'));
      await ports.floats.reserve('USDC', { id: purchase.id, units: PROMISE }, ports.clock.now());
      const at = instantOf(ports.clock);
      await ports.transactions.save(advance(purchase, 'MFA code accepted', at, issued(purchase))!);
      return readHoldings();
    };

    await read();

    expect(await roomOf('USDC')).toBe(tokens(400n) - PROMISE);
  });

  test('looks up a reserved purchase that the index does not show', async () => {
    const { ports, read, roomOf } = world;
    const { move } = await reserved();
    await move('MFA code accepted');
    ports.openPurchases.listOpen = async () => [];

    await read();

    expect(await roomOf('USDC')).toBe(tokens(400n) - PROMISE);
  });

  test('saves nothing if another reading was saved since it began', async () => {
    const { ports, read, roomOf } = world;
    const { wanted, move } = await reserved();
    const { listOpen } = ports.openPurchases;
    // This reading sees the purchase wait. The other one counts it by its row and drops the reservation.
    ports.openPurchases.listOpen = async (until) => {
      const open = await listOpen(until);
      ports.openPurchases.listOpen = listOpen;
      await move('MFA code accepted');
      await readTreasuryFloat(ports);
      expect((await ports.floats.listReserved()).USDC).not.toContainEqual(wanted);
      return open;
    };

    await read();

    expect(await roomOf('USDC')).toBe(tokens(400n) - PROMISE);
  });

  test('raises its alarm for as long as an asset is low, and reports the end once', async () => {
    const { ports, wallet, read } = world;
    await read();
    // Some room is left, as after any charge, and not enough for the largest purchase.
    wallet.units.USDC = tokens(499n);

    for (let minute = 0; minute < 3; minute++) await read();
    expect(ports.log.raised).toEqual(['TreasuryLow', 'TreasuryLow', 'TreasuryLow']);

    wallet.units.USDC = tokens(900n);
    for (let minute = 0; minute < 2; minute++) await read();
    expect(ports.log.raised).toHaveLength(3);
    expect(ports.log.lines.filter((line) => line.includes('not low any more'))).toHaveLength(1);
  });

  test('reports low gas for each asset', async () => {
    const { ports, wallet, read } = world;
    wallet.gasWei = 1n;

    await read();

    expect(ports.log.lines.filter((line) => line.includes('treasury is low'))).toHaveLength(
      ASSET_NAMES.length,
    );
    expect(await ports.floats.reserve('USDT', { id: 'A', units: 1n }, ports.clock.now())).toBe(false);
  });

  test('changes nothing if no node answers, so that the known reading grows old', async () => {
    const { ports, read } = world;
    await read();
    const before = await ports.floats.findFloat('USDC');
    ports.hotWallets.readHoldings = () => Promise.reject(new Unavailable('chain RPC'));

    await expect(read()).rejects.toThrow('chain RPC');

    expect(await ports.floats.findFloat('USDC')).toEqual(before);
    ports.clock.advance(5 * MINUTE_MS);
    expect(await ports.floats.reserve('USDC', { id: 'A', units: 1n }, ports.clock.now())).toBe(false);
  });
});
