/** `GET /v1/laas/clients/{kycToken}/limits`. */
import type { ClientLimit } from './error-details.ts';

/** One limit of a client: a number of charges for `OPEN_CHARGES`, an amount in BRL for the others. */
export type LimitState = {
  limit: ClientLimit | (string & {});
  maximum: number;
  used: number;
  /**
   * `maximum` minus `used`. One purchase may cost at most the smallest `remaining` amount of all limits.
   * `OPEN_CHARGES` must also allow one more charge.
   */
  remaining: number;
  /** ISO 8601. */
  resetsAt: string;
};

/** The limits of a client for purchases through you. Purchases through other partners do not count. */
export type ClientLimits = { limits: readonly LimitState[] };
