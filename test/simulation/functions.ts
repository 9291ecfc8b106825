import type { APIGatewayProxyEvent } from 'aws-lambda';
import { pixReceived } from '../../functions/callbacks/pix-received.ts';
import { registerWait } from '../../functions/logic/purchase/waits.ts';
import { deliverWebhook } from '../../functions/queues/deliver-webhook.ts';
import { processCallback } from '../../functions/queues/process-callback.ts';
import { queueDueDeliveries } from '../../functions/schedules/queue-due-deliveries.ts';
import { readTreasuryFloat } from '../../functions/schedules/read-treasury-float.ts';
import { reconcileBooks } from '../../functions/schedules/reconcile-books.ts';
import { reconcilePix } from '../../functions/schedules/reconcile-pix.ts';
import { returnUnmatchedPayments } from '../../functions/schedules/return-unmatched-payments.ts';
import { sweepStuckTransactions } from '../../functions/schedules/sweep-stuck-transactions.ts';
import { watchTransfers } from '../../functions/schedules/watch-transfers.ts';
import { checkWalletRisk } from '../../functions/steps/check-wallet-risk.ts';
import { completeTransaction } from '../../functions/steps/complete-transaction.ts';
import { confirmPixPayment } from '../../functions/steps/confirm-pix-payment.ts';
import { expireTransaction } from '../../functions/steps/expire-transaction.ts';
import { failTransaction } from '../../functions/steps/fail-transaction.ts';
import { refundPixPayment } from '../../functions/steps/refund-pix-payment.ts';
import { settleStablecoin } from '../../functions/steps/settle-stablecoin.ts';
import { CALLBACK_TOKEN, type InstancePorts } from './instances.ts';

type Step = (input: never, ports: InstancePorts) => Promise<unknown>;

/** The tasks of the state machine. */
export const STEPS: Record<string, Step> = {
  AwaitAuthentication: registerWait,
  AwaitPixPayment: registerWait,
  ExpireTransaction: expireTransaction,
  CheckWalletRisk: checkWalletRisk,
  ConfirmPixPayment: confirmPixPayment,
  SettleStablecoin: settleStablecoin,
  CompleteTransaction: completeTransaction,
  FailTransaction: failTransaction,
  RefundPixPayment: refundPixPayment,
};

/**
 * The scheduled functions, each with its period in minutes. They are those of `infra/schedules.ts` that move money or
 * announce it.
 */
export const SCHEDULES: readonly (readonly [string, number, (ports: InstancePorts) => Promise<unknown>])[] = [
  ['SweepStuckTransactions', 1, sweepStuckTransactions],
  ['QueueDueDeliveries', 1, queueDueDeliveries],
  ['ReturnUnmatchedPayments', 1, returnUnmatchedPayments],
  ['ReconcilePix', 5, reconcilePix],
  ['ReadTreasuryFloat', 1, readTreasuryFloat],
  ['WatchTransfers', 1, watchTransfers],
  ['ReconcileBooks', 60, reconcileBooks],
];

export const CONSUMERS = {
  webhook: (message: unknown, ports: InstancePorts) => deliverWebhook(message as { eventId: string }, ports),
  callback: (message: unknown, ports: InstancePorts) =>
    processCallback(message as { txids: string[] }, ports),
};

/** Passes the payment provider's POST to the function, as API Gateway does. */
export function receiveCallback(body: string, ports: InstancePorts): Promise<unknown> {
  const event = { pathParameters: { token: CALLBACK_TOKEN }, body, isBase64Encoded: false };
  return pixReceived(event as unknown as APIGatewayProxyEvent, ports);
}
