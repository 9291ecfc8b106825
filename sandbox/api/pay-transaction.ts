import * as z from 'zod';
import { refuse } from '../../functions/domain/errors.ts';
import { getDefined } from '../../functions/domain/get.ts';
import { cpfDigits } from '../../functions/domain/kyc/cpf.ts';
import { centavosOf, decimalOf } from '../../functions/domain/money.ts';
import type { Needs } from '../../functions/domain/ports.ts';
import { requireOwn, type Transaction } from '../../functions/domain/purchase/transaction.ts';
import { TransactionId } from '../../functions/entry/answer-parts.ts';
import { CPF_FORM } from '../../functions/entry/client-fields.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../functions/entry/endpoint.ts';
import { sandboxRouteOf } from '../routes.ts';
import { askSimulators } from '../simulators.ts';

const Request = z.object({
  id: z.string().max(64),
  amountBrl: z
    .number()
    .positive()
    .refine((amount) => centavosOf(amount) !== undefined, 'has more than two decimals')
    .optional(),
  payerCpf: z
    .string()
    .refine((text) => cpfDigits(text) !== undefined, CPF_FORM)
    .optional(),
  times: z.number().int().min(1).max(5).optional(),
});

const Answer = () =>
  z.object({
    transactionId: TransactionId(),
    endToEndIds: z.array(z.string()),
    note: z.string().optional(),
  });

const ports = [...POST_NEEDS, 'transactions:read'] as const;
export const needs = [...ports, 'simulators'] as const;

/**
 * Pays the Pix charge of a transaction as the client's bank would. By default the client pays once, and the
 * full amount.
 */
export async function payTransaction(
  { id, amountBrl, payerCpf, times }: z.output<typeof Request>,
  { partner }: Caller,
  { transactions }: Needs<typeof ports>,
) {
  const transaction = requireOwn(await transactions.findTransaction(id), partner.id);
  const paid = await askSimulators(`/psp/pay/${transaction.id}`, {
    amountBrl:
      amountBrl === undefined ? undefined : decimalOf(getDefined(centavosOf(amountBrl), 'amount'), 2),
    payerCpf: payerCpf && cpfDigits(payerCpf),
    times,
    destination: destinationOf(transaction),
  });
  if (paid.status >= 400) refuse('INVALID_TRANSACTION_STATE', { status: transaction.status });
  const { note } = paid.body as { note?: string };
  return { transactionId: id, endToEndIds: endToEndIdsOf(paid.body), note };
}

/**
 * The wallet that will get the tokens, their asset and their amount in base units. A Pix does not contain
 * them, and the simulators need them if a scenario makes the transfer revert.
 */
function destinationOf({ asset, walletAddress, quote }: Transaction) {
  return { asset, walletAddress, units: String(quote.assetUnits) };
}

function endToEndIdsOf(body: Record<string, unknown>): string[] {
  const { pix = [] } = body as { pix?: { endToEndId: string }[] };
  return pix.map((each) => each.endToEndId);
}

export const handler = endpoint(
  sandboxRouteOf('PayTransaction'),
  {
    request: Request,
    answer: Answer,
    errors: ['TRANSACTION_NOT_FOUND', 'INVALID_TRANSACTION_STATE'],
    needs: ports,
  },
  payTransaction,
);
