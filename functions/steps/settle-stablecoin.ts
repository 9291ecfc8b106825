import { StepOutcome } from '../domain/errors.ts';
import type { Needs } from '../domain/ports.ts';
import { errorFor } from '../domain/purchase/failures.ts';
import { payoutOf } from '../domain/treasury/settlement.ts';
import { type Checked, step } from '../entry/step.ts';
import { cancelIfRefused, requireFreshCheck, requireNotRefused } from '../logic/purchase/client-refused.ts';
import { getTransaction } from '../logic/rows.ts';

export const needs = [
  'transactions:read',
  'clients:read',
  'personBlocks:read',
  'treasury',
  'cancellations',
  'clock',
] as const;

/**
 * PROCESSING. Ends only on a fact: the transfer is confirmed, or this try has failed for good.
 * `NotYetConfirmed` means a wait for the chain: the machine repeats the step without using up a try.
 * `AwaitingDepth` means that the transfer lacks confirmations: the step is repeated when it can have enough.
 * `CheckAgain` means that the checks are too old: the machine goes back to `CheckWalletRisk`. If the transfer
 * was cancelled, the step throws the error of the reason, so that the purchase fails for that reason.
 */
export async function settleStablecoin({ transactionId, checkedAt }: Checked, ports: Needs<typeof needs>) {
  const early = ports.treasury.begin(transactionId);
  const purchase = await getTransaction(ports.transactions, transactionId);
  const { status, asset, disposition } = purchase;
  const payout = payoutOf(purchase);
  // A purchase that owns a nonce does not go back to the checks, because its transfer may already be in the
  // chain.
  if (disposition !== 'SETTLE') {
    requireFreshCheck(checkedAt, ports);
    early.clear(payout);
    await requireNotRefused(purchase, ports);
  }
  // If this call requested the cancel, the settlement that was read before does not show the request. It is therefore
  // read again.
  const isNews = await cancelIfRefused(purchase, ports);
  const outcome = await ports.treasury.settle(payout, isNews ? undefined : early);
  if (outcome.state === 'PENDING') {
    const isDeepening = outcome.doing === 'awaiting depth';
    throw new StepOutcome(isDeepening ? 'AwaitingDepth' : 'NotYetConfirmed', outcome.doing);
  }
  if (outcome.state === 'FAILED') {
    const { cancelledFor } = outcome;
    if (cancelledFor) throw new StepOutcome(errorFor(cancelledFor), 'the payment was cancelled');
    throw new StepOutcome('SettlementFailed', `${outcome.reason}, ${outcome.triesLeft} tries left`);
  }
  const { txHash, blockNumber } = outcome;
  return { transactionId, status, decision: 'CONFIRMED', asset, txHash, blockNumber };
}

export const handler = step({ needs }, settleStablecoin);
