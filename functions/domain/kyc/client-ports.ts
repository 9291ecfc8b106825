import type { Charges, Client } from './client.ts';
import type { SpentReview } from './identity.ts';
import type { ClientVerdict } from './kyc.ts';

/** A correct code: its time step, and the purchase and the request for which it is accepted. */
export type AcceptedCode = { step: number; transactionId: string; requestId: string; now: number };

export type TryRule = { limit: number; now: number; lockUntil: number };

export type Clients = {
  findClient(id: string): Promise<Client | undefined>;
  /** Put-if-absent. Returns the client that is there now. */
  create(client: Client): Promise<Client>;
  /** Keeps the row for the legal time after `until`, the end of the client's latest token. */
  keep(id: string, until: number): Promise<void>;
  /**
   * Accepts a code and clears count and lock. False: the time step was used for something else, or the secret has
   * changed since.
   */
  acceptCode(client: Pick<Client, 'id' | 'totpCipher'>, code: AcceptedCode): Promise<boolean>;
  /**
   * Counts a try before the code is compared. The try that reaches `limit` first locks the client until `lockUntil`.
   * If the answer has `lockedUntil`, nothing was counted and the code must not be compared. Exact under concurrency.
   */
  countTry(id: string, rule: TryRule): Promise<{ lockedUntil?: number }>;
  /** Stores a new secret. No code fits it until the client has shown their face. Used time steps are kept. */
  resetTotp(id: string, totpCipher: string, now: number): Promise<void>;
  /** The client has shown their face after the reset at `resetAt`. The next challenge is an ordinary one. */
  markProven(id: string, resetAt: number): Promise<void>;
  /**
   * Spends a review on one attempt. A repetition for the same attempt is no error. False if a review that ended after
   * `since` was spent on another attempt.
   */
  spendReview(id: string, review: SpentReview & { since: number }): Promise<boolean>;
  /** Adds a decision against the client to those of earlier decisions: see also `Overrulings`. */
  noteVerdict(id: string, verdict: ClientVerdict): Promise<void>;
  /** False if another charge was claimed since the former revision. */
  saveCharges(id: string, charges: Charges): Promise<boolean>;
  /** Adds to the client's `wallets`, which has each address once. */
  addWallet(id: string, address: string): Promise<void>;
};
