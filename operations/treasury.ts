import {
  ASSET_NAMES,
  ASSETS,
  type Asset,
  assetAmountOf,
  isAsset,
  type PerAsset,
  perAsset,
} from '../functions/domain/assets.ts';
import { unitsOf } from '../functions/domain/money.ts';
import { HOUR_MS } from '../functions/domain/time.ts';
import { HOLD_EFFECT, HOLD_WORDS } from '../functions/domain/treasury/hold.ts';
import type { Float } from '../functions/domain/treasury/liquidity.ts';
import { DISTRUST_WORDS } from '../functions/domain/treasury/order-book.ts';
import { type PayoutWindow, paidIn, windowAt } from '../functions/domain/treasury/payout-window.ts';
import { type PriceHistory, priceText } from '../functions/domain/treasury/price.ts';
import { brlIn } from '../functions/domain/wording.ts';
import { type Command, type Given, type Plan, requireText, requireWords } from './command.ts';
import type { Desk } from './desk.ts';
import { listSales, unsoldIn } from './sales.ts';
import type { Table } from './shown.ts';
import type { PromiseUse } from './stores/promise-sums.ts';
import { holdsOfAll } from './wallets.ts';
import { instant, misused, refuseOrder } from './words.ts';

const ASSET_OPTION = `--asset <${ASSET_NAMES.join('|')}>`;

export const treasuryCommands: Command[] = [
  {
    name: 'treasury show',
    takes: '',
    about: 'how much of each asset can still be sold, at the last reading, and how much is promised',
    run: showTreasury,
  },
  {
    name: 'treasury pause',
    takes: ASSET_OPTION,
    about: 'opens and charges no purchase of the asset until it is resumed; charged purchases go on',
    options: ['asset'],
    needsReason: true,
    run: pauseSales,
  },
  {
    name: 'treasury resume',
    takes: ASSET_OPTION,
    about: 'ends the pause of the asset',
    options: ['asset'],
    needsReason: true,
    run: resumeSales,
  },
  {
    name: 'treasury allow',
    takes: `${ASSET_OPTION} --amount <tokens>`,
    about: 'lets out so many tokens more than hourlyPayout within the next hour, as a payment waits for that',
    options: ['asset', 'amount'],
    needsReason: true,
    run: allow,
  },
  {
    name: 'treasury reprice',
    takes: ASSET_OPTION,
    about: 'forgets the accepted prices; the next reading accepts the market price of then',
    options: ['asset'],
    needsReason: true,
    run: reprice,
  },
];

async function showTreasury(given: Given, desk: Desk): Promise<Table> {
  requireWords(given);
  const { holds, promiseSums } = desk;
  const hold = await holds.findHold();
  const [windows, sums, sales] = await Promise.all([
    windowsOf(desk),
    promiseSums.findSums(),
    listSales(desk),
  ]);
  const more = [
    ...(hold ? [`${HOLD_WORDS[hold]}: ${HOLD_EFFECT}`, ...(await holdsOfAll(hold, holds))] : []),
    ...unsoldIn(sales).map(([asset, why]) => `${asset} is not sold: ${why}`),
  ];
  const rows = sales.map(({ asset, float, history, state }) => {
    const facts = [pricesOf(history), paidWords(windows[asset], asset, float), promiseWords(sums[asset])];
    if (!float) return [asset, state, undefined, undefined, ...facts, undefined];
    const { room, readAt, paused } = float;
    const by = paused ? `paused by ${paused.by}: ${paused.reason}` : undefined;
    return [asset, state, signedAmountOf(asset, room), new Date(readAt), ...facts, by];
  });
  const head = ['asset', 'state', 'room', 'read', 'prices', 'payouts', 'promises', 'pause'];
  return { head, rows, empty: 'No asset is sold.', more };
}

async function windowsOf({ payouts, clock }: Desk): Promise<PerAsset<PayoutWindow>> {
  const [windows, now] = [await payouts.findWindows(), clock.now()];
  return perAsset((asset) => windowAt(windows[asset], now));
}

/** How much of the hour's ceiling is used, and what an operator allowed beyond it. The last reading has the ceiling. */
function paidWords(window: PayoutWindow, asset: Asset, float: Float | undefined): string {
  const most = float?.hourlyPayout ? ` of ${assetAmountOf(asset, float.hourlyPayout)}` : '';
  const more = window.allowance ? `, ${assetAmountOf(asset, window.allowance.units)} more allowed` : '';
  return `${assetAmountOf(asset, paidIn(window))}${most} within the hour, failed tries included${more}`;
}

/** Shows the sum of the open promises, its limit, and the room: how much may still be promised. */
function promiseWords({ openCentavos, limitCentavos }: PromiseUse): string {
  const words = [openCentavos, limitCentavos, limitCentavos - openCentavos].map((centavos) =>
    brlIn('en', centavos),
  );
  return `${words[0]} open of ${words[1]}, room ${words[2]}`;
}

function pricesOf({ spans, ptax, distrust }: PriceHistory): string {
  const prices = spans
    .flatMap(({ lowest, highest }) => [lowest, highest])
    .sort((one, other) => (one < other ? -1 : 1));
  const [lowest, highest] = [prices[0], prices.at(-1)];
  const accepted =
    lowest && highest ? `accepted ${priceText(lowest)} to ${priceText(highest)}` : 'no price accepted';
  const known = ptax ? `PTAX ${priceText(ptax.rate)} of ${instant(ptax.publishedAt)}` : 'no PTAX';
  return [accepted, known, ...(distrust ? [`none now: ${distrust}, ${DISTRUST_WORDS[distrust]}`] : [])].join(
    ', ',
  );
}

const signedAmountOf = (asset: Asset, units: bigint) =>
  units < 0n ? `-${assetAmountOf(asset, -units)}` : assetAmountOf(asset, units);

function assetOf(given: Given): Asset {
  requireWords(given);
  const text = requireText(given, 'asset');
  return isAsset(text) ? text : misused(`--asset must be one of ${ASSET_NAMES.join(', ')}.`);
}

async function pauseSales(given: Given, { floats }: Desk): Promise<Plan> {
  const asset = assetOf(given);
  const before = (await floats.findFloat(asset))?.paused;
  if (before) refuseOrder(`${asset} has been paused by ${before.by} since ${instant(before.at)}.`);
  return {
    subject: asset,
    will: [`open and charge no purchase of ${asset}; charged purchases are settled`],
    facts: { asset },
    before: {},
    after: { paused: true },
    async perform(order) {
      await floats.pause(asset, order);
      return [`${asset} is paused.`];
    },
  };
}

async function resumeSales(given: Given, { floats }: Desk): Promise<Plan> {
  const asset = assetOf(given);
  const paused = (await floats.findFloat(asset))?.paused;
  if (!paused) refuseOrder(`${asset} is not paused.`);
  return {
    subject: asset,
    will: [`open and charge purchases of ${asset} again, as far as the treasury has room`],
    facts: { asset },
    before: { paused },
    after: {},
    async perform() {
      await floats.resume(asset);
      return [`${asset} is not paused any more.`];
    },
  };
}

async function allow(given: Given, { payouts, clock }: Desk): Promise<Plan> {
  const asset = assetOf(given);
  const units = unitsOf(requireText(given, 'amount'), ASSETS[asset].decimals);
  if (!units) misused('--amount must be an amount of tokens above zero, such as 5000.');
  const stored = (await payouts.findWindows())[asset];
  const isDone = stored.allowance !== undefined && stored.allowance.at === given.resumed?.at;
  if (!isDone) requireItsHour(given, clock.now());
  const window = windowAt(stored, clock.now());
  return {
    subject: asset,
    will: [
      `let out ${assetAmountOf(asset, units)} ${asset} more than hourlyPayout, for an hour`,
      `within the last hour ${assetAmountOf(asset, paidIn(window))} were paid`,
    ],
    facts: { asset, units: String(units) },
    before: { allowed: String(window.allowance?.units ?? 0) },
    after: { units: String(units) },
    isDone,
    async perform({ by, at, reason }) {
      const allowance = { units, slice: window.slice, by, at, reason };
      if (await payouts.save(asset, { ...window, allowance })) return [`Payments of ${asset} go on.`];
      return refuseOrder('The state has changed meanwhile: look again.');
    },
  };
}

/**
 * Refuses to resume an allowance an hour after its approval. By then no row shows whether an earlier run has
 * given the allowance, so a later run could give it twice.
 */
function requireItsHour({ resumed }: Given, now: number): void {
  if (resumed && now - resumed.at >= HOUR_MS)
    refuseOrder('An allowance is given within an hour of its approval.');
}

async function reprice(given: Given, { priceHistories }: Desk): Promise<Plan> {
  const asset = assetOf(given);
  const before = pricesOf(await priceHistories.findHistory(asset));
  return {
    subject: asset,
    will: [
      `sell ${asset} at the price of the next reading, however far it is from what was accepted: ${before}`,
    ],
    facts: { asset, before },
    before: { prices: before },
    after: { prices: 'the next reading' },
    async perform() {
      await priceHistories.forget(asset);
      return [`${asset} is sold again as soon as the next reading accepts a price.`];
    },
  };
}
