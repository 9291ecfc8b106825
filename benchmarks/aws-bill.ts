/**
 * Prints the AWS bill of 1,000 purchases, and of a month without one. The calls are counted in the sandbox,
 * and the fixed costs in production's template. The durations and the sizes in bytes are assumptions.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCHEDULES } from '../functions/domain/watching/schedules.ts';
import { TABLE_LIST } from '../functions/tables.ts';
import { onrampApp } from '../infra/onramp-app.ts';
import type { Call as AwsCall } from '../sandbox/cloud/wire.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import { billOf, plus, totalOf } from './bill.ts';
import { billedFor, type Indexes } from './counted-calls.ts';
import { type Counts, PRICES, PRICES_AS_OF, REGIONS } from './prices.ts';
import { measurePurchase, transitionsOf } from './purchase-calls.ts';
import { depthOf } from './traced-call.ts';

const AIMS = { purchases: 0.5, idle: 25 };
const PURCHASES = 1000;
const MINUTES_A_MONTH = 30 * 24 * 60;
/**
 * Assumptions about a warm function. An invocation takes `SECONDS_A_VISIT`, and `SECONDS_A_CALL` more for
 * each of its calls that follow one another.
 */
const SECONDS_A_CALL = 0.02;
const SECONDS_A_VISIT = 0.01;
/** Assumption: most functions have this memory. The functions of endpoints have twice as much. */
const GIGABYTES = 0.5;
/**
 * Assumptions, in bytes: Lambda's own log lines for one invocation, and the access log's line for one
 * request.
 */
const LOG_BYTES = { invocation: 900, request: 500 };
/** Assumption: one answer with its headers. */
const ANSWER_BYTES = 3000;
/**
 * The requests of one purchase: `SubmitKyc`, `GetKycStatus`, `InitiateTransaction`, `ConfirmMfa`, the
 * callback of the payment, and two reads of the status.
 */
const REQUESTS = 7;
/** X-Ray's default rule records a twentieth. */
const SAMPLED = 0.05;
const GB = 1024 ** 3;

type Resource = { Type: string; Properties: Record<string, unknown[] | undefined> };

async function resourcesOfProduction(): Promise<Resource[]> {
  const outdir = mkdtempSync(join(tmpdir(), 'bill-'));
  try {
    const { app } = await onrampApp({ stage: 'production' }, { outdir });
    return app.synth().stacks.flatMap(({ templateFullPath }) => {
      const template = JSON.parse(readFileSync(templateFullPath, 'utf8')) as {
        Resources: Record<string, Resource>;
      };
      return Object.values(template.Resources);
    });
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** AWS bills an alarm once for each metric that it reads. A metric filter makes a custom metric. */
function fixedOf(resources: readonly Resource[]): Counts {
  const of = (type: string) => resources.filter(({ Type }) => Type === type);
  const metricsOf = ({ Properties: { Metrics } }: Resource) =>
    ((Metrics ?? [{ MetricStat: true }]) as { MetricStat?: unknown }[]).filter((metric) => metric.MetricStat)
      .length;
  const names = of('AWS::Logs::MetricFilter').flatMap(({ Properties: { MetricTransformations = [] } }) =>
    (MetricTransformations as { MetricNamespace: string; MetricName: string }[]).map(
      ({ MetricNamespace, MetricName }) => `${MetricNamespace} ${MetricName}`,
    ),
  );
  return {
    keyMonths: of('AWS::KMS::Key').length,
    secretMonths: of('AWS::SecretsManager::Secret').length,
    alarmMonths: of('AWS::CloudWatch::Alarm').reduce((sum, alarm) => sum + metricsOf(alarm), 0),
    metricMonths: new Set(names).size,
    dashboardMonths: of('AWS::CloudWatch::Dashboard').length,
  };
}

const visitOf = (depth: number, gigabytes = GIGABYTES): Counts => ({
  lambdaRequests: 1,
  lambdaGbSeconds: gigabytes * (SECONDS_A_VISIT + depth * SECONDS_A_CALL),
  logGigabytes: LOG_BYTES.invocation / GB,
  traces: SAMPLED,
});

async function countPurchase(indexes: Indexes): Promise<Counts> {
  const calls: { at: number; call: AwsCall }[] = [];
  const faults = { before: async (call: AwsCall) => void calls.push({ at: Date.now(), call }) };
  const { visits, ...machine } = await measurePurchase({ faults });
  const from = visits[0]?.startedAt ?? 0;
  let counts: Counts = {
    apiRequests: REQUESTS,
    transitions: transitionsOf(machine),
    pipeRequests: 3,
    logGigabytes: (REQUESTS * LOG_BYTES.request) / GB,
    gigabytesOut: (REQUESTS * ANSWER_BYTES) / GB,
  };
  for (const { at, call } of calls) {
    if (at >= from && call.functionName && !isOfSandbox(call.functionName))
      counts = plus(counts, billedFor(call, indexes));
  }
  for (const { calls: made } of visits) counts = plus(counts, visitOf(depthOf(made), 2 * GIGABYTES));
  return counts;
}

const isOfSandbox = (name: string) => /Simulators|PayTransaction|Schedules/.test(name) || isScheduled(name);
const isScheduled = (name: string) => Object.keys(SCHEDULES).some((each) => name.includes(each));

/** An instance reads a secret again after this many minutes: `functions/adapters/aws/secrets.ts`. */
const SECRET_MINUTES = 5;

/**
 * Runs each schedule twice, and counts the calls of the second run. Reads of secrets are counted in both
 * runs. An instance that has read a secret in the first run does not read it in the second.
 */
async function countIdleMonth(indexes: Indexes): Promise<Counts> {
  let heard: Counts = {};
  let secretReads: string[] = [];
  let only = '';
  let depth = 0;
  const faults = {
    before: async (call: AwsCall) => {
      if (call.service === 'secretsmanager') secretReads = [...secretReads, call.functionName ?? ''];
      if (!call.functionName?.includes(only)) return;
      depth++;
      heard = plus(heard, billedFor(call, indexes));
    },
  };
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

/** Pairs of a part of the table's physical name and the number of its secondary indexes. */
const INDEXES = TABLE_LIST.map((table): [string, number] => [
  table.name.replace(/^./, (letter) => letter.toUpperCase()),
  Object.keys(table.indexes).length,
]);
const indexes: Indexes = (name) => INDEXES.find(([part]) => name.includes(part))?.[1] ?? 0;

const resources = await resourcesOfProduction();
const tables = resources.filter(({ Type }) => Type === 'AWS::DynamoDB::Table');
console.log(`Prices of ${PRICES_AS_OF}, without free tiers; ${tables.length} tables on demand`);
const purchase = await countPurchase(indexes);
print(`${PURCHASES} purchases`, plus({}, purchase, PURCHASES), AIMS.purchases);
const idle = plus(fixedOf(resources), await countIdleMonth(indexes));
print('A month without a purchase', idle, AIMS.idle);
