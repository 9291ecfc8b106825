import type { Caps } from '../partners/caps.ts';
import type { Client } from './client.ts';
import type { SpentReview } from './identity.ts';
import type { ClientVerdict } from './kyc.ts';

/** A correct code: its time step, and the purchase and the request for which it is accepted. */
export type AcceptedCode = { step: number; transactionId: string; requestId: string; now: number };

export type TryRule = { limit: number; now: number; lockUntil: number };

export type Clients = {
  findClient(id: string): Promise<Client | undefined>;
  /** Put-if-absent. Returns the client that is there now. A new row is kept as by `keep`, if `until` is given. */
  create(client: Client, until?: number): Promise<Client>;
  /** Keeps the row for the legal time after `until`, the end of the client's latest token. */
  keep(id: string, until: number): Promise<void>;
  /**
   * Accepts a code, and clears the count of tries and the lock. False: this or a newer time step was accepted for
   * another purchase, or the secret was replaced.
   */
  acceptCode(client: Pick<Client, 'id' | 'totpCipher'>, code: AcceptedCode): Promise<boolean>;
  /**
   * Counts a try before the code is compared. The try that reaches `limit` first locks the client until `lockUntil`.
   * If the answer has `lockedUntil`, nothing was counted and the code must not be compared. Exact under concurrency.
   */
  countTry(id: string, rule: TryRule): Promise<{ lockedUntil?: number }>;
  /** Stores a new secret. No code fits it until the client has shown their face. Used time steps are kept. */
  resetTotp(id: string, totpCipher: string, now: number): Promise<void>;
  /**
   * Saves that the client has shown their face after the reset at `resetAt`. The next challenge is an ordinary one.
   * Changes nothing after a later reset.
   */
  markProven(id: string, resetAt: number): Promise<void>;
  /**
   * Spends a review on one attempt. A repetition for the same attempt is no error. False if a review that ended after
   * `since` was spent before, and none on this attempt.
   */
  spendReview(id: string, review: SpentReview & { since: number }): Promise<boolean>;
  /**
   * Saves the latest decision against the client. A rejection and a raised tier are kept side by side. A rejection
   * makes the client due in `Overrulings`.
   */
  noteVerdict(id: string, verdict: ClientVerdict): Promise<void>;
  /** Saves the caps that operators changed for the client. No function has the right to. */
  saveLimits(id: string, limits: Partial<Caps>): Promise<void>;
  /** Adds to the client's `wallets`, which has each address once. */
  addWallet(id: string, address: string): Promise<void>;
};
