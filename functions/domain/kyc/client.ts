import { refuse } from '../errors.ts';
import type { Caps } from '../partners/caps.ts';
import type { DecidedPairs } from '../screening/review-case.ts';
import type { SpentReview } from './identity.ts';
import type { ClientVerdict } from './kyc.ts';

/** The most known wallets of a client that one submission scores. */
export const KNOWN_WALLETS = 20;
/** A client with so many wallets is unusual. Each further one is counted. */
export const USUAL_WALLETS = 3;

/** A partner's client. The secret and the CPF are ciphertext of the vault. `id` is a keyed hash. */
export type Client = {
  id: string;
  partnerId: string;
  cpfCipher: string;
  totpCipher: string;
  /** Set by the first accepted code. From then on the secret is never shown again. */
  enrolledAt?: number;
  /** The last accepted time step, and the transaction that it cleared. A code is good for one transaction only. */
  lastStep?: number;
  lastTransactionId?: string;
  /** The request with the last accepted code. If it is repeated after a crash, it continues. */
  lastRequestId?: string;
  /** Tries since the last accepted code or lock. Each is counted before its code is compared. */
  wrongCodes: number;
  lockedUntil?: number;
  /**
   * The time when operations replaced the secret. The client must have shown their face since then to enrol the new
   * one.
   */
  mustProve?: number;
  /** The next look at the older tokens of a refused client, and the number of looks so far. */
  nextCheckAt?: number;
  checks?: number;
  /** Reviews that passed a liveness check: docs/decisions.md, "Liveness of an unverified client". */
  spentReviews?: SpentReview[];
  /** The end of the latest of them. */
  reviewSpentAt?: number;
  /** The destinations of this client's purchases. */
  wallets?: string[];
  /** Cases that stop new purchases. A person must lift each of them: docs/decisions.md, "MED refunds". */
  blockedFor?: string[];
  /** The first submission at this partner. Older rows lack it. */
  createdAt?: number;
  /** When the latest case began that blocked the client. The client buys less for some time after it. */
  medAt?: number;
  /** The caps that operators changed for this client. */
  limits?: Partial<Caps>;
} & ClientVerdict &
  DecidedPairs;

/**
 * Refuses new purchases and new charges of a blocked client. A paid purchase continues. The partner does not get the
 * reason, which is between the client and the banks.
 */
export function requireNotBlocked({ blockedFor = [] }: Pick<Client, 'blockedFor'>): void {
  requireWelcome(blockedFor.length === 0);
}

/** Refuses without a reason and without numbers. A partner must not learn what its client did elsewhere. */
export function requireWelcome(isWelcome: boolean): void {
  if (!isWelcome) refuse('CLIENT_BLOCKED');
}

/**
 * True if the code must not be accepted again, or is older than the last accepted one. The same code is good again
 * for the same purchase.
 */
export function isReplay(client: Client, step: number, transactionId: string): boolean {
  if (client.lastStep === undefined || step > client.lastStep) return false;
  return !(step === client.lastStep && client.lastTransactionId === transactionId);
}

export function isLocked<Any extends Pick<Client, 'lockedUntil'>>(
  client: Any,
  now: number,
): client is Any & { lockedUntil: number } {
  return client.lockedUntil !== undefined && now < client.lockedUntil;
}
