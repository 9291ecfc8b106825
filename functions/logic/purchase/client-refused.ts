import { StepOutcome } from '../../domain/errors.ts';
import { isOverruled } from '../../domain/kyc/kyc.ts';
import type { RejectionReason } from '../../domain/kyc/kyc-reasons.ts';
import type { Needs } from '../../domain/ports.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { getClient } from '../rows.ts';

/** Ends the step by the error that fails the purchase. A reason other than a list hit is a KYC rejection. */
export function refuseFor(reason: RejectionReason | undefined): never {
  if (reason === 'SANCTIONS_HIT') throw new StepOutcome('CLIENT_REFUSED', 'a list refuses the client');
  throw new StepOutcome('KYC_REJECTED', 'the client was rejected since');
}

/** Twice the time for which an instance may use old lists. Real time, even in a sandbox with short minutes. */
const CHECKS_GOOD_MS = 10 * 60_000;

type Paid = Pick<Transaction, 'clientId' | 'createdAt' | 'disposition'>;

/**
 * Sends a purchase back to the checks of client and wallet if these are old, or if the client was rejected since. The
 * checks grow old while the step waits for the provider or the treasury. Once a nonce is owned, this does nothing,
 * because only the chain ends the purchase then.
 */
export async function requireStillChecked(
  { clientId, createdAt, disposition }: Paid,
  checkedAt: number | undefined,
  { clients, clock }: Needs<readonly ['clients:read', 'clock']>,
): Promise<void> {
  if (disposition === 'SETTLE') return;
  const client = await getClient(clients, clientId);
  const isFresh = checkedAt !== undefined && clock.now() - checkedAt <= CHECKS_GOOD_MS;
  if (!isFresh || isOverruled({ issuedAt: createdAt }, client))
    throw new StepOutcome('CheckAgain', 'client and wallet are checked again');
}

type Settling = Pick<Transaction, 'id' | 'clientId' | 'createdAt' | 'disposition'>;

/**
 * Requests a cancel if the purchase owns a nonce and its client was refused: docs/decisions.md, "Cancelling a
 * transfer". True: this call requested it.
 */
export async function cancelIfRefused(
  { id, clientId, createdAt, disposition }: Settling,
  { clients, cancellations, clock }: Needs<readonly ['clients:read', 'cancellations', 'clock']>,
): Promise<boolean> {
  if (disposition !== 'SETTLE') return false;
  const client = await getClient(clients, clientId);
  if (!isOverruled({ issuedAt: createdAt }, client)) return false;
  const reason = client.rejectedFor === 'SANCTIONS_HIT' ? 'SANCTIONS_HIT' : 'KYC_REJECTED';
  return cancellations.ask(id, { reason, at: clock.now() });
}
