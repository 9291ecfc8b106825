/** `GET /v1/laas/clients/{kycToken}/limits`. */
import type { ClientLimit } from './error-details.ts';

/** One limit of a client. Its numbers count charges for `OPEN_CHARGES`, and reais for every other limit. */
export type LimitState = {
  limit: ClientLimit | (string & {});
  maximum: number;
  used: number;
  /**
   * `maximum` minus `used`. The next purchase may cost at most the smallest `remaining` of the limits in
   * reais. For `OPEN_CHARGES` at least 1 must remain.
   */
  remaining: number;
  /** ISO 8601. */
  resetsAt: string;
};

/**
 * The limits of a client for purchases through you. Purchases of the same person through other partners do
 * not use them up.
 */
export type ClientLimits = { limits: readonly LimitState[] };
