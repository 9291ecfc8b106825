import { Unavailable } from '../domain/errors.ts';
import type { PixCharge, ReceivedPix } from '../domain/pix.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { advance, type Change, type Instant, isStray, type Transaction } from '../domain/transaction.ts';
import { queueConsumer } from '../edge/queue.ts';
import { resumeIfMoved } from '../edge/waits.ts';

export const needs = ['transactions', 'pix', 'machine', 'clock', 'log'] as const;
type Ports = Needs<typeof needs>;

/** Reads again, at the provider, every charge that a stored callback names. */
export async function processCallback({ txids }: { txids: string[] }, ports: Ports): Promise<void> {
  const failures: unknown[] = [];
  for (const txid of txids) {
    // One charge that cannot be read must not keep those after it waiting.
    await receivePayment(txid, ports).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Moves a purchase on when its charge is paid, and wakes the state machine. Repeats do nothing. */
export async function receivePayment(transactionId: string, ports: Ports): Promise<boolean> {
  const transaction = await ports.transactions.findTransaction(transactionId);
  if (!transaction) return false;
  const charge = await ports.pix.findCharge(transactionId);
  const change = charge && paymentDetected(transaction, charge, instantOf(ports.clock));
  if (change) await ports.transactions.save(change);
  // Read again whoever saved: a twin may have died between its write and its wake-up.
  const moved = (await ports.transactions.findTransaction(transactionId))!;
  await resumeIfMoved(moved, ports.machine);
  for (const payment of charge?.payments ?? []) await returnStray(moved, payment, ports);
  return Boolean(change);
}

/** Sends back in full what was paid twice, or after the purchase was over. The id follows from the Pix: once only. */
export async function returnStray(
  transaction: Transaction,
  { endToEndId, amountCentavos }: ReceivedPix,
  { pix, log }: Pick<Ports, 'pix' | 'log'>,
): Promise<void> {
  if (!isStray(transaction, endToEndId)) return;
  const { status } = await pix.refund({ endToEndId, id: `S${endToEndId}`, amountCentavos });
  const fields = { transactionId: transaction.id, endToEndId, status };
  if (status === 'REFUNDED') return log.info('stray Pix returned', fields);
  if (status === 'PENDING') return log.info('stray Pix being returned', fields);
  log.error('stray Pix not returned', new Error('NAO_REALIZADO'), fields);
}

/** The move that a paid charge makes; the earliest Pix is the purchase's, others are surplus. */
export function paymentDetected(
  transaction: Transaction,
  charge: PixCharge,
  at: Instant,
): Change | undefined {
  // Paid, but by what is not shown yet: a provider whose reading side lags. Asked again, never taken for unpaid.
  if (charge.status === 'PAID' && charge.payments.length === 0)
    throw new Unavailable('the payment of the charge');
  const [first] = [...charge.payments].sort((a, b) => a.paidAt - b.paidAt);
  if (!first) return undefined;
  const { endToEndId, paidAt, amountCentavos } = first;
  return advance(transaction, 'Pix payment detected', at, {
    payment: { endToEndId, paidAt, amountCentavos },
  });
}

export const handler = queueConsumer({ needs }, processCallback);
