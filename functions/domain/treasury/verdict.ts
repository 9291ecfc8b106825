/** The meaning of the receipts of one nonce for the settlement that owns it: docs/settlement.md, steps 6 to 9. */
import { isCancelDue, type Signed, type Watched } from './settlement.ts';

/** The same signed bytes are sent again after this time. */
export const RECAST_AFTER_MS = 4_000;
/** After so many casts of the same bytes they are signed again with higher fees, at the same nonce. */
export const BUMP_AFTER_CASTS = 3;
/** As many nodes must show a transfer, where so many are asked. A failure frees the nonce: every node must show it. */
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
 * The meaning of the receipts of all attempts of one nonce. Doubt never frees the nonce:
 *
 * - Without a receipt the bytes are cast again. If the nonce is used all the same, a node lags: ask again.
 * - Two receipts of one nonce contradict each other: wait.
 * - A revert and a cancel count only at final depth and shown by every node. One node that lies or follows a fork must
 *   not make us pay again, or refund a payment that was made.
 * - A success without the right log is held for a person.
 * - A payment that competes with a cancel counts once it is final.
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

/** A cancel is signed. If the payment were undone, its bytes would not win against the higher fees of the cancel. */
function isOutbid({ attempts }: Signed): boolean {
  return attempts.some(({ kind }) => kind === 'cancel');
}

function isCorroborated({ nodes, asked }: Receipt): boolean {
  return nodes >= Math.min(CONFIRMING_NODES, asked);
}

/** `DOUBT`: the nonce is used, and no node shows by what. `moved`: another attempt of ours is the transfer now. */
export type WatchVerdict = 'WAIT' | 'CAST' | 'DOUBT' | 'LOST' | { moved: Receipt } | { final: Receipt };

/**
 * The fate of a confirmed transfer (docs/settlement.md, step 9). A transfer that a reorganisation dropped is cast
 * again. It is lost only where something else at its nonce is final, shown by every node.
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
