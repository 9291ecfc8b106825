import { ASSETS, type Asset } from '../../domain/assets.ts';
import { Unavailable } from '../../domain/errors.ts';
import { AMOUNT_LIMITS_CENTAVOS, costOf, type Quote, quoteFor } from '../../domain/money.ts';
import type { Needs } from '../../domain/ports.ts';
import { requireInRange } from '../../domain/purchase/order.ts';
import type { Market } from '../../domain/treasury/price.ts';
import { refusePrice, requirePrice } from './market.ts';

type Ports = Needs<readonly ['log']>;
type Margin = { asset: Asset; spreadBasisPoints: number };
/** A sale for which a price is needed. `locked` is the price that the partner's quote has locked. */
type PricedSale = Margin & { amountCentavos: number; locked?: Quote };

/**
 * The most rounds of the search for a price. The search always ends in fewer rounds, because each round
 * changes the amount by a small part of the last change.
 */
const ROUNDS = 20;

/**
 * The price for an amount. A locked price is refused while the market has no trusted price. It is also refused if the
 * market is farther above it than a price may move.
 */
export function quoteAt(market: Market, sale: PricedSale, ports: Ports): Quote {
  const ask = requirePrice(market, sale, ports);
  const quote = sale.locked ?? quoteFor(sale.amountCentavos, saleTerms(sale, ask));
  if (quote.assetUnits <= mostUnitsFor(market, sale, ask)) return quote;
  const { asset, amountCentavos } = sale;
  refusePrice({ asset, amountCentavos, distrust: 'LOCKED_TOO_LOW' }, ports);
}

/**
 * The most units that the amount may buy: those at the lowest price to which the ask may move, without our spread. This
 * also bounds a quote whose row was forged.
 */
function mostUnitsFor({ bounds }: Market, { asset, amountCentavos }: PricedSale, ask: string): bigint {
  const lowest = { ask, spreadBasisPoints: -bounds.moveBasisPoints, decimals: ASSETS[asset].decimals };
  return quoteFor(amountCentavos, lowest).assetUnits;
}

/**
 * The price for exactly these units. The average ask depends on the amount, and the amount depends on the
 * ask. The function therefore raises the amount until the ask for it requires no higher amount.
 */
export function quoteUnitsAt(market: Market, sale: Margin & { units: bigint }, ports: Ports) {
  let amountCentavos: number = AMOUNT_LIMITS_CENTAVOS.minimum;
  for (let round = 0; round < ROUNDS; round++) {
    const terms = saleTerms(sale, requirePrice(market, { ...sale, amountCentavos }, ports));
    const cost = requireInRange(costOf(sale.units, terms));
    if (cost <= amountCentavos) {
      return { amountCentavos: cost, quote: { ...quoteFor(cost, terms), assetUnits: sale.units } };
    }
    amountCentavos = cost;
  }
  throw new Unavailable('a price that settles');
}

const saleTerms = ({ asset, spreadBasisPoints }: Margin, ask: string) => {
  const { decimals } = ASSETS[asset];
  if (spreadBasisPoints < 0) throw new Error('the spread of a partner is negative');
  return { ask, spreadBasisPoints, decimals };
};
