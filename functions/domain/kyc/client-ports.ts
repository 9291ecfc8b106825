import type { Charges, Client } from './client.ts';
import type { SpentReview } from './identity.ts';
import type { ClientVerdict } from './kyc.ts';

/** A right code: its time step, and the purchase and the request that it is accepted for. */
export type AcceptedCode = { step: number; transactionId: string; requestId: string; now: number };

export type TryRule = { limit: number; now: number; lockUntil: number };

export type Clients = {
  findClient(id: string): Promise<Client | undefined>;
  /** Put-if-absent; the answer is the client that is there now. */
  create(client: Client): Promise<Client>;
  /** Keeps the row for as long as the law wants after `until`, the end of its latest token. */
  keep(id: string, until: number): Promise<void>;
  /**
   * Accepts a code and clears count and lock. False where its step was used otherwise, or where the secret that it was
   * compared with is no longer the client's.
   */
  acceptCode(client: Pick<Client, 'id' | 'totpCipher'>, code: AcceptedCode): Promise<boolean>;
  /**
   * Counts a try before its code is looked at: the one that reaches `limit` locks the client until `lockUntil` first.
   * With `lockedUntil` nothing was counted and nothing may be looked at. Exact under concurrency.
   */
  countTry(id: string, rule: TryRule): Promise<{ lockedUntil?: number }>;
  /** A new secret that no code fits until the client has proven itself; what older codes were is not forgotten. */
  resetTotp(id: string, totpCipher: string, now: number): Promise<void>;
  /** After the reset of that instant the client has proven itself by liveness: the next challenge is as before. */
  markProven(id: string, resetAt: number): Promise<void>;
  /**
   * Spends a review, which ended after `since`, on one attempt; again for the same attempt is no error. False where a
   * review that ended after `since` was spent on another.
   */
  spendReview(id: string, review: SpentReview & { since: number }): Promise<boolean>;
  /** Notes what a decision found against the client, beside what an earlier one did: see also `Overrulings`. */
  noteVerdict(id: string, verdict: ClientVerdict): Promise<void>;
  /** False where another charge was claimed since the revision before it. */
  saveCharges(id: string, charges: Charges): Promise<boolean>;
  /** Adds to the client's `wallets`, in which each address is once. */
  addWallet(id: string, address: string): Promise<void>;
};
