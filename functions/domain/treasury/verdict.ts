/** The meaning of the receipts of one nonce for the settlement that owns it: docs/settlement.md, steps 6 to 9. */
import { isCancelDue, type Signed, type Watched } from './settlement.ts';

/** Without a receipt, the same signed bytes are sent again after this time. */
export const RECAST_AFTER_MS = 4_000;
/** After so many sends of the same bytes, the payment is signed again at the same nonce, with higher fees. */
export const BUMP_AFTER_CASTS = 3;
/**
 * The number of nodes that must show a transfer. A deployment with one node asks only that one. A failure frees the
 * nonce, so every node must show a failure.
 */
const CONFIRMING_NODES = 2;

/** A signed transaction as the chain shows it. `transferred` is true if the right Transfer log is there. */
export type Receipt = {
  hash: string;
  succeeded: boolean;
  transferred: boolean;
  blockNumber: number;
  confirmations: number;
  isFinal: boolean;
  /** How many of the nodes that were `asked` show exactly this. */
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
  | { confirm: Receipt };

/**
 * Judges the receipts of all attempts of one nonce. Doubt never frees the nonce:
 *
 * - Without a receipt, the bytes are sent again, bumped or cancelled. If the nonce is used, a node lags: wait.
 * - Two receipts of one nonce contradict each other: wait.
 * - A success with its log counts after `confirmations` blocks, on two nodes if two are asked.
 * - If a cancel is signed too, the success counts once it is final.
 * - A success without its log is held for a person.
 * - A revert or a cancel counts only at final depth, and if every node shows it. One node that lies or follows a fork
 *   must not make us pay again, or refund a payment that was made.
 */
export function judge(
  settlement: Signed,
  receipts: readonly Receipt[],
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
 * Whether a cancel is signed. If the payment were undone, its bytes would not win against the cancel's higher fees.
 */
function isOutbid({ attempts }: Signed): boolean {
  return attempts.some(({ kind }) => kind === 'cancel');
}

function isCorroborated({ nodes, asked }: Receipt): boolean {
  return nodes >= Math.min(CONFIRMING_NODES, asked);
}

/**
 * `DOUBT`: the nonce is used, and no node shows a receipt of ours. `moved`: another attempt of ours is the transfer
 * now.
 */
export type WatchVerdict = 'WAIT' | 'CAST' | 'DOUBT' | 'LOST' | { moved: Receipt } | { final: Receipt };

/**
 * Judges a confirmed transfer (docs/settlement.md, step 9). Without a receipt and with an unused nonce, its bytes are
 * sent again. `LOST`: every node shows an attempt of ours as final, and it did not transfer.
 */
export function judgeConfirmed(
  settlement: Watched,
  receipts: readonly Receipt[],
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
