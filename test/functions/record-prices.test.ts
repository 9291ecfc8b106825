import { beforeEach, describe, expect, test } from 'vitest';
import { priceHistoryStore } from '../../functions/adapters/dynamodb/price-histories.ts';
import { ASSET_NAMES, perAsset } from '../../functions/domain/assets.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { judgePrice } from '../../functions/domain/treasury/price.ts';
import { VENUES } from '../../functions/domain/treasury/quorum.ts';
import { readMarket } from '../../functions/logic/purchase/market.ts';
import { readTreasuryFloat } from '../../functions/schedules/read-treasury-float.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { openPorts } from '../support/ports.ts';
import { priceOf } from '../support/stub-market.ts';
import { memoryTables } from '../support/tables.ts';

/** The schedule with an exchange, and a history without entries. */
function openSchedule() {
  const tables = memoryTables();
  const wallet = { gasWei: 10n ** 18n, units: perAsset(() => 10n ** 12n) };
  const ports = {
    ...openPorts(tables),
    priceHistories: priceHistoryStore(tables.client, tables.names.floats),
    openPurchases: { listOpen: async () => [], listByIds: async () => [] },
    hotWallets: { readHoldings: async () => ({ block: 7, wallets: [wallet], addresses: [] }) },
    floatLimits: perAsset(() => ({
      reserve: '0',
      minimumGas: '0.1',
      largestPurchase: '400',
      hourlyPayout: '400',
      walletCeiling: '1000000000',
    })),
  };
  const read = async (minutes = 1) => {
    for (let minute = 0; minute < minutes; minute++) {
      ports.clock.advance(MINUTE_MS);
      await readTreasuryFloat(ports);
    }
  };
  /** The price of a purchase of R$ 50,000. */
  const judged = async () => judgePrice(await readMarket('USDT', ports), 'USDT', 50_000_00);
  const alarms = () => ports.log.errors.filter((line) => line.includes('no price to sell at'));
  return { ports, read, judged, alarms };
}

let world: ReturnType<typeof openSchedule>;
beforeEach(() => {
  world = openSchedule();
});

describe('the reading of each minute', () => {
  test('accepts the price of each asset, so that a recent price exists even if nobody buys', async () => {
    const { ports, read, judged } = world;
    expect(await judged()).toEqual({ distrust: 'NEVER_ACCEPTED' });

    await read(75);

    expect(await judged()).toEqual({ ask: priceOf('5.45') });
    for (const asset of ASSET_NAMES) {
      const { spans } = await ports.priceHistories.findHistory(asset);
      expect(spans.at(-1)).toMatchObject({ lowest: priceOf('5.45'), highest: priceOf('5.45') });
    }
  });

  // docs/decisions.md, "A price that may be sold at"
  test('raises its alarm for as long as the price of an asset is false, and reports the end', async () => {
    const { ports, read, judged, alarms } = world;
    await read();
    ports.prices.ask = '2.60';

    await read(30);

    expect(await judged()).toEqual({ distrust: 'MOVED' });
    expect(alarms()).toHaveLength(30 * ASSET_NAMES.length);
    ports.prices.ask = '5.40';
    await read();
    expect(await judged()).toEqual({ ask: priceOf('5.40') });
    expect(ports.log.lines.filter((line) => line.includes('trusted again'))).toHaveLength(ASSET_NAMES.length);
    ports.prices.ask = '2.60';
    await read();
    expect(alarms()).toHaveLength(31 * ASSET_NAMES.length);
  });

  test('raises the alarm even if it dies before it has recorded that', async () => {
    const { ports, read, alarms } = world;
    await read();
    const { save } = ports.priceHistories;
    ports.prices.ask = '2.60';
    ports.priceHistories.save = () => Promise.reject(new Error('killed'));
    await expect(read()).rejects.toThrow('killed');
    ports.priceHistories.save = save;

    await read(2);

    expect(alarms().length).toBeGreaterThanOrEqual(ASSET_NAMES.length);
    expect((await ports.priceHistories.findHistory('USDT')).distrust).toBe('MOVED');
  });

  test('keeps what one of three racing readings has accepted', async () => {
    const { ports, read } = world;
    await read();
    const before = await ports.priceHistories.findHistory('USDT');

    await Promise.all([readTreasuryFloat(ports), readTreasuryFloat(ports), readTreasuryFloat(ports)]);

    const after = await ports.priceHistories.findHistory('USDT');
    expect(after.revision).toBeGreaterThan(before.revision);
    expect(after.spans.at(-1)).toMatchObject({ lowest: priceOf('5.45'), highest: priceOf('5.45') });
  });

  test('still reads the treasury while the exchange is silent, and keeps the accepted prices', async () => {
    const { ports, read } = world;
    await read();
    const before = await ports.priceHistories.findHistory('USDT');
    ports.prices.findBooks = async () => perAsset(() => ({}));
    let readings = 0;
    ports.floats.save = async () => ++readings > 0;

    await read();

    expect(readings).toBe(ASSET_NAMES.length);
    expect(await ports.priceHistories.findHistory('USDT')).toMatchObject({ spans: before.spans });
    expect(new Set(ports.log.raised)).toEqual(new Set(['PriceNotRead', 'PriceNotTrusted']));
    expect(ports.log.raised.filter((each) => each === 'PriceNotRead')).toHaveLength(VENUES.length);
  });

  test('starts again after an operator has decided that the market has moved', async () => {
    const { ports, read, judged } = world;
    await read();
    ports.prices.ask = '5.90';
    await read();
    expect(await judged()).toEqual({ distrust: 'MOVED' });

    for (const asset of ASSET_NAMES) await ports.priceHistories.forget(asset);
    expect(await judged()).toEqual({ distrust: 'NEVER_ACCEPTED' });
    await read();

    expect(await judged()).toEqual({ ask: priceOf('5.90') });
  });
});

// docs/decisions.md, "A price that may be sold at"
describe('PTAX', () => {
  const DAY_MINUTES = 24 * 60;
  const silent = () => Promise.reject(new Unavailable('the Central Bank'));
  const kept = async () => (await world.ports.priceHistories.findHistory('USDT')).ptax;

  /**
   * Lets this number of days pass, and reads the prices only at their end, because the readings in between would take
   * long.
   */
  async function wait(days: number) {
    world.ports.clock.advance(days * DAY_MINUTES * MINUTE_MS);
    await world.read();
  }

  test('is kept with each asset, and read again after ten minutes', async () => {
    const { ports, read } = world;
    let calls = 0;
    const { findLast } = ports.ptax;
    ports.ptax.findLast = () => {
      calls++;
      return findLast();
    };

    await read(10);

    expect(calls).toBe(1);
    for (const asset of ASSET_NAMES)
      expect((await ports.priceHistories.findHistory(asset)).ptax?.rate).toBe(priceOf('5.43'));
    ports.ptax.rate = '5.44';
    await read();
    expect([calls, (await kept())?.rate]).toEqual([2, priceOf('5.44')]);
  });

  test.each(['4.80', '6.10'])('stops sales at a price that a PTAX of %s is too far from', async (rate) => {
    const { ports, read, judged, alarms } = world;
    ports.ptax.rate = rate;

    await read();

    expect((await ports.priceHistories.findHistory('USDT')).distrust).toBe('FAR_FROM_PTAX');
    expect(await judged()).toEqual({ distrust: 'NEVER_ACCEPTED' });
    expect(alarms()).toHaveLength(ASSET_NAMES.length);
  });

  test('that becomes another one stops the sale of a price that was accepted', async () => {
    const { ports, read, judged } = world;
    await read(10);
    expect(await judged()).toEqual({ ask: priceOf('5.45') });
    ports.ptax.rate = '6.10';

    await read();

    expect(await judged()).toEqual({ distrust: 'FAR_FROM_PTAX' });
  });

  // Threat: "the Central Bank gives no PTAX"
  test('still bounds while the Central Bank is silent, until it is a week old', async () => {
    const { ports, read, judged } = world;
    await read();
    const before = await kept();
    ports.ptax.findLast = silent;

    await wait(6);

    expect(await kept()).toEqual(before);
    expect(await judged()).toEqual({ ask: priceOf('5.45') });
    expect(ports.log.raised).toEqual(['PtaxNotRead']);
    ports.prices.ask = '4.80';
    await wait(0.5);
    expect((await ports.priceHistories.findHistory('USDT')).distrust).toBe('FAR_FROM_PTAX');
    ports.prices.ask = '5.45';
    await wait(1);
    expect((await ports.priceHistories.findHistory('USDT')).distrust).toBe('NO_PTAX');
    expect(await judged()).toEqual({ distrust: 'NEVER_ACCEPTED' });
    expect(ports.log.raised).toContain('PriceNotTrusted');
  });

  test('ends the pause when the Central Bank answers again', async () => {
    const { ports, read, judged } = world;
    const { findLast } = ports.ptax;
    ports.ptax.findLast = silent;
    await read();
    expect((await ports.priceHistories.findHistory('USDT')).distrust).toBe('NO_PTAX');
    ports.ptax.findLast = findLast;

    await read();

    expect(await judged()).toEqual({ ask: priceOf('5.45') });
  });

  test('cannot be overruled by an operator who forgets the accepted prices', async () => {
    const { ports, read, judged } = world;
    await read();
    ports.prices.ask = '6.50';

    for (const asset of ASSET_NAMES) await ports.priceHistories.forget(asset);
    await read();

    expect((await ports.priceHistories.findHistory('USDT')).distrust).toBe('FAR_FROM_PTAX');
    expect(await judged()).toEqual({ distrust: 'NEVER_ACCEPTED' });
  });

  test('that no reading brings changes no other part of the reading', async () => {
    const { ports, read } = world;
    ports.ptax.findLast = silent;
    let readings = 0;
    ports.floats.save = async () => ++readings > 0;

    await read();

    expect(readings).toBe(ASSET_NAMES.length);
    expect((await ports.priceHistories.findHistory('USDT')).asks).toHaveLength(VENUES.length);
  });
});
