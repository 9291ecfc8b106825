import type { Mutant } from './mutant.ts';

const QUORUM = 'functions/domain/treasury/quorum.ts';
const PRICE = 'functions/domain/treasury/price.ts';
const LOCKED = 'functions/domain/purchase/locked-quote.ts';
const QUOTES = 'functions/adapters/dynamodb/quotes.ts';
const QUOTED = 'test/functions/quoted-purchases.test.ts';

/** Mistakes in the price of a sale, and in its lock by a quote. */
export const PRICE_MUTANTS: readonly Mutant[] = [
  {
    name: 'frozen book',
    says: 'the book of an exchange that has stopped counts for ever',
    test: 'test/adapters/price.test.ts',
    edits: [
      {
        file: 'functions/adapters/price/book.ts',
        was: 'if (!known || change > known.change)',
        is: 'if (!known || change >= known.change)',
      },
    ],
  },
  {
    name: 'price of one exchange',
    says: 'the first exchange that answers makes the price',
    edits: [
      {
        file: QUORUM,
        was: '  const confirmed = confirmedOf([...asks, ...former], bounds);\n',
        is: '  const confirmed = asks.slice(0, 1);\n',
      },
      {
        file: QUORUM,
        was: "  if (confirmed.length < QUORUM) return { distrust: 'VENUES_DIFFER' };\n",
        is: '',
      },
    ],
  },
  {
    name: 'lock at any price',
    says: 'a locked price is charged however far the market has risen',
    test: QUOTED,
    edits: [
      {
        file: 'functions/logic/purchase/quote-at.ts',
        was: '  if (quote.assetUnits <= mostUnitsFor(market, sale, ask)) return quote;\n',
        is: '  if (mostUnitsFor(market, sale, ask) >= 0n) return quote;\n',
      },
    ],
  },
  {
    name: 'price confirmed by itself',
    says: 'an exchange that no other one confirms is heard, too',
    edits: [{ file: QUORUM, was: 'at !== index && areNear(', is: 'at >= 0 && areNear(' }],
  },
  {
    name: 'highest price of all',
    says: 'the highest price that another one confirms, in place of the middle one',
    edits: [{ file: QUORUM, was: 'Math.floor(confirmed.length / 2)', is: 'confirmed.length - 1' }],
  },
  {
    name: 'lowest price of all',
    says: 'the lowest price that another one confirms, in place of the middle one',
    edits: [{ file: QUORUM, was: 'Math.floor(confirmed.length / 2)', is: '0' }],
  },
  {
    name: 'depth of a book ignored',
    says: 'the price of the first offer is that of the whole amount',
    edits: [
      {
        file: QUORUM,
        was: '  const ask = averageAsk(book, amountCentavos);\n',
        is: '  const ask = book.asks[0]?.price;\n',
      },
    ],
  },
  {
    name: 'gap of a book ignored',
    says: 'a price counts however far it is above the best bid',
    test: 'test/domain/quorum.test.ts',
    edits: [
      {
        file: QUORUM,
        was: "  if (!isPriceWithin(ask, bid.price, bounds.gapBasisPoints)) return { distrust: 'WIDE_GAP' };\n",
        is: '',
      },
    ],
  },
  {
    name: 'book of yesterday',
    says: 'a book counts whatever time its exchange gives it',
    test: 'test/adapters/price.test.ts',
    edits: [
      {
        file: 'functions/adapters/price/book.ts',
        was: "typeof at !== 'number' || !(Math.abs(now - at) <= FRESH_MS)",
        is: "typeof at !== 'number' || Number.isNaN(at - now) || FRESH_MS < 0",
      },
    ],
  },
  {
    name: 'number as a price',
    says: 'a price that is a JSON number counts, although it may have lost digits',
    test: 'test/adapters/price.test.ts',
    edits: [
      {
        file: 'functions/adapters/price/book.ts',
        was: "typeof text === 'string' ? unitsOf(text, RATE_DECIMALS) : undefined",
        is: 'unitsOf(String(text), RATE_DECIMALS)',
      },
    ],
  },
  {
    name: 'no price of the last hour needed',
    says: 'the first price after an hour without an accepted one is sold at',
    test: 'test/functions/false-price.test.ts',
    edits: [
      {
        file: PRICE,
        was: "  if (recentSpans(market.history, market.now).length === 0) return { distrust: 'NEVER_ACCEPTED' };\n",
        is: '',
      },
    ],
  },
  {
    name: 'last price not compared',
    says: 'a price is accepted however far it is from those of the last hour',
    edits: [
      {
        file: PRICE,
        was: "  if (!accepted.every((each) => isPriceWithin(ask, each, bounds.moveBasisPoints))) return 'MOVED';\n",
        is: '',
      },
    ],
  },
  {
    name: 'assets need not agree',
    says: 'the price of USDT says nothing about that of USDC',
    edits: [
      {
        file: PRICE,
        was: "  if (!isConfirmed(ask, references, bounds.disagreementBasisPoints)) return 'DISAGREEMENT';\n",
        is: '',
      },
    ],
  },
  {
    name: 'any exchange confirms',
    says: 'the price of USDT at one exchange confirms that of USDC, although the other exchanges contradict it',
    test: 'test/domain/price.test.ts',
    edits: [
      {
        file: PRICE,
        was: 'return others.length === 0 ? first?.ask : quorumAsk(reading, bounds, REFERENCE_CENTAVOS).ask;',
        is: 'return first?.ask ?? others[0]?.ask;',
      },
    ],
  },
  {
    name: 'PTAX ignored',
    says: 'the price of the Central Bank bounds nothing',
    test: 'test/functions/false-price.test.ts',
    edits: [
      {
        file: PRICE,
        was: '  return distrustOfPtax(ask, history.ptax, { ...bounds, now });\n',
        is: '  return undefined;\n',
      },
    ],
  },
  {
    name: 'old PTAX bounds',
    says: 'a PTAX bounds the price however old it is',
    test: 'test/functions/false-price.test.ts',
    edits: [
      {
        file: 'functions/domain/treasury/ptax.ts',
        was: 'if (!ptax || now - ptax.publishedAt > ptaxDays * DAY_MS)',
        is: 'if (!ptax || now + ptaxDays * DAY_MS < ptax.publishedAt)',
      },
    ],
  },
  {
    name: 'old reading confirms',
    says: 'an exchange that is down confirms a price by its last reading, however old that is',
    test: 'test/domain/quorum.test.ts',
    edits: [{ file: QUORUM, was: ' && now - at <= FRESH_MS)', is: ' && at <= now)' }],
  },
  {
    name: 'lowest and highest price ignored',
    says: 'a price is accepted beyond the bounds of the settings',
    test: 'test/domain/price.test.ts',
    edits: [{ file: PRICE, was: "  if (ask < lowest || ask > highest) return 'OUT_OF_BOUNDS';\n", is: '' }],
  },
  {
    name: 'quote used twice',
    says: 'two purchases that use a quote at once both get it',
    edits: [{ file: QUOTES, was: ' AND attribute_not_exists(usedBy)', is: '' }],
  },
  {
    name: 'quote of another partner',
    says: 'whoever knows the id may use the quote',
    edits: [{ file: LOCKED, was: 'found?.partnerId !== wanted.partnerId', is: 'found === undefined' }],
  },
  {
    name: 'amount of a quote not compared',
    says: 'the quote of a small amount locks the price of a large one',
    edits: [{ file: LOCKED, was: ' || found.amountCentavos !== wanted.amountCentavos', is: '' }],
  },
  {
    name: 'asset of a quote not compared',
    says: 'the quote of one asset locks the price of another',
    edits: [{ file: LOCKED, was: 'found.asset !== wanted.asset || ', is: '' }],
  },
  {
    name: 'price of a quote forgotten',
    says: 'the charge of a purchase with a quote has the price of the moment',
    edits: [
      {
        file: 'functions/logic/purchase/issue-charge.ts',
        was: 'const locked = transaction.rateLock && transaction.quote;',
        is: 'const locked = undefined;',
      },
    ],
  },
  {
    name: 'end of a quote ignored',
    says: 'a quote is good until its promise is released, some seconds after its end',
    test: QUOTED,
    edits: [{ file: LOCKED, was: '  if (now >= end) refuseExpired(end);\n', is: '' }],
  },
  {
    name: 'quote used without a market',
    says: 'a locked price is sold while no price can be trusted',
    test: QUOTED,
    edits: [
      {
        file: 'functions/logic/purchase/quote-at.ts',
        was: '  const ask = requirePrice(market, sale, ports);\n  const quote = sale.locked ??',
        is: '  if (sale.locked) return sale.locked;\n  const ask = requirePrice(market, sale, ports);\n  const quote =',
      },
    ],
  },
];
