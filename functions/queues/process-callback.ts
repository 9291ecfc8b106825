import { Unavailable } from '../domain/errors.ts';
import { transactionIdOf } from '../domain/kyc/identity.ts';
import type { PixCharge } from '../domain/purchase/pix.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { advance, type Change, type Instant, type Transaction } from '../domain/purchase/transaction.ts';
import { HOLD_NEEDS } from '../logic/money/hold.ts';
import { REVIEW_NEEDS, reviewLiveness } from '../logic/purchase/liveness.ts';
import { queueConsumer } from '../entry/queue.ts';
import { receiveStray } from '../logic/money/strays.ts';
import { resumeIfMoved } from '../logic/purchase/waits.ts';
import { KYC_REVIEW_NEEDS, reviewClient } from '../schedules/review-pending-kyc.ts';

const PAYMENT_NEEDS = [
  ...(['transactions', 'strays', 'moneyCases', 'pix', 'machine', 'clock', 'log'] as const),
  ...HOLD_NEEDS,
] as const;
export const needs = [...PAYMENT_NEEDS, ...REVIEW_NEEDS, ...KYC_REVIEW_NEEDS] as const;
type PaymentPorts = Needs<typeof PAYMENT_NEEDS>;
type Ports = Needs<typeof needs>;

/** What providers said that there is to look at; each kind in a message of its own. */
type Message = { txids?: string[]; livenessIds?: string[]; clientIds?: string[] };

/** Reads again, at its provider, everything that a stored callback names. */
export async function processCallback(message: Message, ports: Ports): Promise<void> {
  const { txids = [], livenessIds = [], clientIds = [] } = message;
  const visits = [
    ...txids.map((txid) => () => receivePayment(txid, ports)),
    ...livenessIds.map((id) => () => receiveLiveness(transactionIdOf(id), ports)),
    ...clientIds.map((id) => () => reviewClient(id, ports)),
  ];
  const failures: unknown[] = [];
  for (const visit of visits) {
    // One that cannot be read must not keep those after it waiting.
    await visit().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Moves a purchase on when its liveness check has ended. Repeats do nothing. */
export async function receiveLiveness(transactionId: string, ports: Ports): Promise<void> {
  const transaction = await ports.transactions.findTransaction(transactionId);
  if (!transaction) return;
  // A twin may have died between its write and its wake-up.
  if (transaction.status === 'AWAITING_MFA') await reviewLiveness(transaction, ports);
  else await resumeIfMoved(transaction, ports.machine);
}

/** Moves a purchase on when its charge is paid, and wakes the state machine. Repeats do nothing. */
export async function receivePayment(transactionId: string, ports: PaymentPorts): Promise<boolean> {
  const transaction = await ports.transactions.findTransaction(transactionId);
  if (!transaction) return false;
  const charge = await ports.pix.findCharge(transactionId);
  const change = charge && paymentDetected(transaction, charge, instantOf(ports.clock));
  if (change) await ports.transactions.save(change);
  // Read again whoever saved: a twin may have died between its write and its wake-up.
  const moved = (await ports.transactions.findTransaction(transactionId))!;
  await resumeIfMoved(moved, ports.machine);
  for (const payment of charge?.payments ?? []) await receiveStray(payment, moved, ports);
  return Boolean(change);
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
