/** Watches a settlement whose bytes may be mined: docs/settlement.md, steps 6 and 7. */
import type { DoingWait } from '../../domain/treasury/doing.ts';
import {
  asConfirmed,
  asFailure,
  attemptToCast,
  type Confirmed,
  type Final,
  type SettlementOutcome,
  type Signed,
} from '../../domain/treasury/settlement.ts';
import { type ChainReceipt, gasOf, judgePayment } from '../../domain/treasury/verdict.ts';
import { bump, cancelPayment, cast, unblockWallet } from './attempts.ts';
import { isUsedByOthers } from './foreign-use.ts';
import { readNonce } from './preflight.ts';
import { readReceipts } from './receipts.ts';
import {
  failTry,
  findMoneyHold,
  holdPayment,
  isOverdue,
  pending,
  type SettlementMove,
  type SettlementVisit,
} from './visit.ts';

/**
 * A used nonce without a receipt usually means that a node lags. If the last send is longer ago than this, a person is
 * called.
 */
const OVERDUE_MS = 60_000;
/**
 * Only after this time, a nonce that every node shows as used, without our receipt, counts as used by a party outside
 * the service. No working node lags longer.
 */
const QUARANTINE_AFTER_MS = 10 * 60_000;

/** Runs steps 6 and 7 of docs/settlement.md: the receipts of all signed transactions of this nonce decide. */
export async function watchPayment(visit: SettlementVisit, settlement: Signed): Promise<SettlementMove> {
  const { rpc, chain, clock } = visit;
  const { wallet, nonce } = settlement;
  const receipts = await readReceipts(rpc, chain, settlement);
  const latest = receipts.length === 0 ? await readNonce(rpc, wallet) : nonce;
  const at = { now: clock.now(), confirmations: chain.confirmations, isNonceUsed: latest > nonce };
  const verdict = judgePayment(settlement, receipts, at);
  switch (verdict) {
    case 'WAIT':
      if (at.isNonceUsed) return doubt(visit, settlement, at.now);
      return { watched: settlement, blocksLeft: blocksLeft(receipts, chain.confirmations) };
    case 'CAST':
      await unblockWallet(visit, settlement, latest);
      return cast(visit, settlement);
    case 'BUMP':
      return bump(visit, settlement, latest);
    case 'CANCEL':
      return cancelPayment(visit, settlement);
    case 'HOLD':
      return holdPayment(visit, settlement, 'held: mined without its transfer');
    case 'FAIL':
      return failTry(visit, settlement, { reason: 'REVERTED', gas: gasOf(receipts, at.now) });
    case 'CANCELLED':
      return failTry(visit, settlement, { reason: 'CANCELLED', gas: gasOf(receipts, at.now) });
    default:
      return confirmPayment(visit, settlement, verdict.confirm);
  }
}

/** How many blocks are still missing on top of the transfer. Undefined if more than depth is missing. */
function blocksLeft([mined, ...others]: readonly ChainReceipt[], confirmations: number): number | undefined {
  if (!mined?.succeeded || !mined.transferred || others.length > 0) return undefined;
  return Math.max(0, confirmations - mined.confirmations);
}

/**
 * Handles a nonce that is used although no node shows a receipt of ours (docs/settlement.md, step 7, ii).
 * Long after our last send, every node must show the used nonce in a final block. Only then a party outside
 * the service has used it.
 */
async function doubt(visit: SettlementVisit, settlement: Signed, now: number): Promise<SettlementMove> {
  const { rpc, chain, book, log } = visit;
  const silentMs = silence(settlement, now);
  if (silentMs <= OVERDUE_MS) return { watched: settlement };
  const isProven = silentMs > QUARANTINE_AFTER_MS && (await isUsedByOthers(rpc, chain, settlement));
  if (!isProven) return holdPayment(visit, settlement, 'nonce used, no receipt seen');
  // Restored tables may have lost a transaction that we signed. Its nonce would then look as if a party outside the
  // service had used it.
  const held = await findMoneyHold(visit, settlement);
  if (held) return held;
  const { wallet, nonce, transactionId } = settlement;
  const failed = await book.failByTheft(settlement, { reason: 'NONCE_USED_ELSEWHERE', at: now, nonce });
  if (!failed) return 'AGAIN';
  log.raise('WalletQuarantined', undefined, { address: wallet, nonce, transactionId });
  return asFailure(failed);
}

/** Records the transfer as confirmed. If it is not final yet, `WatchTransfers` watches it until it is (step 9). */
async function confirmPayment(
  visit: SettlementVisit,
  settlement: Signed,
  receipt: ChainReceipt,
): Promise<SettlementMove> {
  const { book, clock } = visit;
  const { hash, blockNumber, isFinal } = receipt;
  const at = clock.now();
  const mined = { hash, blockNumber, isFinal, at, lookAt: at + clock.minuteMs, gas: gasOf([receipt], at) };
  const isWritten = await book.confirm(settlement, mined);
  return isWritten ? asConfirmation(asConfirmed(settlement, mined)) : 'AGAIN';
}

/**
 * Ends a visit whose settlement waits. After half an hour it calls a person, because the cause may last. For example,
 * one of two nodes is out, nodes differ for good, or fees exceed the cap.
 */
export function waitingOutcome(
  visit: SettlementVisit,
  settlement: Signed,
  doing: DoingWait,
): SettlementOutcome {
  const [first] = settlement.attempts;
  if (!isOverdue(visit, first.at)) return pending(doing);
  return holdPayment(visit, settlement, 'not confirmed for half an hour');
}

/** Milliseconds since the latest transaction was sent, or since it was signed if no send is recorded. */
function silence(settlement: Signed, now: number): number {
  return now - (settlement.lastCastAt ?? attemptToCast(settlement).at);
}

export function asConfirmation({ txHash, blockNumber }: Confirmed | Final): SettlementOutcome {
  return { state: 'CONFIRMED', txHash, blockNumber };
}
