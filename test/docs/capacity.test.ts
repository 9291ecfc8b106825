import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AIMS } from '../../benchmarks/purchase-aims.ts';
import { MAX_IN_FLIGHT } from '../../functions/adapters/chain/claim.ts';
import type { PerAsset } from '../../functions/domain/assets.ts';
import { RATE_LIMITS } from '../../functions/domain/partners/rate-limit.ts';
import { ROUTES, type Route } from '../../functions/routes.ts';
import { DUE } from '../../functions/tables/sharded.ts';
import { readContext } from '../../infra/settings.ts';
import { throttlesOf } from '../../infra/throttles.ts';

const PAGE = readFileSync(new URL('../../docs/capacity.md', import.meta.url), 'utf8').replaceAll(/ +/g, ' ');

const rateOf = (method: string) => throttlesOf(ROUTES as readonly Route[])[method]!.throttlingRateLimit;
const throttles = [
  '/v1/laas/kyc/submit/POST',
  '/v1/laas/transactions/initiate/POST',
  '/callbacks/identity/POST',
].map(rateOf);
/** The quota of state transitions a second in sa-east-1, from the page's own table. */
const TRANSITIONS = 500;

type PerStage<Value> = { production: Value };
const { assets, promiseLimits } = readContext() as {
  assets: PerStage<PerAsset<{ hourlyPayout: string }>>;
  promiseLimits: PerStage<{ assetBrl: number }>;
};
const PURCHASE_BRL = 250;
const TOKEN_BRL = 5.4;
const [hourlyPayout] = Object.values(assets.production).map((each) => Number(each.hourlyPayout));
const paidOut = (Number(hourlyPayout) * TOKEN_BRL) / PURCHASE_BRL / 3600;
const promised = promiseLimits.production.assetBrl / PURCHASE_BRL / 300;
const english = (number: number) => number.toLocaleString('en-US');
const keyRate = Math.floor((RATE_LIMITS.all / 60 / 6) * 100) / 100;
const tokens = english(Number(hourlyPayout));
const sumBrl = english(promiseLimits.production.assetBrl);

test.each([
  ['the requests of a key', `| ${keyRate} an API key | ${RATE_LIMITS.all} requests a minute, 6 for`],
  [
    'the payouts of an hour',
    `| ${paidOut.toFixed(1)} an asset | \`hourlyPayout\` in production: ${tokens} tokens`,
  ],
  [
    'the open promises',
    `| ${Math.floor(promised)} an asset | \`promiseLimits.assetBrl\`: R$ ${sumBrl}, paid`,
  ],
  ['the transfers of a wallet', `| one wallet: ${MAX_IN_FLIGHT} transfers in a block of 2 s |`],
  [
    'the throttles',
    `${throttles[0]} | our throttle of KYC submissions; ${throttles[1]} for initiates, ${throttles[2]}`,
  ],
  ['the shards', `| indexes with ${DUE.shards} shards |`],
  ['the transitions', `| state transitions | ${AIMS.transitions} at most | ${TRANSITIONS} |`],
  [
    'their first limit',
    `| about ${Math.floor(TRANSITIONS / AIMS.transitions / 10) * 10} | state transitions, \`sa-`,
  ],
  ['the submissions of a key', `| KYC submissions | 1 | ${RATE_LIMITS.kyc} a minute and key |`],
])('the page of the capacity has %s as the code has them', (_, words) => {
  expect(PAGE).toContain(words);
});
