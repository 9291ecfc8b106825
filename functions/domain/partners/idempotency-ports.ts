/** The first request with an idempotency key. */
export type Reservation = { at: number; seed: string };

export type StoredAnswer = { statusCode: number; body: string };

export type Claim =
  | { state: 'OURS'; reservation: Reservation }
  | { state: 'IN_PROGRESS'; retryAfterSeconds: number }
  | { state: 'OTHER_REQUEST' }
  | { state: 'ANSWERED'; answer: StoredAnswer };

export type Idempotency = {
  /**
   * Claims `scope` for `leaseMs`, or returns the state of the other claim. An expired lease is taken over with its
   * reservation.
   */
  claim(scope: string, requestHash: string, reservation: Reservation, leaseMs: number): Promise<Claim>;
  remember(scope: string, answer: StoredAnswer): Promise<void>;
  /** Ends the lease and keeps the reservation, so that a retry continues at once. */
  release(scope: string): Promise<void>;
};
