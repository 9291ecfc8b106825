import type { BootOptions } from '../../sandbox/cloud/boot.ts';

type Hook = NonNullable<NonNullable<BootOptions['faults']>['before']>;
type Call = Parameters<Hook>[0];

/** The words of each service when it throttles. */
const THROTTLED: Record<string, string> = {
  dynamodb: 'ThrottlingException',
  kms: 'ThrottlingException',
  lambda: 'TooManyRequestsException',
  s3: 'SlowDown',
  secretsmanager: 'ThrottlingException',
  sqs: 'RequestThrottled',
  states: 'ThrottlingException',
  streams: 'LimitExceededException',
};
/** The function that plays the providers. Its calls never fail, because real providers do not run on our AWS. */
const SIMULATORS = 'SimulatorsFunction';
/**
 * The failures of an operation, one after the other. The SDK tries three times, so the third failure reaches the
 * caller. The last call does its work, and its answer is lost, as in a time-out. The SDK then repeats it.
 */
const FAILURES = ['throttled', 'broken', 'throttled', 'silent'] as const;
/** Functions keep the answers of these services for minutes, so their first call fails already. */
const KEPT = ['s3', 'secretsmanager'];
/** The calls with which the local cloud itself reads queues and streams, again and again. */
const POLLS = ['ReceiveMessage', 'GetRecords'];

/**
 * Makes AWS fail for functions and for the local cloud's own callers. After one good call, the next four calls of each
 * operation by each caller fail.
 */
export function awsFaults() {
  const calls = new Map<string, number>();
  const hit = new Set<string>();
  let isOn = false;

  async function before(call: Call) {
    if (!isOn || !isOwn(call)) return undefined;
    const key = `${call.functionName ?? 'cloud'} ${call.service}.${call.operation}`;
    const count = calls.get(key) ?? 0;
    calls.set(key, count + 1);
    const failure = FAILURES[KEPT.includes(call.service) ? count : count - 1];
    if (failure) hit.add(call.service);
    return failure && answerOf(failure, call);
  }

  return {
    before,
    start: () => {
      isOn = true;
    },
    /** The services that have failed. */
    services: () => [...hit].sort(),
  };
}

/**
 * The tests' own calls have no function either, but they invoke none and read no queue or stream. A lease that is not
 * given back blocks its key for minutes, as it must. `test/wire/edge-idempotency.test.ts` tests that, so it is left
 * alone here.
 */
const isOwn = ({ functionName, service, operation, input }: Call): boolean =>
  input.UpdateExpression !== 'SET leaseUntil = :zero' &&
  !functionName?.startsWith(SIMULATORS) &&
  (functionName !== undefined || service === 'lambda' || POLLS.includes(operation));

function answerOf(failure: (typeof FAILURES)[number], { service }: Call) {
  if (failure === 'silent') return 'drop-answer';
  const isBroken = failure === 'broken';
  const name = isBroken ? 'InternalServerError' : (THROTTLED[service] ?? 'ThrottlingException');
  return { error: { name, message: 'injected by the test', status: isBroken ? 500 : 400 } } as const;
}
