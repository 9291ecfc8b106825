import type { Caps } from '../partners/caps.ts';
import type { Client } from './client.ts';
import type { SpentReview } from './identity.ts';
import type { ClientVerdict } from './kyc.ts';

/**
 * A correct TOTP code: its time step, the purchase for which it is accepted, and the request that sent it.
 */
export type AcceptedCode = { step: number; transactionId: string; requestId: string; now: number };

export type LockRule = { limit: number; now: number; lockUntil: number };

export type Clients = {
  findClient(id: string): Promise<Client | undefined>;
  /**
   * Writes the client if there is none, and returns the client that exists now. With `until`, a new row is
   * kept for as long as `keep` would keep it.
   */
  create(client: Client, until?: number): Promise<Client>;
  /**
   * Keeps the client's row for the time that the law requires. This time begins at `until`, when the
   * client's latest KYC token ends.
   */
  keep(id: string, until: number): Promise<void>;
  /**
   * Accepts a TOTP code, and clears the count of tries and the lock. False if this time step was accepted
   * for another purchase, or if a newer time step was accepted. False also if the secret was replaced, if the
   * client is locked, or if the client must first show their face.
   */
  acceptCode(client: Pick<Client, 'id' | 'totpCipher'>, code: AcceptedCode): Promise<boolean>;
  /**
   * Counts a wrong TOTP code, before its result is told. The code that reaches `limit` also locks the client
   * until `lockUntil`. If the answer has `lockedUntil`, the client was already locked. Then the code was not
   * counted, and its result must not be told. The count is exact even if codes come at once.
   */
  countWrongCode(id: string, rule: LockRule): Promise<{ lockedUntil?: number }>;
  /**
   * Stores a new TOTP secret. No code is accepted for it until the client has shown their face. A time step
   * that was already accepted stays used under the new secret.
   */
  resetTotp(id: string, totpCipher: string, now: number): Promise<void>;
  /**
   * Records that the client has shown their face after the reset at `resetAt`. From then on the client's
   * codes are accepted again. If there was a later reset, nothing changes.
   */
  markProven(id: string, resetAt: number): Promise<void>;
  /**
   * Uses up one review of the client's documents and face for one liveness attempt, because one review may
   * clear only one attempt. The caller may repeat the call for the same attempt. False if a review that
   * ended after `since` was already used for another attempt.
   */
  spendReview(id: string, review: SpentReview & { since: number }): Promise<boolean>;
  /**
   * Saves a KYC decision that rejects the client or raises the client's risk tier (`withVerdict`). After a
   * rejection, `Overrulings` lists the client until the client's older KYC tokens are refused too.
   */
  noteVerdict(id: string, verdict: ClientVerdict): Promise<void>;
  /** Saves the caps that operators changed for this client. No Lambda function has a grant for this. */
  saveLimits(id: string, limits: Partial<Caps>): Promise<void>;
  /** Adds an address to the client's `wallets`, which contains each address once. */
  addWallet(id: string, address: string): Promise<void>;
};
