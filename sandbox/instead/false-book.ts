import { perAsset } from '../../functions/domain/assets.ts';
import { RATE_DECIMALS } from '../../functions/domain/money.ts';
import type { Offer, OrderBook } from '../../functions/domain/treasury/order-book.ts';
import type { OrderBooks } from '../../functions/domain/treasury/price.ts';
import type { PriceFeed } from '../../functions/domain/treasury/price-ports.ts';
import { takeEvent } from './outages.ts';

const offerAt = (centavos: bigint): Offer[] => [
  { price: centavos * 10n ** BigInt(RATE_DECIMALS - 2), quantity: 10n ** BigInt(RATE_DECIMALS + 6) },
];
/**
 * Offers of a million tokens at less than half of their price. A check that compares prices with each other
 * inside this book finds no fault.
 */
const FALSE_BOOK: OrderBook = { bids: offerAt(259n), asks: offerAt(260n) };

/**
 * The order books of the exchanges. If the partner requested the event `VENUE_LIES` for this purchase, one of
 * them is `FALSE_BOOK`.
 */
export const lyingTo = (transactionId: string, prices: PriceFeed): PriceFeed => ({
  async findBooks() {
    const [books, isLying] = await Promise.all([prices.findBooks(), takeEvent('VENUE_LIES', transactionId)]);
    return isLying ? withFalse(books) : books;
  },
});

const withFalse = (books: OrderBooks): OrderBooks =>
  perAsset((asset) => ({ ...books[asset], BINANCE: FALSE_BOOK }));
