/**
 * The instant and the random seed of the first request with an idempotency key. All ids that the request
 * creates are made from them.
 */
export type Reservation = { at: number; seed: string };

export type StoredAnswer = { statusCode: number; body: string };

export type IdempotencyClaim =
  | { state: 'OURS'; reservation: Reservation }
  | { state: 'IN_PROGRESS'; retryAfterSeconds: number }
  | { state: 'OTHER_REQUEST' }
  | { state: 'ANSWERED'; answer: StoredAnswer };

export type Idempotency = {
  /**
   * Claims `scope` for `leaseMs`. `scope` is a keyed hash of the partner, the route and the idempotency
   * key. If another request has the claim, answers the state of that request. If the lease of that request
   * has ended, this request takes over its reservation.
   */
  claim(
    scope: string,
    requestHash: string,
    reservation: Reservation,
    leaseMs: number,
  ): Promise<IdempotencyClaim>;
  remember(scope: string, answer: StoredAnswer): Promise<void>;
  /**
   * Ends the lease but keeps the reservation, so that the next request with the same idempotency key can
   * continue at once.
   */
  release(scope: string): Promise<void>;
};
