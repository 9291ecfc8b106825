/**
 * Prints the AWS bill of 1,000 purchases, and of a month without one. The calls are counted in the sandbox,
 * and the fixed costs in production's template. The durations and the sizes in bytes are assumptions.
 */
import { SCHEDULES } from '../functions/domain/watching/schedules.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import { billOf, plus, totalOf } from './bill.ts';
import { billedFor } from './counted-calls.ts';
import { countPurchase, hearing, visitOf } from './counted-purchase.ts';
import { fixedOf, resourcesOfProduction } from './fixed-costs.ts';
import { type Counts, PRICES, PRICES_AS_OF, REGIONS } from './prices.ts';

const AIMS = { purchases: 0.5, idle: 25 };
const PURCHASES = 1000;
const MINUTES_A_MONTH = 30 * 24 * 60;

/** An instance reads a secret again after this many minutes: `functions/adapters/aws/secrets.ts`. */
const SECRET_MINUTES = 5;

/**
 * Runs each schedule twice, and counts the calls of the second run. Reads of secrets are counted in both
 * runs. An instance that has read a secret in the first run does not read it in the second.
 */
async function countIdleMonth(): Promise<Counts> {
  let heard: Counts = {};
  let secretReads: string[] = [];
  let only = '';
  let depth = 0;
  const faults = hearing((call, units) => {
    if (call.service === 'secretsmanager') secretReads = [...secretReads, call.functionName ?? ''];
    if (!call.functionName?.includes(only)) return;
    depth++;
    heard = plus(heard, billedFor(call, units));
  });
  const { cloud, stop } = await startSandbox({ faults });
  let month: Counts = {};
  try {
    for (const [name, { everyMinutes }] of Object.entries(SCHEDULES)) {
      await cloud.invoke(name, {});
      [heard, only, depth] = [{}, name, 0];
      await cloud.invoke(name, {});
      const runs = MINUTES_A_MONTH / everyMinutes;
      const secrets = secretReads.filter((functionName) => functionName.includes(name)).length;
      month = plus(month, { secretReads: secrets }, MINUTES_A_MONTH / Math.max(everyMinutes, SECRET_MINUTES));
      month = plus(plus(month, heard, runs), visitOf(depth), runs);
    }
  } finally {
    await stop();
  }
  return month;
}

function print(title: string, counts: Counts, aim: number): void {
  for (const region of REGIONS) {
    const lines = billOf(counts, region);
    console.log(
      `${title}, ${region}: US$ ${totalOf(lines).toFixed(2)}${region === 'us-east-1' ? ` (aim ${aim})` : ''}`,
    );
    for (const { item, count, dollars } of lines) {
      if (dollars < 0.001) continue;
      const amount = count >= 10 ? count.toFixed(0) : count.toPrecision(2);
      console.log(`  ${dollars.toFixed(3).padStart(8)}  ${amount.padStart(10)} ${PRICES[item].unit}`);
    }
  }
}

const resources = await resourcesOfProduction();
const tables = resources.filter(({ Type }) => Type === 'AWS::DynamoDB::Table');
console.log(`Prices of ${PRICES_AS_OF}, without free tiers; ${tables.length} tables on demand`);
const { counts } = await countPurchase();
print(`${PURCHASES} purchases`, plus({}, counts, PURCHASES), AIMS.purchases);
const idle = plus(fixedOf(resources), await countIdleMonth());
print('A month without a purchase', idle, AIMS.idle);
