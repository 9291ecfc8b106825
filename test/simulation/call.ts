import type { AwsService } from './cloud/aws-errors.ts';

export type Service = AwsService | 'pix' | 'rpc' | 'webhook';

/** One effect upon the outside: which service, what is done, about what, and how the service fails. */
export type Call = {
  service: Service;
  name: string;
  about: string;
  /** Whether it changes nothing. */
  isRead: boolean;
  /** What the caller is thrown: the service did nothing, or nobody knows. Of several errors `pick`, in [0, 1), says which. */
  failure: (fault: Fault, pick: number) => unknown;
  /** What cannot happen to it. */
  never?: readonly Fault[];
  /** What the service answered before, or throws; undefined where it knows no other answer. `pick` says how long before. */
  stale?: (pick: number) => unknown;
};

/**
 * `FAIL`: the service did nothing and says so. `UNSENT`: it never heard of it, and there is no answer. `LOSE`: it did, and its
 * answer is lost. `LATE`: no answer in time, and it does it later. `TWICE`: it does it twice, as repetitions below us may, and
 * the second answer is heard. `STALE`: what it said before. The others as named.
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
