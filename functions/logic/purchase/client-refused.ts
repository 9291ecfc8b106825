import { StepOutcome } from '../../domain/errors.ts';
import { isOverruled } from '../../domain/kyc/kyc.ts';
import type { RejectionReason } from '../../domain/kyc/kyc-reasons.ts';
import type { Needs } from '../../domain/ports.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { isBlockedEverywhere } from '../kyc/person-blocks.ts';
import { getClient } from '../rows.ts';

/**
 * Throws the error that makes the state machine fail the purchase. Every reason except a hit on a list counts as a KYC
 * rejection.
 */
export function refuseFor(reason: RejectionReason | undefined): never {
  if (reason === 'SANCTIONS_HIT') throw new StepOutcome('CLIENT_REFUSED', 'a list refuses the client');
  throw new StepOutcome('KYC_REJECTED', 'the client was rejected since');
}

/**
 * Checks of client and wallet that are older than this are repeated. It is twice the time for which a Lambda
 * instance may use old lists. It is real time, even in a sandbox with short minutes.
 */
const CHECKS_GOOD_MS = 10 * 60_000;

type ClientOfPurchase = Pick<Transaction, 'clientId' | 'personId' | 'createdAt' | 'disposition'>;

const REFUSAL_NEEDS = ['clients:read', 'personBlocks:read', 'clock'] as const;

/**
 * Why the client was refused after the purchase began: a later decision, or a block at all partners.
 * Undefined if the client was not refused.
 */
async function findRefusal(
  { clientId, personId, createdAt: issuedAt }: ClientOfPurchase,
  ports: Needs<typeof REFUSAL_NEEDS>,
): Promise<'SANCTIONS_HIT' | 'KYC_REJECTED' | undefined> {
  const [client, isBlocked] = await Promise.all([
    getClient(ports.clients, clientId),
    isBlockedEverywhere(personId, ports),
  ]);
  if (isOverruled({ issuedAt }, client))
    return client.rejectedFor === 'SANCTIONS_HIT' ? 'SANCTIONS_HIT' : 'KYC_REJECTED';
  return isBlocked ? 'KYC_REJECTED' : undefined;
}

const checkAgain = () => new StepOutcome('CheckAgain', 'client and wallet are checked again');

/**
 * Throws `CheckAgain`, which sends a purchase back to the checks of client and wallet, if these checks are
 * old. They grow old while a step waits for the provider or the treasury.
 */
export function requireFreshCheck(checkedAt: number | undefined, { clock }: Needs<readonly ['clock']>): void {
  const isFresh = checkedAt !== undefined && clock.now() - checkedAt <= CHECKS_GOOD_MS;
  if (!isFresh) throw checkAgain();
}

/** Throws `CheckAgain` if the client was refused since the checks. */
export async function requireNotRefused(
  purchase: ClientOfPurchase,
  ports: Needs<typeof REFUSAL_NEEDS>,
): Promise<void> {
  if (await findRefusal(purchase, ports)) throw checkAgain();
}

/**
 * Requests a cancel of the transfer if the purchase owns a nonce and its client was refused. The payment is refunded
 * only when the chain shows that the transfer can no longer be made. Returns true if this call made the request.
 */
export async function cancelIfRefused(
  purchase: ClientOfPurchase & Pick<Transaction, 'id'>,
  ports: Needs<readonly [...typeof REFUSAL_NEEDS, 'cancellations']>,
): Promise<boolean> {
  if (purchase.disposition !== 'SETTLE') return false;
  const reason = await findRefusal(purchase, ports);
  return reason !== undefined && ports.cancellations.ask(purchase.id, { reason, at: ports.clock.now() });
}
