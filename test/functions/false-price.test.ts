import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exchanges } from '../../functions/adapters/price/exchanges.ts';
import { createQuote } from '../../functions/api/create-quote.ts';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import { idsOf } from '../../functions/logic/ids.ts';
import { issueCharge } from '../../functions/logic/purchase/issue-charge.ts';
import { putApproved } from '../support/approved.ts';
import { aClient, aPartner, MINUTE_MS, WALLET } from '../support/builders.ts';
import { openPorts, putPurchaseIn, reread, START_AT } from '../support/ports.ts';
import { priceOf } from '../support/stub-market.ts';
import { type Stub, type StubAnswer, startStub } from '../support/stub-server.ts';

type Offer = [price: string, quantity: string];
let exchange: Stub;
let asks: Offer[];
/** The answer of the exchanges in place of a book. */
let fault: StubAnswer | undefined;
let liars: 'ALL' | 'ONE';
beforeEach(async () => {
  liars = 'ALL';
  asks = [['5.43000000', '100000']];
  fault = undefined;
  exchange = await startStub(({ path, query }) => {
    const isLiar = path.includes('/depth') || liars === 'ALL';
    if (fault && isLiar) return fault;
    const isOurs = /usdc/i.test(`${path}${query.get('symbol')}`);
    // Binance alone lies if `liars` says so; the other two have paths of their own.
    const offers: Offer[] = isOurs && isLiar ? asks : [['5.43000000', '100000']];
    const bidPrice = (Number(offers[0]![0]) * 0.99).toFixed(8);
    const book = { bids: [[bidPrice, '0.01']], asks: offers };
    if (path.includes('/depth')) return { body: { lastUpdateId: 1, ...book } };
    return { body: { ...book, timestamp: START_AT * (path.includes('/v4/') ? 1e6 : 1) } };
  });
});
afterEach(() => exchange.close());

/** A client buys USDC for R$ 30,000, and only the price is wrong. */
async function buyer() {
  const ports = openPorts();
  const { url } = exchange;
  const urls = { BINANCE: url, MERCADO_BITCOIN: url, FOXBIT: url };
  Object.assign(ports.prices, exchanges(urls, { ...ports, timeoutMs: 4_000 }));
  const purchase = await putPurchaseIn(ports, 'AWAITING_MFA', { amountCentavos: 30_000_00, asset: 'USDC' });
  const { clientId: id, partnerId, kycToken } = purchase;
  await putApproved(ports, purchase);
  const cpfCipher = await ports.vault.encrypt('52998224725', id);
  const client = await ports.clients.create(aClient({ id, partnerId, cpfCipher, enrolledAt: 1 }));
  const ids = idsOf({ at: ports.clock.now(), seed: kycToken });
  const initiate = (amountBrl = 30_000) =>
    initiateTransaction(
      { kycToken, amountBrl, asset: 'USDC', walletAddress: WALLET },
      { partner: aPartner({ id: partnerId, spreadBasisPoints: 0 }), ids },
      ports,
    );
  const charge = () =>
    issueCharge(purchase, { trigger: 'MFA code accepted', client, spreadBasisPoints: 0 }, ports);
  const opened = () => ports.transactions.findTransaction(ids.transaction());
  return { ports, purchase, initiate, charge, opened };
}

const REFUSED = { code: 'PRICE_UNAVAILABLE', details: { retryAfterSeconds: 60 } };

describe('a false ask of 2.60', () => {
  // docs/decisions.md, "A price that may be sold at"
  test.each<[string, Offer[]]>([
    ['of 0.01', [['2.60000000', '0.01']]],
    [
      'of 0.01 before honest ones',
      [
        ['2.60000000', '0.01'],
        ['5.43000000', '100000'],
      ],
    ],
    ['that is deep enough', [['2.60000000', '100000']]],
  ])('%s opens, charges and reserves nothing', async (_, offers) => {
    const { ports, purchase, initiate, charge, opened } = await buyer();
    asks = offers;

    await expect(initiate()).rejects.toMatchObject(REFUSED);
    await expect(charge()).rejects.toMatchObject(REFUSED);

    expect(await opened()).toBeUndefined();
    expect([ports.pix.charges.size, ports.liquidity.reserved, ports.machine.started]).toEqual([0, [], []]);
    expect(await reread(ports, purchase)).toEqual(purchase);
  });

  test('is explained to operators, and not to the partner', async () => {
    const { ports, initiate } = await buyer();
    asks = [['2.60000000', '100000']];

    const refusal = await initiate().catch((error: unknown) => error);

    expect(JSON.stringify(refusal)).not.toContain('DISAGREEMENT');
    expect(ports.log.lines.join()).toContain('DISAGREEMENT');
  });
});

describe('exchanges without a price', () => {
  // docs/decisions.md, "No single exchange makes the price"
  test.each<[string, StubAnswer]>([
    ['that do not serve this region', { status: 451 }],
    ['that ban the address', { status: 418 }],
    ['that fail', { status: 503 }],
    ['that break off', { fault: 'reset' }],
  ])('%s open, charge and reserve nothing, until they answer', async (_, answer) => {
    const { ports, purchase, initiate, charge, opened } = await buyer();
    fault = answer;

    await expect(initiate()).rejects.toMatchObject(REFUSED);
    await expect(charge()).rejects.toMatchObject(REFUSED);

    expect(await opened()).toBeUndefined();
    expect([ports.pix.charges.size, ports.liquidity.reserved, ports.machine.started]).toEqual([0, [], []]);
    expect(await reread(ports, purchase)).toEqual(purchase);
    fault = undefined;
    expect(await initiate()).toMatchObject({ status: 'PENDING_AUTH' });
    expect(await charge()).toMatchObject({ status: 'AWAITING_PIX' });
  });

  test('are named in the line for operators', async () => {
    const { ports, initiate } = await buyer();
    fault = { status: 451 };

    await expect(initiate()).rejects.toMatchObject(REFUSED);

    expect(ports.log.lines.join()).toContain('FEW_VENUES');
  });

  test.each<[string, StubAnswer]>([
    ['does not serve this region', { status: 451 }],
    ['fails', { status: 503 }],
  ])('sell on if only one %s', async (_, answer) => {
    const { initiate, charge } = await buyer();
    liars = 'ONE';
    fault = answer;

    expect(await initiate()).toMatchObject({ status: 'PENDING_AUTH' });
    expect(await charge()).toMatchObject({ status: 'AWAITING_PIX' });
  });
});

describe('an exchange that alone is false', () => {
  // docs/decisions.md, "No single exchange makes the price"
  test.each(['2.60000000', '5.30000000', '5.42000000', '9.99000000'])(
    'and asks %s is outvoted: the price is that of the other two',
    async (price) => {
      liars = 'ONE';
      const { initiate } = await buyer();
      asks = [[price, '100000']];

      const { quote } = await initiate();

      expect(Number(quote.assetAmount)).toBeCloseTo(30_000 / 5.43, 3);
    },
  );
});

// docs/decisions.md, "PTAX only bounds"
describe('a price that all exchanges and the last hour confirm', () => {
  test.each([
    ['far below PTAX', '6.10', 0],
    ['far above PTAX', '4.80', 0],
    ['beside a PTAX that is older than a week', '5.43', 8],
  ])('%s opens, quotes, charges and reserves nothing', async (_, rate, days) => {
    const { ports, purchase, initiate, charge, opened } = await buyer();
    const { findHistory } = ports.priceHistories;
    const publishedAt = START_AT - days * 24 * 60 * MINUTE_MS;
    ports.priceHistories.findHistory = async (asset) => ({
      ...(await findHistory(asset)),
      ptax: { rate: priceOf(rate), publishedAt, readAt: START_AT },
    });
    const ids = idsOf({ at: START_AT, seed: purchase.id });
    const caller = { partner: aPartner({ id: purchase.partnerId }), ids };

    await expect(initiate()).rejects.toMatchObject(REFUSED);
    await expect(createQuote({ asset: 'USDC', amountBrl: 50 }, caller, ports)).rejects.toMatchObject(REFUSED);
    await expect(charge()).rejects.toMatchObject(REFUSED);

    expect(await opened()).toBeUndefined();
    expect([ports.pix.charges.size, ports.liquidity.reserved]).toEqual([0, []]);
    expect(await reread(ports, purchase)).toEqual(purchase);
  });
});

describe('a purchase', () => {
  test('costs the price of its whole quantity, not the price of the first token', async () => {
    const { initiate, charge } = await buyer();
    asks = [
      ['5.40000000', '1000'],
      ['5.50000000', '100000'],
    ];

    const { quote } = await initiate();

    // 5,400 BRL buy a thousand, the other 24,600 BRL at 5.50 each.
    expect(Number(quote.assetAmount)).toBeCloseTo(1000 + 24_600 / 5.5, 3);
    const { assetUnits } = (await charge()).quote;
    expect(assetUnits - 5_472_727_273n).toBeGreaterThanOrEqual(0n);
    expect(assetUnits - 5_472_727_273n).toBeLessThan(10n);
  });

  test('is opened again once the price is right', async () => {
    const { initiate, charge } = await buyer();
    asks = [['2.60000000', '100000']];
    await expect(initiate()).rejects.toMatchObject(REFUSED);
    await expect(charge()).rejects.toMatchObject(REFUSED);

    asks = [['5.43000000', '100000']];

    expect(await initiate()).toMatchObject({ status: 'PENDING_AUTH' });
    expect(await charge()).toMatchObject({ status: 'AWAITING_PIX' });
  });

  test('is not sold at a price of an hour ago', async () => {
    const { ports, initiate } = await buyer();
    ports.priceHistories.findHistory = async (asset) => ({ asset, spans: [], asks: [], revision: 0 });

    await expect(initiate()).rejects.toMatchObject(REFUSED);
  });
});
