import { createQuote } from '../../../functions/api/create-quote.ts';
import { ASSET_NAMES, type Asset } from '../../../functions/domain/assets.ts';
import type { Dice } from '../dice.ts';
import { PARTNERS } from '../purchases.ts';
import { type Bought, request, type Shop } from '../shop.ts';
import { MINUTE_MS } from '../times.ts';
import type { Told } from './sale-guard.ts';

type Ask = { asset: Asset; amountBrl?: number; assetAmount?: string };

/** Asks for a quote until the service answers, and tells the guards what the partner was shown. */
export async function askQuote(
  name: string,
  bought: Bought & { ask?: Ask },
  shop: Shop,
): Promise<Told | undefined> {
  const { asset, amountCentavos, partnerId } = bought.plan;
  const ask = bought.ask ?? { asset, amountBrl: amountCentavos / 100 };
  const told = (await request(`CreateQuote ${name}`, bought, shop, (ports, ids) =>
    createQuote(ask, { partner: shop.partnerOf(bought.plan), ids }, ports),
  )) as Omit<Told, 'partnerId'> | undefined;
  if (!told) return undefined;
  const shown = { ...told, partnerId };
  shop.onQuoted(shown);
  return shown;
}

/** The quote that the buyer uses, rightly or not. Undefined: the buyer buys at the price of the moment. */
export async function quoteFor(bought: Bought, shop: Shop, dice: Dice): Promise<Told | undefined> {
  const { plan } = bought;
  switch (plan.quoting) {
    case 'none':
      return undefined;
    case 'by tokens':
      return byTokens(bought, shop, dice);
    case 'of another partner':
      return askQuote('other', { ...bought, plan: { ...plan, partnerId: otherOf(plan.partnerId) } }, shop);
    case 'for other terms':
      return askQuote('terms', { ...bought, ask: otherTermsOf(bought, dice) }, shop);
    default:
      return askQuote('own', bought, shop);
  }
}

/** The partner asks for tokens, and the buyer pays what they cost. */
async function byTokens(bought: Bought, shop: Shop, dice: Dice): Promise<Told | undefined> {
  const { plan } = bought;
  const assetAmount = `${dice.within(20, 300)}.${dice.within(0, 999_999)}`;
  const told = await askQuote('tokens', { ...bought, ask: { asset: plan.asset, assetAmount } }, shop);
  if (told) plan.amountCentavos = Math.round(told.amountBrl * 100);
  return told;
}

function otherTermsOf({ plan: { asset, amountCentavos } }: Bought, dice: Dice): Ask {
  if (dice.isBelow(0.5)) return { asset, amountBrl: (amountCentavos - 1) / 100 };
  return { asset: ASSET_NAMES.find((each) => each !== asset)!, amountBrl: amountCentavos / 100 };
}

const otherOf = (partnerId: string) => PARTNERS.find((each) => each !== partnerId)!;

const MOST_QUOTES = 12;

/** Asks for many quotes and uses none of them. The caller uses the last one for a charge that nobody pays. */
export async function hoard(bought: Bought, shop: Shop, dice: Dice): Promise<Told | undefined> {
  let last: Told | undefined;
  for (let at = 0; at < MOST_QUOTES; at++) {
    last = (await askQuote(String(at), bought, shop)) ?? last;
    await shop.kernel.wait(dice.within(0, dice.isBelow(0.2) ? 4 * MINUTE_MS : 5_000));
  }
  return last;
}
