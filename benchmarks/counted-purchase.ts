/** Counts all that AWS bills for one purchase, in the sandbox. The durations and the sizes of logs are assumptions. */
import { SCHEDULES } from '../functions/domain/watching/schedules.ts';
import type { Call as AwsCall, Faults } from '../sandbox/cloud/wire.ts';
import { plus } from './bill.ts';
import { billedFor } from './counted-calls.ts';
import type { Counts } from './prices.ts';
import { measurePurchase, type Purchase, transitionsOf } from './purchase-calls.ts';
import { depthOf } from './traced-call.ts';

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

/** The counts of one invocation. `depth` is the number of its calls that follow one another. */
export const visitOf = (depth: number, gigabytes = GIGABYTES): Counts => ({
  lambdaRequests: 1,
  lambdaGbSeconds: gigabytes * (SECONDS_A_VISIT + depth * SECONDS_A_CALL),
  logGigabytes: LOG_BYTES.invocation / GB,
  traces: SAMPLED,
});

/** Hears each call once: those of DynamoDB with their units, and the others as they begin. */
export const hearing = (hear: (call: AwsCall, units?: number) => void): Faults => ({
  before: async (call) => {
    if (call.service !== 'dynamodb') hear(call);
  },
  metered: hear,
});

/** Makes one purchase, and counts what AWS bills for it. */
export async function countPurchase(): Promise<{ purchase: Purchase; counts: Counts }> {
  const calls: { at: number; call: AwsCall; units?: number }[] = [];
  const faults = hearing((call, units) => calls.push({ at: Date.now(), call, units }));
  const purchase = await measurePurchase({ faults });
  const { visits } = purchase;
  const from = visits[0]?.startedAt ?? 0;
  let counts: Counts = {
    apiRequests: REQUESTS,
    transitions: transitionsOf(purchase),
    pipeRequests: 3,
    logGigabytes: (REQUESTS * LOG_BYTES.request) / GB,
    gigabytesOut: (REQUESTS * ANSWER_BYTES) / GB,
  };
  for (const { at, call, units } of calls) {
    if (at >= from && call.functionName && !isOfSandbox(call.functionName))
      counts = plus(counts, billedFor(call, units));
  }
  for (const { calls: made } of visits) counts = plus(counts, visitOf(depthOf(made), 2 * GIGABYTES));
  return { purchase, counts };
}

const isOfSandbox = (name: string) => /Simulators|PayTransaction|Schedules/.test(name) || isScheduled(name);
const isScheduled = (name: string) => Object.keys(SCHEDULES).some((each) => name.includes(each));
