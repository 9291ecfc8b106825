import { StepOutcome } from '../../domain/errors.ts';
import { isOverruled } from '../../domain/kyc/kyc.ts';
import type { RejectionReason } from '../../domain/kyc/kyc-reasons.ts';
import type { Needs } from '../../domain/ports.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { getClient } from '../rows.ts';

/** Ends a purchase by the name that the machine knows; whatever is not of a list is another rejection. */
export function refuseFor(reason: RejectionReason | undefined): never {
  if (reason === 'SANCTIONS_HIT') throw new StepOutcome('CLIENT_REFUSED', 'a list refuses the client');
  throw new StepOutcome('KYC_REJECTED', 'the client was rejected since');
}

/** Twice as long as an instance goes on with old lists. Real time, in a hurried sandbox too. */
const CHECKS_GOOD_MS = 10 * 60_000;

type Paid = Pick<Transaction, 'clientId' | 'createdAt' | 'disposition'>;

/**
 * Sends a purchase back to the checks of client and wallet, where these are old because the provider or the treasury was
 * waited for, or the client was rejected since. Until a nonce is owned, what is found there still counts.
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
    throw new StepOutcome('CheckAgain', 'client and wallet are looked at again');
}

type Settling = Pick<Transaction, 'id' | 'clientId' | 'createdAt' | 'disposition'>;

/** What owns a nonce and was refused since is not waited for: docs/decisions.md, "Cancelling a transfer". */
export async function cancelIfRefused(
  { id, clientId, createdAt, disposition }: Settling,
  { clients, cancellations, clock }: Needs<readonly ['clients:read', 'cancellations', 'clock']>,
): Promise<void> {
  if (disposition !== 'SETTLE') return;
  const client = await getClient(clients, clientId);
  if (!isOverruled({ issuedAt: createdAt }, client)) return;
  const reason = client.rejectedFor === 'SANCTIONS_HIT' ? 'SANCTIONS_HIT' : 'KYC_REJECTED';
  await cancellations.ask(id, { reason, at: clock.now() });
}
