import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { priceHistoryStore } from '../../functions/adapters/dynamodb/price-histories.ts';
import { withAccepted, withAsks, withDistrust } from '../../functions/domain/treasury/price.ts';
import { NOW } from '../support/builders.ts';
import { priceOf } from '../support/stub-market.ts';
import { startTables } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
let store: ReturnType<typeof priceHistoryStore>;
beforeAll(async () => {
  tables = await startTables();
  store = priceHistoryStore(tables.client, tables.names.floats);
});
afterAll(() => tables.stop());
beforeEach(() => store.forget('USDT'));

describe('the accepted prices', () => {
  it('are empty before the first reading', async () => {
    expect(await store.findHistory('USDC')).toEqual({ asset: 'USDC', spans: [], asks: [], revision: 0 });

    const first = withAccepted(await store.findHistory('USDC'), priceOf('5.43'), NOW);
    expect(await store.save(first)).toBe(true);
    expect(await store.save(first)).toBe(false);
    expect(await store.findHistory('USDC')).toEqual(first);
  });

  it('are read as they were saved, with every digit, with and without distrust', async () => {
    const before = await store.findHistory('USDT');
    const read = withAsks(before, [{ venue: 'FOXBIT', ask: priceOf('19.99999998'), at: NOW }]);
    const ptax = { rate: priceOf('5.4269'), publishedAt: NOW - 1, readAt: NOW };
    const accepted = withAccepted({ ...read, ptax }, priceOf('19.99999999'), NOW);
    const doubted = withDistrust(accepted, 'MOVED');
    const trusted = withAccepted(doubted, priceOf('20'), NOW);

    for (const history of [accepted, doubted, trusted]) {
      expect(await store.save(history)).toBe(true);
      expect(await store.findHistory('USDT')).toEqual(history);
    }
  });

  it('are saved by one of many readings that race', async () => {
    const before = await store.findHistory('USDT');
    const prices = Array.from({ length: 10 }, (_, index) => priceOf(`5.4${index}`));

    const saved = await Promise.all(prices.map((price) => store.save(withAccepted(before, price, NOW))));

    expect(saved.filter(Boolean)).toHaveLength(1);
    const winner = prices[saved.indexOf(true)];
    expect((await store.findHistory('USDT')).spans).toMatchObject([{ lowest: winner, highest: winner }]);
  });

  it('are reset by an operator, also while an earlier reading is still to be saved', async () => {
    const late = withAccepted(await store.findHistory('USDT'), priceOf('5.43'), NOW);

    await store.forget('USDT');

    expect(await store.save(late)).toBe(false);
    expect((await store.findHistory('USDT')).spans).toEqual([]);
  });
});
