import * as z from 'zod';
import { INSTRUCTIONS } from '../domain/challenge.ts';
import { brlOf, decimalOf, TOKEN_DECIMALS } from '../domain/money.ts';
import type { Needs } from '../domain/ports.ts';
import { requireOwn, type Transaction } from '../domain/transaction.ts';
import { type Caller, endpoint, GET_NEEDS } from '../edge/endpoint.ts';
import { routeOf } from '../routes.ts';

const Request = z.object({ id: z.string().max(64) });

export const needs = [...GET_NEEDS, 'transactions:read'] as const;

/** Where a purchase stands: spec, endpoint 5. */
export async function getTransactionStatus(
  { id }: z.output<typeof Request>,
  { partner }: Caller,
  { transactions }: Needs<typeof needs>,
) {
  return statusAnswer(requireOwn(await transactions.findTransaction(id), partner.id));
}

/** docs/decisions.md, "Status answer". Fields that do not apply yet, or any more, are absent. */
function statusAnswer(transaction: Transaction) {
  const { id, status, asset, challenge, pix, refund } = transaction;
  return {
    transactionId: id,
    status,
    asset,
    amountBrl: brlOf(transaction.amountCentavos),
    assetAmount: decimalOf(transaction.quote.assetUnits, TOKEN_DECIMALS),
    walletAddress: transaction.walletAddress,
    createdAt: iso(transaction.createdAt),
    expiresAt: transaction.expiresAt === undefined ? undefined : iso(transaction.expiresAt),
    authChallenge:
      status === 'AWAITING_MFA'
        ? { type: challenge.type, instruction: INSTRUCTIONS[challenge.type] }
        : undefined,
    // Nobody is shown what can no longer be paid.
    pixPayload: status === 'AWAITING_PIX' ? pix?.payload : undefined,
    txHash: transaction.txHash,
    failure: transaction.failure,
    refund: refund && {
      status: refund.status,
      endToEndId: refund.endToEndId,
      amountBrl: brlOf(refund.amountCentavos),
      reason: refund.reason,
    },
    history: transaction.history.map((entry) => ({ status: entry.status, at: iso(entry.at) })),
  };
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const handler = endpoint(
  routeOf('GetTransactionStatus'),
  { request: Request, needs },
  getTransactionStatus,
);
