import type { Need, Principal } from './access.ts';
import type { Iam } from './iam.ts';
import { awsError, type Call, type Faults, type Fields } from './wire.ts';

/**
 * One AWS service behind the common address. `needs` returns the permissions that a call needs, and `call`
 * answers it.
 */
export type Service = {
  needs(operation: string, input: Fields): Need[];
  /** Throws if a role exceeds a request rate that AWS allows. Operators have no such limit here. */
  throttle?(operation: string, input: Fields): void;
  call(operation: string, input: Fields, caller?: Principal): Promise<Fields>;
  /** Passes the bytes to an emulator that speaks AWS's wire protocol, and returns the emulator's bytes. */
  forward?(operation: string, body: Buffer): Promise<{ status: number; body: Buffer }>;
};

export type Gate = {
  /**
   * Calls a service for a principal. Checks the permissions first and the request rates second. Then a test's
   * fault may make the call fail. Only then does the service run.
   */
  perform(principal: Principal, service: string, operation: string, input: Fields): Promise<Fields>;
  /**
   * Makes these checks, but does not run the service. `drop-answer` tells the caller to run it and to lose its
   * answer.
   */
  check(principal: Principal, call: Call, needs: Need[]): Promise<'go' | 'drop-answer'>;
  metered?: Faults['metered'];
};

export function createGate(iam: Iam, services: Map<string, Service>, faults: Faults | undefined): Gate {
  async function check(principal: Principal, call: Call, needs: Need[]) {
    iam.authorize(principal, needs, call.service === 's3' ? 'AccessDenied' : 'AccessDeniedException');
    if (principal.roleArn) services.get(call.service)?.throttle?.(call.operation, call.input);
    const fault = await faults?.before?.(call);
    if (fault === 'drop-answer') return fault;
    if (fault) {
      const { name, message, status, fields: more } = fault.error;
      throw awsError(name, message, status ?? 400, more);
    }
    return 'go';
  }
  return {
    check,
    metered: faults?.metered,
    async perform(principal, service, operation, input) {
      const handler = services.get(service);
      if (!handler) throw awsError('UnknownOperationException', `${service} is not simulated`);
      const { functionName } = principal;
      const call = { service, operation, input, ...(functionName ? { functionName } : {}) };
      const verdict = await check(principal, call, handler.needs(operation, input));
      const output = await handler.call(operation, input, principal);
      if (verdict === 'drop-answer') throw awsError('TimeoutError', 'The answer was lost', 500);
      return output;
    },
  };
}
