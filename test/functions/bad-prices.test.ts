import { afterEach, beforeEach, describe, test } from 'vitest';
import { VENUES, type Venue } from '../../functions/domain/treasury/quorum.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { bookAnswer, buyerAt, type Offer, startExchanges } from '../support/false-exchanges.ts';
import { START_AT } from '../support/ports.ts';
import type { Stub } from '../support/stub-server.ts';

/** A book, and the time that its exchange gives it. */
type Shown = { bids: unknown; asks: unknown; at?: number };

const sidesAt = (bid: string, ask: string, quantity = '100000'): { bids: Offer[]; asks: Offer[] } => ({
  bids: [[bid, quantity]],
  asks: [[ask, quantity]],
});
const HONEST: Shown = sidesAt('5.42000000', '5.43000000');
const YESTERDAY = START_AT - 24 * 60 * MINUTE_MS;

let exchange: Stub;
let bad: Shown;
let isBad: (venue: Venue) => boolean;
beforeEach(async () => {
  exchange = await startExchanges((venue, asset) => {
    const { at = START_AT, ...book } = isBad(venue) && asset === 'USDC' ? bad : HONEST;
    return bookAnswer(venue, book, at);
  });
});
afterEach(() => exchange.close());

/** No exchange names the market in its answer, so the book of another market shows only by its price. */
const BAD: [string, Shown][] = [
  ['prices that are numbers', { bids: [[5.42, '100000']], asks: [[5.43, '100000']] }],
  ['a price of zero', sidesAt('0.00000000', '0.00000000')],
  ['a negative price', sidesAt('-5.43000000', '-5.42000000')],
  ['a price of thirty digits', sidesAt('5.42000000', '5'.repeat(30))],
  ['the book of BTC-BRL', sidesAt('512345.10000000', '512400.00000000')],
  ['the book of EUR-BRL', sidesAt('6.29000000', '6.31000000')],
  ['the book of USDC-USDT', sidesAt('0.99990000', '1.00010000')],
  ['a book of yesterday, when the price was another', { ...sidesAt('5.14', '5.15'), at: YESTERDAY }],
  ['an empty book', { bids: [], asks: [] }],
  ['no asks', { ...HONEST, asks: [] }],
  ['no bids', { ...HONEST, bids: [] }],
];

// docs/decisions.md, "A price that may be sold at"
// Threat: "one exchange shows zero, another market or yesterday"
describe.each(BAD)('exchanges that show %s', (_, shown) => {
  beforeEach(() => {
    bad = shown;
  });

  test.each(VENUES)('change no price if only %s does', async (which) => {
    isBad = (venue) => venue === which;
    const { expectSoldAt } = await buyerAt(exchange.url);

    await expectSoldAt(5.43);
  });

  test('quote, open, charge and reserve nothing if all do', async () => {
    isBad = () => true;
    const { expectPaused } = await buyerAt(exchange.url);

    await expectPaused();
  });

  test.each(VENUES)('quote, open, charge and reserve nothing if only %s does not', async (which) => {
    isBad = (venue) => venue !== which;
    const { expectPaused } = await buyerAt(exchange.url);

    await expectPaused();
  });
});
