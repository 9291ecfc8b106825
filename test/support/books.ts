import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { postingRow } from '../../functions/adapters/dynamodb/ledger.ts';
import type { PixReturn, ReceivedPix } from '../../functions/domain/purchase/pix.ts';
import { postingsOf, postingsOfUnmatched } from '../../functions/domain/purchase/postings.ts';
import { getReturn, returnIdOf, returnOf } from '../../functions/domain/purchase/return.ts';
import type { Status } from '../../functions/domain/purchase/status.ts';
import { getPaid, type Transaction } from '../../functions/domain/purchase/transaction.ts';
import {
  newUnmatchedPayment,
  type UnmatchedPayment,
} from '../../functions/domain/purchase/unmatched-payment.ts';
import type { TransferOut } from '../../functions/domain/treasury/outflow-ports.ts';
import { openSettlement, withNonce } from '../../functions/domain/treasury/settlement.ts';
import { reconcileBooks } from '../../functions/schedules/reconcile-books.ts';
import { aClient, MINUTE_MS } from './builders.ts';
import { aCharge, aReceivedPix, newId, openPorts, putPurchaseIn, START_AT } from './ports.ts';
import type { Tables } from './tables.ts';

export const HOUR_MS = 60 * MINUTE_MS;
const WALLET = '0x00000000000000000000000000000000000000aa';

export type Books = Awaited<ReturnType<typeof openBooks>>;

/**
 * Books whose clock stands ninety minutes after all payments. The payments are then old enough to be compared, and
 * lie in the first window.
 */
export async function openBooks(tables: Tables) {
  const ports = openPorts(tables);
  ports.clock.advance(90 * MINUTE_MS);
  let nonces = 0;

  const put = (name: keyof Tables['names'], Item: Record<string, unknown>) =>
    tables.client.send(new PutCommand({ TableName: tables.names[name], Item }));

  /** Writes postings as the moves of a purchase write them. */
  async function post(rows: ReturnType<typeof postingsOf>) {
    for (const posting of rows) await put('ledger', postingRow(posting));
  }

  function show(purchase: Transaction, returns?: PixReturn[]): ReceivedPix {
    const { endToEndId, amountCentavos, paidAt } = purchase.payment!;
    const pix = aReceivedPix(purchase, { endToEndId, amountCentavos, paidAt, ...(returns && { returns }) });
    ports.pix.received.push(pix);
    ports.pix.charges.set(purchase.id, aCharge(purchase, [pix]));
    return pix;
  }

  async function purchaseIn(status: Status, changes: Partial<Transaction> = {}): Promise<Transaction> {
    const purchase = await putPurchaseIn(ports, status, changes);
    await ports.clients.create(aClient({ id: purchase.clientId, partnerId: purchase.partnerId }));
    await post(postingsOf(purchase));
    return purchase;
  }

  function transferOf(purchase: Transaction, changes: Partial<TransferOut> = {}) {
    const { id: transactionId, asset, quote, walletAddress: to, txHash } = purchase;
    const nonce = nonces++;
    const units = quote.assetUnits;
    const payout = { transactionId, asset, units, to };
    ports.outflows.owners.set(`${WALLET}#${nonce}`, withNonce(openSettlement(payout, 0), WALLET, nonce));
    const transfer = {
      txHash: txHash ?? aHash(),
      logIndex: 0,
      wallet: WALLET,
      nonce,
      asset,
      units,
      to,
      blockNumber: nonce,
      nodes: 2,
      asked: 2,
      at: START_AT + 2 * MINUTE_MS,
      ...changes,
    };
    ports.outflows.transfers.push(transfer);
    return transfer;
  }

  /** A purchase that ended well: paid, sent and posted. */
  async function completed() {
    const purchase = await purchaseIn('COMPLETED', { txHash: aHash() });
    return { purchase, pix: show(purchase), transfer: transferOf(purchase) };
  }

  /** A purchase that was paid, failed and was refunded. */
  async function refunded() {
    const endToEndId = aReceivedPix({ id: 'x' }).endToEndId;
    const amountCentavos = 250_00;
    const purchase = await purchaseIn('FAILED', {
      payment: { endToEndId, paidAt: START_AT + MINUTE_MS, amountCentavos },
      refund: {
        status: 'REFUNDED',
        endToEndId,
        amountCentavos,
        reason: 'PAYER_MISMATCH',
        refundedAt: START_AT + 3 * MINUTE_MS,
      },
    });
    const pix = show(purchase, [
      ourReturn(returnIdOf(getReturn({ kind: 'PURCHASE', transaction: getPaid(purchase) })), amountCentavos),
    ]);
    return { purchase, pix };
  }

  /** A second payment of a purchase that was returned. */
  async function returnedUnmatched() {
    const pix = aReceivedPix({ id: newId() }, { txid: undefined });
    const found = newUnmatchedPayment(pix, { mayReturn: true }, START_AT + 2 * MINUTE_MS);
    const refund = { status: 'REFUNDED', refundedAt: START_AT + 3 * MINUTE_MS } as const;
    const { nextCheckAt: _, ...rest } = found;
    const payment: UnmatchedPayment = { ...rest, refund };
    await put('unmatchedPayments', { ...payment });
    await post(postingsOfUnmatched(payment));
    ports.pix.received.push({
      ...pix,
      returns: [ourReturn(returnIdOf(returnOf({ kind: 'UNMATCHED', payment })!), pix.amountCentavos)],
    });
    return { payment, pix };
  }

  /** The ids of the open cases. */
  const openIds = async () => (await ports.moneyCases.listOpen()).map(({ id }) => id).sort();

  return {
    ports,
    tables,
    put,
    post,
    show,
    purchaseIn,
    transferOf,
    completed,
    refunded,
    returnedUnmatched,
    openIds,
    run: (event?: unknown) => reconcileBooks(ports, event),
    /** Records that everything was compared up to this instant. */
    async compareUpTo(at: number) {
      const version = ((await ports.moneyCases.findProgress('CLOCK'))?.version ?? 0) + 1;
      const progress = { version, upTo: at, comparedUpTo: at, returnsUpTo: at };
      await ports.moneyCases.saveProgress('CLOCK', progress);
    },
    setPosting: (id: string, set: string, values: Record<string, unknown>) =>
      tables.client.send(
        new UpdateCommand({
          TableName: tables.names.ledger,
          Key: { id },
          UpdateExpression: set,
          ExpressionAttributeValues: values,
          ...(set.includes('#day') && { ExpressionAttributeNames: { '#day': 'day' } }),
        }),
      ),
  };
}

let hashes = 0;
export const aHash = () => `0x${(++hashes).toString(16).padStart(64, '0')}`;

export const ourReturn = (id: string, amountCentavos: number): PixReturn => ({
  id,
  amountCentavos,
  status: 'REFUNDED',
  nature: 'ORIGINAL',
  at: START_AT + 3 * MINUTE_MS,
});
