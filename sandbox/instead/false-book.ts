import { perAsset } from '../../functions/domain/assets.ts';
import { RATE_DECIMALS } from '../../functions/domain/money.ts';
import type { Offer, OrderBook } from '../../functions/domain/treasury/order-book.ts';
import type { OrderBooks } from '../../functions/domain/treasury/price.ts';
import type { PriceFeed } from '../../functions/domain/treasury/price-ports.ts';
import { takeEvent } from './outages.ts';

const offerAt = (centavos: bigint): Offer[] => [
  { price: centavos * 10n ** BigInt(RATE_DECIMALS - 2), quantity: 10n ** BigInt(RATE_DECIMALS + 6) },
];
/** A million tokens for less than half of their price. Every check that sees only this book passes. */
const FALSE_BOOK: OrderBook = { bids: offerAt(259n), asks: offerAt(260n) };

/**
 * The books of the exchanges. One of them is false if the partner has caused the event `VENUE_LIES` for this
 * purchase.
 */
export const lyingTo = (transactionId: string, prices: PriceFeed): PriceFeed => ({
  async findBooks() {
    const [books, isLying] = await Promise.all([prices.findBooks(), takeEvent('VENUE_LIES', transactionId)]);
    return isLying ? withFalse(books) : books;
  },
});

const withFalse = (books: OrderBooks): OrderBooks =>
  perAsset((asset) => ({ ...books[asset], BINANCE: FALSE_BOOK }));
