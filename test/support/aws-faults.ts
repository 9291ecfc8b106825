import type { BootOptions } from '../../sandbox/cloud/boot.ts';

type Hook = NonNullable<NonNullable<BootOptions['faults']>['before']>;
type Call = Parameters<Hook>[0];
export type Fault = 'throttled' | 'broken' | 'silent';

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
/** The providers that this function plays are not on our AWS. */
const SIMULATORS = 'SimulatorsFunction';
/** The SDK tries three times. The fourth failure reaches a repetition of the caller. */
const FAILURES = 4;

/**
 * Makes AWS fail for functions and for the local cloud's own callers. After one good call, the next four calls of each
 * operation by each caller fail. `silent` does the work and drops the answer, as a time-out does.
 */
export function awsFaults() {
  const calls = new Map<string, number>();
  const hit = new Set<string>();
  let fault: Fault | undefined;

  async function before(call: Call) {
    if (!fault || !isOwn(call)) return undefined;
    const key = `${call.functionName ?? 'cloud'} ${call.service}.${call.operation}`;
    const count = (calls.get(key) ?? 0) + 1;
    calls.set(key, count);
    if (count < 2 || count > 1 + FAILURES) return undefined;
    hit.add(call.service);
    return answerOf(fault, call);
  }

  return {
    before,
    /** Starts one kind of fault. `undefined` ends them. */
    inject(kind: Fault | undefined): void {
      calls.clear();
      hit.clear();
      fault = kind;
    },
    /** The services that have failed since `inject`. */
    services: () => [...hit].sort(),
  };
}

/**
 * The tests' own calls have no function either, but they invoke none and read no queue. A lease that is not given back
 * blocks its key for minutes, as it must. `test/wire/edge-idempotency.test.ts` tests that, so it is left alone here.
 */
const isOwn = ({ functionName, service, operation, input }: Call): boolean =>
  input.UpdateExpression !== 'SET leaseUntil = :zero' &&
  !functionName?.startsWith(SIMULATORS) &&
  (functionName !== undefined || service === 'lambda' || operation === 'ReceiveMessage');

function answerOf(fault: Fault, { service }: Call) {
  if (fault === 'silent') return 'drop-answer';
  const isBroken = fault === 'broken';
  const name = isBroken ? 'InternalServerError' : (THROTTLED[service] ?? 'ThrottlingException');
  return { error: { name, message: 'injected by the test', status: isBroken ? 500 : 400 } } as const;
}
