/**
 * Decides what the receipts of one nonce mean for the settlement that owns the nonce: docs/settlement.md, steps 6 to 9.
 */
import type { GasSpent } from './gas.ts';
import { type Confirmed, isCancelDue, type Signed } from './settlement.ts';

/** Without a receipt, the same signed bytes are sent again after this time, because a node may have dropped them. */
export const RECAST_AFTER_MS = 4_000;
/** After this many sends of the same bytes, the payment is signed again at the same nonce with higher fees. */
export const BUMP_AFTER_CASTS = 3;
/**
 * A success counts if this many nodes show it, or all of them if fewer are configured. A failure frees the nonce, so
 * every node must show it.
 */
const CONFIRMING_NODES = 2;

/**
 * A signed transaction as the chain shows it. `transferred`: the token's contract logged the `Transfer` event
 * of the payout.
 */
export type ChainReceipt = {
  hash: string;
  succeeded: boolean;
  transferred: boolean;
  blockNumber: number;
  confirmations: number;
  isFinal: boolean;
  /** The cost of the transaction. Absent if a node does not tell it, or if nodes differ. */
  gasWei?: bigint;
  /** How many of the `asked` nodes show this same receipt. */
  nodes: number;
  asked: number;
};

export type SettlementVerdict =
  | 'WAIT'
  | 'CAST'
  | 'BUMP'
  | 'CANCEL'
  | 'FAIL'
  | 'CANCELLED'
  | 'HOLD'
  | { confirm: ChainReceipt };

/**
 * Judges the receipts of all attempts at one nonce. A doubt never frees the nonce:
 *
 * - No receipt: the bytes are sent again, signed again with higher fees, or cancelled.
 * - No receipt, but a used nonce: a node lags, so wait.
 * - Two different receipts: they contradict each other, so wait.
 * - A success with the payout's `Transfer` event: it is accepted after `confirmations` blocks, if enough
 *   nodes show it.
 * - If a cancel is signed too, the success is accepted only in a final block.
 * - A success without this event waits for a person.
 * - A revert or a mined cancel is accepted only in a final block that every node shows. A node that lies or
 *   follows a fork must not make us pay twice, or refund a payment that was made.
 */
export function judgePayment(
  settlement: Signed,
  receipts: readonly ChainReceipt[],
  at: { now: number; confirmations: number; isNonceUsed?: boolean },
): SettlementVerdict {
  const [mined, ...others] = receipts;
  if (others.length > 0) return 'WAIT';
  if (!mined) return at.isNonceUsed ? 'WAIT' : judgeSilence(settlement, at.now);
  const isBeyondDoubt = mined.isFinal && mined.nodes === mined.asked;
  const { kind } = settlement.attempts.find(({ hash }) => hash === mined.hash) ?? {};
  if (kind === 'cancel') return isBeyondDoubt ? 'CANCELLED' : 'WAIT';
  if (!mined.succeeded) return isBeyondDoubt ? 'FAIL' : 'WAIT';
  if (!mined.transferred) return 'HOLD';
  const isDeep = mined.confirmations >= at.confirmations && (mined.isFinal || !isOutbid(settlement));
  return isDeep && isCorroborated(mined) ? { confirm: mined } : 'WAIT';
}

function judgeSilence(settlement: Signed, now: number): SettlementVerdict {
  if (isCancelDue(settlement)) return 'CANCEL';
  if (settlement.state === 'SIGNED') return 'CAST';
  if (now - settlement.lastCastAt < RECAST_AFTER_MS) return 'WAIT';
  return settlement.casts >= BUMP_AFTER_CASTS ? 'BUMP' : 'CAST';
}

/**
 * Whether a cancel is signed at the same nonce. Until the payment is final, a reorganisation could let the
 * cancel win, because it pays higher fees.
 */
function isOutbid({ attempts }: Signed): boolean {
  return attempts.some(({ kind }) => kind === 'cancel');
}

function isCorroborated({ nodes, asked }: ChainReceipt): boolean {
  return nodes >= Math.min(CONFIRMING_NODES, asked);
}

/**
 * `DOUBT`: the nonce is used, but no node shows a receipt of ours. `moved`: another attempt at the same nonce is now
 * the transfer in the chain.
 */
export type WatchVerdict =
  | 'WAIT'
  | 'CAST'
  | 'DOUBT'
  | 'LOST'
  | { moved: ChainReceipt }
  | { final: ChainReceipt };

/**
 * Judges a transfer that was confirmed: docs/settlement.md, step 9. Its bytes are sent again if it has no receipt and
 * its nonce is unused. `LOST`: every node shows an attempt of ours in a final block, and it transferred nothing.
 */
export function judgeConfirmed(
  settlement: Confirmed,
  receipts: readonly ChainReceipt[],
  at: { confirmations: number; isNonceUsed: boolean },
): WatchVerdict {
  const [mined, ...others] = receipts;
  if (others.length > 0) return 'WAIT';
  if (!mined) return at.isNonceUsed ? 'DOUBT' : 'CAST';
  if (!mined.succeeded || !mined.transferred) {
    return mined.isFinal && mined.nodes === mined.asked ? 'LOST' : 'WAIT';
  }
  if (!isCorroborated(mined)) return 'WAIT';
  if (mined.hash === settlement.txHash) return mined.isFinal ? { final: mined } : 'WAIT';
  return mined.confirmations >= at.confirmations ? { moved: mined } : 'WAIT';
}

/**
 * The gas that a nonce has cost. Undefined while it is not final, and if the nodes contradict each other. Only one of
 * the transactions at a nonce is ever mined, so a nonce costs gas once.
 */
export function gasOf([mined, ...others]: readonly ChainReceipt[], at: number): GasSpent | undefined {
  if (!mined?.isFinal || mined.gasWei === undefined || others.length > 0) return undefined;
  return { txHash: mined.hash, wei: mined.gasWei, at };
}
