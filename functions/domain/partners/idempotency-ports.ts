/** The first request with an idempotency key, and its stored answer once there is one. */
export type Reservation = { at: number; seed: string };

export type StoredAnswer = { statusCode: number; body: string };

export type Claim =
  | { state: 'OURS'; reservation: Reservation }
  | { state: 'IN_PROGRESS'; retryAfterSeconds: number }
  | { state: 'OTHER_REQUEST' }
  | { state: 'ANSWERED'; answer: StoredAnswer };

export type Idempotency = {
  /** Claims `scope` for `leaseMs`, or tells who has it. A lease that ran out is taken over with its reservation. */
  claim(scope: string, requestHash: string, reservation: Reservation, leaseMs: number): Promise<Claim>;
  remember(scope: string, answer: StoredAnswer): Promise<void>;
  /** Gives the lease back with the reservation kept, so that a retry goes on at once. */
  release(scope: string): Promise<void>;
};
