/** Exchanges that answer what a test makes them answer, and a client who buys while they do. */
import { expect } from 'vitest';
import { exchanges, type PriceUrls } from '../../functions/adapters/price/exchanges.ts';
import { createQuote } from '../../functions/api/create-quote.ts';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import type { Asset } from '../../functions/domain/assets.ts';
import { VENUES, type Venue } from '../../functions/domain/treasury/quorum.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { issueCharge } from '../../functions/logic/purchase/issue-charge.ts';
import { putApproved } from './approved.ts';
import { aClient, aPartner, WALLET } from './builders.ts';
import { openPorts, putPurchaseIn, reread } from './ports.ts';
import { type Stub, type StubAnswer, startStub } from './stub-server.ts';

/** An offer as the exchanges write it. */
export type Offer = [price: string, quantity: string];

/** The answer of an exchange with this book, in the form of that exchange. */
export const bookAnswer = (venue: Venue, book: object, at: number): StubAnswer => ({
  body: {
    BINANCE: { lastUpdateId: 1_027_024, ...book },
    MERCADO_BITCOIN: { ...book, timestamp: at * 1e6 },
    FOXBIT: { sequence_id: 1_027_024, timestamp: at, ...book },
  }[venue],
});

/** The error of an exchange for a market that it does not have. */
export const noMarket = (venue: Venue): StubAnswer =>
  ({
    BINANCE: { status: 400, body: { code: -1121, msg: 'Invalid symbol.' } },
    MERCADO_BITCOIN: {
      status: 404,
      body: { code: 'PUBLIC_DATA|SYMBOL_NOT_FOUND', message: 'Symbol not found' },
    },
    FOXBIT: { status: 404, body: { error: { message: 'Market not found', code: 2001, details: [] } } },
  })[venue];

/** Three exchanges at one stub, each below a path of its own. */
export function startExchanges(answer: (venue: Venue, asset: Asset) => StubAnswer): Promise<Stub> {
  return startStub(({ path, query }) => {
    const market = `${query.get('symbol') ?? ''}${path}`.toUpperCase();
    return answer(path.split('/')[1] as Venue, market.includes('USDT') ? 'USDT' : 'USDC');
  });
}

export const urlsBelow = (url: string) =>
  Object.fromEntries(VENUES.map((venue) => [venue, `${url}/${venue}`])) as PriceUrls;

/** A client who wants USDC for R$ 30,000. Only the exchanges at `url` may keep the client from it. */
export async function buyerAt(url: string) {
  const ports = openPorts();
  Object.assign(ports.prices, exchanges(urlsBelow(url), { ...ports, timeoutMs: 4_000 }));
  const purchase = await putPurchaseIn(ports, 'AWAITING_MFA', { amountCentavos: 30_000_00, asset: 'USDC' });
  const { clientId: id, partnerId, kycToken } = purchase;
  await putApproved(ports, purchase);
  const cpfCipher = await ports.vault.encrypt('52998224725', id);
  const client = await ports.clients.create(aClient({ id, partnerId, cpfCipher, enrolledAt: 1 }));
  const ids = reservedIds({ at: ports.clock.now(), seed: kycToken });
  const caller = { partner: aPartner({ id: partnerId, spreadBasisPoints: 0 }), ids };
  const initiate = (amountBrl = 30_000) =>
    initiateTransaction({ kycToken, amountBrl, asset: 'USDC', walletAddress: WALLET }, caller, ports);
  const charge = () =>
    issueCharge(purchase, { trigger: 'MFA code accepted', client, spreadBasisPoints: 0 }, ports);
  const quote = () => createQuote({ asset: 'USDC', amountBrl: 30_000 }, caller, ports);
  const opened = () => ports.transactions.findTransaction(ids.transaction());
  /** Expects that nothing is quoted, opened, charged or reserved. */
  const expectPaused = async () => {
    for (const asked of [initiate, quote, charge]) await expect(asked()).rejects.toMatchObject(PAUSED);
    expect(await opened()).toBeUndefined();
    expect([ports.pix.charges.size, ports.liquidity.reserved, ports.machine.started]).toEqual([0, [], []]);
    const { obstacle: _noted, ...row } = await reread(ports, purchase);
    expect(row).toEqual(purchase);
  };
  /** Expects that the client gets the tokens of this price, by a purchase, by a quote and by a charge. */
  const expectSoldAt = async (price: number) => {
    const amounts = [(await initiate()).quote.assetAmount, (await quote()).assetAmount];
    const { assetUnits } = (await charge()).quote;
    for (const amount of [...amounts, Number(assetUnits) / 1e6])
      expect(Number(amount)).toBeCloseTo(30_000 / price, 3);
  };
  return { ports, initiate, charge, expectPaused, expectSoldAt };
}

export const PAUSED = { code: 'PRICE_UNAVAILABLE', details: { retryAfterSeconds: 60 } };
