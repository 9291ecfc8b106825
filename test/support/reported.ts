/** A partner's purchases with their postings, as the moves of money have written them. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { postingRow } from '../../functions/adapters/dynamodb/ledger.ts';
import { getReport } from '../../functions/api/partner/get-report.ts';
import { type Posting, takenBack } from '../../functions/domain/ledger.ts';
import { postingsOf, postingsOfUnmatched } from '../../functions/domain/purchase/postings.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { newUnmatchedPayment } from '../../functions/domain/purchase/unmatched-payment.ts';
import { aPartner, MINUTE_MS } from './builders.ts';
import { aPurchaseIn, aReceivedPix, newEndToEndId, openPorts } from './ports.ts';
import { memoryTables } from './tables.ts';

export const ENDS = [
  'COMPLETED',
  'REFUNDED',
  'TAKEN',
  'LOST',
  'LATE',
  'EXPIRED',
  'CANCELED',
  'OPEN',
] as const;
export type End = (typeof ENDS)[number];
export type Wanted = {
  end: End;
  partnerId?: string;
  openedAt: number;
  /** Minutes from the opening to the payment, and from the payment to the end. */
  waits?: readonly [number, number];
  amountCentavos?: number;
  changes?: Partial<Transaction>;
};

const STATUS_OF = {
  COMPLETED: 'COMPLETED',
  LOST: 'COMPLETED',
  REFUNDED: 'FAILED',
  TAKEN: 'FAILED',
  LATE: 'EXPIRED',
  EXPIRED: 'EXPIRED',
  CANCELED: 'CANCELED',
  OPEN: 'AWAITING_PIX',
} as const;

/** The purchase as its row is at its end. */
function purchaseOf({ end, partnerId = 'acme', openedAt, amountCentavos = 250_00, ...more }: Wanted) {
  const [paid, ended] = more.waits ?? [1, 2];
  const paidAt = openedAt + paid * MINUTE_MS;
  const endedAt = paidAt + ended * MINUTE_MS;
  const payment = { endToEndId: newEndToEndId(), paidAt, amountCentavos };
  // The provider has taken a part back before the refund.
  const back = end === 'TAKEN' ? amountCentavos - 10_00 : amountCentavos;
  const refund = {
    status: 'REFUNDED' as const,
    reason: 'PAYER_MISMATCH' as const,
    refundedAt: endedAt,
    endToEndId: payment.endToEndId,
    amountCentavos: back,
  };
  const status = STATUS_OF[end];
  return aPurchaseIn(status, {
    partnerId,
    createdAt: openedAt,
    amountCentavos,
    history: [{ status, at: endedAt }],
    ...((status === 'COMPLETED' || status === 'FAILED') && { payment }),
    ...(status === 'FAILED' && { refund }),
    ...more.changes,
  });
}

/** Every posting of the purchase, of its late Pix and of what the provider took back. */
function postingsOfAll(end: End, purchase: Transaction): Posting[] {
  const { id: transactionId, partnerId, history, payment } = purchase;
  const at = history.at(-1)!.at;
  if (end === 'LATE') {
    const pix = aReceivedPix(purchase, { paidAt: at + MINUTE_MS, amountCentavos: purchase.amountCentavos });
    const found = newUnmatchedPayment(pix, { transaction: purchase, mayReturn: true }, at + 2 * MINUTE_MS);
    const refund = { status: 'REFUNDED', refundedAt: at + 3 * MINUTE_MS } as const;
    return postingsOfUnmatched({ ...found, refund });
  }
  if (end !== 'TAKEN' && end !== 'LOST') return postingsOf(purchase);
  const from = end === 'TAKEN' ? 'clients' : 'losses';
  const { endToEndId } = payment!;
  const names = { endToEndId, partnerId, transactionId };
  return [...postingsOf(purchase), takenBack({ ...names, returnId: 'D1', amountCentavos: 10_00, at, from })];
}

export function reportedWorld(tables = memoryTables()) {
  const ports = openPorts(tables);
  const { client, names } = tables;

  /** Stores a purchase with its postings, and answers both. */
  async function put(wanted: Wanted): Promise<{ purchase: Transaction; postings: Posting[] }> {
    const purchase = await ports.transactions.create(purchaseOf(wanted));
    const postings = postingsOfAll(wanted.end, purchase);
    for (const posting of postings)
      await client.send(new PutCommand({ TableName: names.ledger, Item: postingRow(posting) }));
    return { purchase, postings };
  }

  const report = (period: string, partnerId = 'acme', createdAt = 0) =>
    getReport(
      { period },
      { partner: aPartner({ id: partnerId, createdAt }), ids: undefined as never },
      ports,
    );
  return { ports, tables, put, report };
}
