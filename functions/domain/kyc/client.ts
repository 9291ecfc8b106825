import { refuse } from '../errors.ts';
import type { DecidedPairs } from '../screening/review-case.ts';
import type { SpentReview } from './identity.ts';
import type { ClientVerdict } from './kyc.ts';

/** So many of a client's wallets are kept, and scored. */
export const KNOWN_WALLETS = 20;

/** A partner's client. The secret and the CPF are ciphertext of the vault; `id` is a keyed hash. */
export type Client = {
  id: string;
  partnerId: string;
  cpfCipher: string;
  totpCipher: string;
  /** Set by the first accepted code; from then on the secret is never shown again. */
  enrolledAt?: number;
  /** The last accepted time step and the transaction that it cleared: a code is good once. */
  lastStep?: number;
  lastTransactionId?: string;
  /** The request that brought it: repeated after a crash, it goes on with what it had cleared. */
  lastRequestId?: string;
  /** Tries since the last accepted code or lock; counted before each is looked at. */
  wrongCodes: number;
  lockedUntil?: number;
  /** When operations replaced the secret: whoever enrols the new one must have shown their face since then. */
  mustProve?: number;
  /** Refused, while its older tokens are still to be refused for it: when to look next, and how often that was done. */
  nextCheckAt?: number;
  checks?: number;
  /** Reviews by the identity provider that liveness checks were passed by: docs/decisions.md, "One review, one purchase". */
  spentReviews?: SpentReview[];
  /** When the last of them ended. */
  reviewSpentAt?: number;
  /** Destinations that this client's purchases have named. */
  wallets?: string[];
  /** Cases that stop new purchases until a person lifts each of them: docs/decisions.md, "MED refunds". */
  blockedFor?: string[];
  /** What it has charged today, and what is open. */
  charges?: Charges;
} & ClientVerdict &
  DecidedPairs;

/** New purchases and charges alike; what was paid before goes on. Why is not told: it is between the client and banks. */
export function requireNotBlocked({ blockedFor = [] }: Pick<Client, 'blockedFor'>): void {
  if (blockedFor.length > 0) refuse('CLIENT_BLOCKED');
}

/** A code of the time step `step` may clear `transactionId`: a newer step, or the same code for the same purchase. */
export function isReplay(client: Client, step: number, transactionId: string): boolean {
  if (client.lastStep === undefined || step > client.lastStep) return false;
  return !(step === client.lastStep && client.lastTransactionId === transactionId);
}

export function isLocked(client: Pick<Client, 'lockedUntil'>, now: number): boolean {
  return client.lockedUntil !== undefined && now < client.lockedUntil;
}

/** A purchase whose charge may still be paid, or may be made, and the day that its amount counts for. */
export type OpenCharge = { transactionId: string; amountCentavos: number; day: string };
/** Of one client. */
export type Charges = {
  /** The last day on which one was claimed, in Brasília, and what is charged of it. */
  day: string;
  centavos: number;
  open: readonly OpenCharge[];
  /** Of each writer the number before its own must still be there. */
  revision: number;
};
