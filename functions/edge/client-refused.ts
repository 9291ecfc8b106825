import { StepOutcome } from '../domain/errors.ts';
import { isOverruled, type RejectionReason } from '../domain/kyc.ts';
import type { Needs } from '../domain/ports.ts';
import type { Transaction } from '../domain/transaction.ts';

/** Ends a purchase by the name that the machine knows; whatever is not of a list is another rejection. */
export function refuseFor(reason: RejectionReason | undefined): never {
  if (reason === 'SANCTIONS_HIT') throw new StepOutcome('CLIENT_REFUSED', 'a list refuses the client');
  throw new StepOutcome('KYC_REJECTED', 'the client was rejected since');
}

/**
 * Refuses whose client was rejected since the purchase began. Where the provider or the treasury was waited for, the check
 * of the lists may be days old; until a nonce is owned what was found since then still counts.
 */
export async function requireNotRefused(
  { clientId, createdAt, disposition }: Pick<Transaction, 'clientId' | 'createdAt' | 'disposition'>,
  { clients }: Needs<readonly ['clients:read']>,
): Promise<void> {
  if (disposition === 'SETTLE') return;
  const client = (await clients.findClient(clientId))!;
  if (isOverruled({ issuedAt: createdAt }, client)) refuseFor(client.rejectedFor);
}
