/** Binance's public market data: `GET /api/v3/ticker/bookTicker`, best bid and ask of one market. */
import { Unavailable } from '../../domain/errors.ts';
import { unitsOf } from '../../domain/money.ts';
import type { PriceFeed } from '../../domain/ports.ts';
import { jsonClient } from '../http.ts';

const PROVIDER = 'the price feed';
const DECIMALS = 8;
/** A wider gap means an empty book or a halted market, not a price. */
const MAX_GAP_PERCENT = 5n;

/** BRL per dollar coin. Far outside of what the real has ever been: beyond them the market is broken, not moving. */
const MIN_BRL = 2n * 10n ** BigInt(DECIMALS);
const MAX_BRL = 20n * 10n ** BigInt(DECIMALS);

export function priceFeed({ baseUrl }: { baseUrl: string }, deps: { timeoutMs?: number } = {}): PriceFeed {
  const send = jsonClient({ provider: PROVIDER, timeoutMs: deps.timeoutMs });
  return {
    async ask(asset) {
      const symbol = `${asset}BRL`;
      const url = `${baseUrl}/api/v3/ticker/bookTicker?symbol=${symbol}`;
      const { status, body } = await send({ method: 'GET', url });
      if (status !== 200) throw untrusted(`HTTP ${status}`);
      return askPriceOf(body, symbol);
    },
  };
}

/** The ask as it was written, if the book around it makes sense. */
export function askPriceOf(body: unknown, symbol: string): string {
  const { symbol: answered, bidPrice, askPrice } = Object(body) as Record<string, unknown>;
  const bid = unitsOf(String(bidPrice), DECIMALS);
  const ask = unitsOf(String(askPrice), DECIMALS);
  if (answered !== symbol) throw untrusted('another market');
  if (typeof askPrice !== 'string' || !bid || !ask) throw untrusted('no positive prices');
  if (ask < MIN_BRL || ask > MAX_BRL) throw untrusted('no plausible price');
  if (bid > ask) throw untrusted('bid over ask');
  if ((ask - bid) * 100n > bid * MAX_GAP_PERCENT) throw untrusted('gap too wide');
  return askPrice;
}

function untrusted(reason: string): Unavailable {
  return new Unavailable(PROVIDER, { cause: new Error(reason) });
}
