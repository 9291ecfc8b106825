import { refuse } from '../errors.ts';
import type { Caps } from '../partners/caps.ts';
import type { DecidedPairs } from '../screening/review-case.ts';
import type { Correction } from './correction.ts';
import type { SpentReview } from './identity.ts';
import type { ClientVerdict } from './kyc.ts';

/**
 * The client's row stores at most this many wallets. A KYC submission checks at most this many of them for
 * risk.
 */
export const KNOWN_WALLETS = 20;
/**
 * A client usually has at most this many wallets. A metric counts each new wallet of a client who already
 * has so many.
 */
export const USUAL_WALLETS = 3;

/**
 * A partner's client. The CPF and the TOTP secret are encrypted by the vault. `id` is a keyed hash of the
 * partner and the CPF.
 */
export type Client = {
  id: string;
  partnerId: string;
  cpfCipher: string;
  totpCipher: string;
  /** The instant of the first accepted TOTP code. From then on the secret is never shown again. */
  enrolledAt?: number;
  /**
   * The time step of the last accepted TOTP code, and the purchase for which that code was accepted. A code
   * is accepted for only one purchase.
   */
  lastStep?: number;
  lastTransactionId?: string;
  /**
   * The id of the API request that sent the last accepted code. If the partner repeats this request after a
   * crash, the request continues.
   */
  lastRequestId?: string;
  /**
   * The number of wrong codes since the last accepted code or the last lock. A wrong code is counted before
   * its result is told.
   */
  wrongCodes: number;
  lockedUntil?: number;
  /**
   * When an operator replaced the secret. Before the client can use the new one, they must show their face after this
   * instant.
   */
  mustProve?: number;
  /**
   * The document reviews that were spent on liveness attempts: docs/decisions.md,
   * "The liveness check".
   */
  spentReviews?: SpentReview[];
  /** When the latest review in `spentReviews` ended. */
  reviewSpentAt?: number;
  /**
   * The wallets of this client's purchases, at most `KNOWN_WALLETS`. A purchase to a further wallet adds
   * none.
   */
  wallets?: string[];
  /**
   * The ids of the money cases that forbid new purchases. A person must lift each block: docs/decisions.md,
   * "MED refunds and fraud".
   */
  blockedFor?: string[];
  /** When the client was first submitted at this partner. */
  createdAt: number;
  /** When the latest case that blocks the client was opened. The client's caps are lower for some time after that. */
  medAt?: number;
  /** When an erasure last deleted the data of this row that no law requires us to keep. */
  erasedAt?: number;
  /** The caps that operators changed for this client. */
  limits?: Partial<Caps>;
  /** The data that operators found wrong, the oldest first. */
  corrections?: Correction[];
} & (SoughtTokens | { nextCheckAt?: undefined; checks?: undefined }) &
  ClientVerdict &
  DecidedPairs;

/**
 * For a client whom a KYC decision has refused. `nextCheckAt`: when the service next looks for older KYC
 * tokens of the client, which must be refused too. `checks`: how many times it has looked.
 */
type SoughtTokens = { nextCheckAt: number; checks: number };

/**
 * Refuses new purchases and new charges of a blocked client. A paid purchase continues. The partner does not learn the
 * reason, which concerns only the client and the banks.
 */
export function requireNotBlocked({ blockedFor = [] }: Pick<Client, 'blockedFor'>): void {
  requireWelcome(blockedFor.length === 0);
}

/**
 * Refuses a client who may not buy now. The refusal has no reason and no amounts, because a partner must
 * not learn from it about the client's purchases at other partners.
 */
export function requireWelcome(isWelcome: boolean): void {
  if (!isWelcome) refuse('CLIENT_BLOCKED');
}

/**
 * Whether the time step of a TOTP code was used before, or is older than the last accepted one. False for
 * the last accepted code if it is repeated for the same purchase.
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
