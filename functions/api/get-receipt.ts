import * as z from 'zod';
import { displayNameOf } from '../domain/partners/settings.ts';
import type { Needs } from '../domain/ports.ts';
import { receiptOf } from '../domain/purchase/receipt.ts';
import { requireOwn } from '../domain/purchase/transaction.ts';
import {
  AssetName,
  Brl,
  DecimalText,
  LocalInstant,
  namedSchema,
  TaxLines,
  TransactionId,
  TxHash,
  WalletAddress,
} from '../entry/answer-parts.ts';
import { type Caller, endpoint, GET_NEEDS } from '../entry/endpoint.ts';
import { ExternalId } from '../entry/partner-fields.ts';
import { routeOf } from '../routes.ts';

const Request = z.object({ id: z.string() });

const Answer = namedSchema('Receipt', () =>
  z.object({
    transactionId: TransactionId(),
    externalId: ExternalId.optional(),
    partner: z.string(),
    openedAt: LocalInstant(),
    payment: z.object({ endToEndId: z.string(), amountBrl: Brl(), paidAt: LocalInstant() }),
    price: z.object({
      rate: DecimalText(),
      feeBrl: Brl(),
      taxes: TaxLines(),
    }),
    delivery: z.object({
      asset: AssetName(),
      assetAmount: DecimalText(),
      walletAddress: WalletAddress(),
      txHash: TxHash(),
      explorerUrl: z.url().optional(),
      deliveredAt: LocalInstant(),
    }),
  }),
);

export const needs = [...GET_NEEDS, 'transactions:read', 'explorer'] as const;

/** Answers the receipt of a completed purchase: docs/decisions.md, "Receipts and reports". */
export async function getReceipt(
  { id }: z.output<typeof Request>,
  { partner }: Caller,
  { transactions, explorer }: Needs<typeof needs>,
) {
  const transaction = requireOwn(await transactions.findTransaction(id), partner.id);
  return receiptOf(transaction, displayNameOf(partner), explorer);
}

export const handler = endpoint(
  routeOf('GetReceipt'),
  {
    request: Request,
    answer: Answer,
    errors: ['TRANSACTION_NOT_FOUND', 'RECEIPT_NOT_AVAILABLE'],
    needs,
    document: {
      type: 'application/pdf',
      // The PDF library takes long to load, so it is loaded only for a request that asks for a PDF.
      render: async (receipt) => (await import('../logic/purchase/receipt-pdf.ts')).receiptPdf(receipt),
    },
  },
  getReceipt,
);
