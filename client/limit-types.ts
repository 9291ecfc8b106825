/** `GET /v1/laas/clients/{kycToken}/limits`. */
import type { ClientLimit } from './error-details.ts';

/** One limit of a client: a number of charges for `OPEN_CHARGES`, an amount in BRL for the others. */
export type LimitState = {
  limit: ClientLimit | (string & {});
  maximum: number;
  used: number;
  /** The rest. An amount up to the smallest rest can be charged, if `OPEN_CHARGES` has a place. */
  remaining: number;
  /** ISO 8601. */
  resetsAt: string;
};

/** The limits of a client at you. Purchases at other partners are not part of them. */
export type ClientLimits = { limits: readonly LimitState[] };
