import * as z from 'zod';
import { refuse } from '../../functions/domain/errors.ts';
import { livenessIdOf } from '../../functions/domain/kyc/identity.ts';
import type { Needs } from '../../functions/domain/ports.ts';
import { requireOwn, type Transaction } from '../../functions/domain/purchase/transaction.ts';
import { TransactionId } from '../../functions/entry/answer-parts.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../functions/entry/endpoint.ts';
import { sandboxRouteOf } from '../routes.ts';
import { askSimulators } from '../simulators.ts';

const Request = z.object({ id: z.string().max(64), outcome: z.enum(['PASSED', 'FAILED']) });

const Answer = () => z.object({ transactionId: TransactionId(), outcome: z.enum(['PASSED', 'FAILED']) });

const ports = [...POST_NEEDS, 'transactions:read'] as const;
export const needs = [...ports, 'simulators'] as const;

/**
 * Ends the current liveness check of a transaction as if its client had used the provider's page. It also
 * works after the link to that page has expired.
 */
export async function completeLiveness(
  { id, outcome }: z.output<typeof Request>,
  { partner }: Caller,
  { transactions }: Needs<typeof ports>,
) {
  const transaction = requireOwn(await transactions.findTransaction(id), partner.id);
  const { status } = transaction;
  const hasEnded =
    status === 'AWAITING_MFA' && (await end(transaction, outcome === 'PASSED' ? 'GREEN' : 'RED'));
  if (!hasEnded) refuse('INVALID_TRANSACTION_STATE', { status });
  return { transactionId: id, outcome };
}

/**
 * True if this call ended the check. False if the simulated identity provider does not know the check, or if
 * the check had already ended.
 */
async function end({ id, clientId, liveness }: Transaction, answer: string): Promise<boolean> {
  if (!liveness) return false;
  const path = liveness.withDocuments
    ? `/identity/applicants/${clientId}/review`
    : `/identity/actions/${livenessIdOf(id, liveness.attempt)}/complete`;
  return (await askSimulators(path, { answer })).status < 400;
}

export const handler = endpoint(
  sandboxRouteOf('CompleteLiveness'),
  {
    request: Request,
    answer: Answer,
    errors: ['TRANSACTION_NOT_FOUND', 'INVALID_TRANSACTION_STATE'],
    needs: ports,
  },
  completeLiveness,
);
