import * as z from 'zod';
import { ASSETS, type Asset, assetAmountOf } from '../domain/assets.ts';
import { refuseField } from '../domain/errors.ts';
import { brlOf, unitsOf } from '../domain/money.ts';
import type { Needs } from '../domain/ports.ts';
import { type LockedQuote, QUOTE_WINDOW_MINUTES } from '../domain/purchase/locked-quote.ts';
import { requireAmount, requireAsset } from '../domain/purchase/order.ts';
import { taxLines } from '../domain/purchase/receipt.ts';
import { isoInstant } from '../domain/time.ts';
import { AssetName, Brl, DecimalText, Instant, TaxLines } from '../entry/answer-parts.ts';
import { type Caller, endpoint, POST_NEEDS } from '../entry/endpoint.ts';
import { withRules } from '../entry/field-rules.ts';
import { AmountBrl } from '../entry/partner-fields.ts';
import { PRICE_NEEDS, readMarket } from '../logic/purchase/market.ts';
import { quoteAt, quoteUnitsAt } from '../logic/purchase/quote-at.ts';
import { routeOf } from '../routes.ts';

const Request = withRules(
  z.object({
    asset: z.string().max(256),
    amountBrl: AmountBrl.optional(),
    assetAmount: z
      .string()
      .regex(/^\d{1,20}(\.\d{1,18})?$/, 'must be a decimal text')
      .optional(),
  }),
  {
    path: 'assetAmount',
    message: 'is required without amountBrl, and refused with it',
    holds: ({ amountBrl, assetAmount }) => (amountBrl === undefined) !== (assetAmount === undefined),
  },
);
type Request = z.output<typeof Request>;

const Answer = () =>
  z.object({
    quoteId: z.string().regex(/^quote_[0-9A-Z]{32}$/),
    asset: AssetName(),
    amountBrl: Brl(),
    assetAmount: DecimalText(),
    rate: DecimalText(),
    feeBrl: Brl(),
    networkFeeBrl: Brl(),
    taxes: TaxLines(),
    expiresAt: Instant(),
  });

export const needs = [...POST_NEEDS, 'quoteOffers', 'promiseLimits', ...PRICE_NEEDS] as const;
type Ports = Needs<typeof needs>;

/** Locks the present price for one purchase: docs/decisions.md, "Quotes and open promises". */
export async function createQuote(request: Request, { partner, ids }: Caller, ports: Ports) {
  const { clock, quoteOffers, promiseLimits: limits } = ports;
  const { spreadBasisPoints } = partner;
  const amountCentavos = request.amountBrl === undefined ? undefined : requireAmount(request.amountBrl);
  const asset = requireAsset(request.asset);
  const market = await readMarket(asset, ports);
  const priced =
    amountCentavos === undefined
      ? quoteUnitsAt(market, { asset, spreadBasisPoints, units: requireUnits(asset, request) }, ports)
      : {
          amountCentavos,
          quote: quoteAt(market, { asset, spreadBasisPoints, amountCentavos }, ports),
        };
  const createdAt = clock.now();
  const quote = {
    id: ids.quote(),
    partnerId: partner.id,
    asset,
    ...priced,
    createdAt,
    expiresAt: createdAt + QUOTE_WINDOW_MINUTES * clock.minuteMs,
  };
  return quoteAnswerOf(await quoteOffers.create(quote, { limits, now: createdAt }));
}

function requireUnits(asset: Asset, { assetAmount = '' }: Request): bigint {
  const { decimals } = ASSETS[asset];
  return unitsOf(assetAmount, decimals) ?? refuseField('assetAmount', `has more than ${decimals} decimals`);
}

function quoteAnswerOf({ id, asset, amountCentavos, quote, expiresAt }: LockedQuote) {
  return {
    quoteId: id,
    asset,
    amountBrl: brlOf(amountCentavos),
    assetAmount: assetAmountOf(asset, quote.assetUnits),
    rate: quote.rate,
    feeBrl: brlOf(quote.feeCentavos),
    // The partner pays nothing extra, because our spread covers the gas of the transfer.
    networkFeeBrl: 0,
    taxes: taxLines(),
    expiresAt: isoInstant(expiresAt),
  };
}

export const handler = endpoint(
  routeOf('CreateQuote'),
  {
    request: Request,
    answer: Answer,
    errors: ['AMOUNT_OUT_OF_RANGE', 'UNSUPPORTED_ASSET', 'PRICE_UNAVAILABLE', 'PROMISES_EXHAUSTED'],
    needs,
  },
  createQuote,
);
