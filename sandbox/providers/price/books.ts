import { ASSET_NAMES, ASSETS } from '../../../functions/domain/assets.ts';
import { getFirst } from '../../../functions/domain/get.ts';
import type { Venue } from '../../../functions/domain/treasury/quorum.ts';
import { change } from '../store.ts';
import type { World } from '../world.ts';

export type Offer = [price: string, quantity: string];
/**
 * The order book of one market. `symbol` is the market's name at Binance, for example USDTBRL. Numbers are
 * decimal strings. `frozenAt` is the instant since which a frozen book has not changed.
 */
export type Book = { symbol: string; status: string; bids: Offer[]; asks: Offer[]; frozenAt?: string };
type Outage = { calls: number; status: number };
/** `books` replace the usual order books at all exchanges, and `own` those at single exchanges. */
type Prices = {
  books?: Book[];
  own?: Partial<Record<Venue, Book[]>>;
  outages?: Partial<Record<Venue, Outage>>;
};

const KEY = 'price/settings';

type Sides = Pick<Book, 'bids' | 'asks'>;

const USDT_OFFERS: Sides = {
  bids: [
    ['5.43110000', '184210.00000000'],
    ['5.43000000', '90450.00000000'],
  ],
  asks: [
    ['5.43210000', '203117.00000000'],
    ['5.43300000', '120840.00000000'],
  ],
};
/**
 * The usual offers for every asset except USDT, in BRL. They assume that one unit of the asset is worth one
 * dollar.
 */
const OFFERS: Sides = {
  bids: [
    ['5.43090000', '41733.00000000'],
    ['5.42960000', '22005.00000000'],
  ],
  asks: [
    ['5.43230000', '38820.00000000'],
    ['5.43360000', '31270.00000000'],
  ],
};

const steady: Book[] = ASSET_NAMES.map((asset) => {
  const { bids, asks } = asset === 'USDT' ? USDT_OFFERS : OFFERS;
  return { symbol: ASSETS[asset].market, status: 'TRADING', bids, asks };
});

/** When the book last changed, in epoch milliseconds. A book that is not frozen changes all the time. */
export const changedAt = ({ frozenAt }: Book, world: World): number =>
  frozenAt === undefined ? world.now().getTime() : Date.parse(frozenAt);

/** Changes a book at one exchange. Without `venue` it changes the book at all exchanges. */
export function changeBook(world: World, symbol: string, venue: Venue | undefined, to: (book: Book) => Book) {
  return change<Prices>(world.store, KEY, (now) => {
    const former = venue ? now?.own?.[venue] : now?.books;
    const shown = over(over(steady, now?.books), former);
    const book = shown.find((each) => each.symbol === symbol) ?? { ...getFirst(steady), symbol };
    const books = over(former ?? [], [to(book)]);
    return venue ? { ...now, own: { ...now?.own, [venue]: books } } : { ...now, books };
  });
}

export function setOutage(world: World, venues: readonly Venue[], outage: Outage) {
  return change<Prices>(world.store, KEY, (now) => ({
    ...now,
    outages: { ...now?.outages, ...Object.fromEntries(venues.map((venue) => [venue, outage])) },
  }));
}

/**
 * Asks an exchange for its order books. An outage uses up one of its calls and gives the HTTP status of the failure.
 * The books that a test has set replace the usual ones.
 */
export async function askVenue(world: World, venue: Venue): Promise<{ status: number } | { books: Book[] }> {
  let prices: Prices | undefined;
  let status: number | undefined;
  await change<Prices>(world.store, KEY, (now) => {
    prices = now;
    const outage = now?.outages?.[venue];
    status = outage?.calls ? outage.status : undefined;
    if (!outage || status === undefined) return undefined;
    return { ...now, outages: { ...now?.outages, [venue]: { ...outage, calls: outage.calls - 1 } } };
  });
  if (status !== undefined) return { status };
  return { books: over(over(steady, prices?.books), prices?.own?.[venue]) };
}

/**
 * Returns `books` and `others` together. Where both have a book for one symbol, it takes the book in
 * `others`.
 */
function over(books: readonly Book[], others: readonly Book[] = []): Book[] {
  const names = new Set(others.map(({ symbol }) => symbol));
  return [...books.filter(({ symbol }) => !names.has(symbol)), ...others];
}
