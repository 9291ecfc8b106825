import type { AwsService } from './cloud/aws-errors.ts';

export type Service = AwsService | 'pix' | 'rpc' | 'webhook' | 'market';

/** One effect outside of a function: the service, the action, its object, and how the service fails. */
export type Call = {
  service: Service;
  name: string;
  about: string;
  /** True when the call changes nothing. */
  isRead: boolean;
  /**
   * The error that the caller gets: the service did nothing, or the outcome is unknown. `pick`, in [0, 1), chooses
   * among several errors.
   */
  failure: (fault: Fault, pick: number) => unknown;
  /** The faults that cannot happen to this call. */
  never?: readonly Fault[];
  /**
   * An earlier answer or error of the service; undefined where the service knows no other. `pick` says how long ago.
   */
  stale?: (pick: number) => unknown;
};

/**
 * How a call goes wrong.
 * - `FAIL`: the service did nothing and says so.
 * - `UNSENT`: the request never reached the service, and no answer comes.
 * - `LOSE`: the service did it, and the answer is lost.
 * - `LATE`: no answer comes in time, and the service does it later.
 * - `DELAY`: the call takes longer.
 * - `TWICE`: the SDK or a proxy repeats the request, and the service does it twice. The second answer counts.
 * - `STALE`: the service gives an older answer.
 * - `CONFLICT`, `THROTTLE`: the service refuses for this reason.
 * - `KILL_BEFORE`, `KILL_AFTER`: the caller dies before or after the effect.
 */
export type Fault =
  | 'FAIL'
  | 'UNSENT'
  | 'LOSE'
  | 'LATE'
  | 'DELAY'
  | 'TWICE'
  | 'STALE'
  | 'CONFLICT'
  | 'THROTTLE'
  | 'KILL_BEFORE'
  | 'KILL_AFTER';
