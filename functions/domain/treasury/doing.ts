/**
 * These words say why a settlement waits. Operators read them as `doing` in the log and as the cause in the history
 * of the execution: docs/operations.md, "Treasury".
 */
import type { HOLD_WORDS } from './hold.ts';

/** The settlement goes on by itself. After half an hour a person is called, except for `contended`. */
export type Waiting =
  | 'awaiting confirmations'
  | 'contended'
  | 'treasury balance is promised'
  | 'wallet is busy';

/** Why a wallet gives out no nonce. */
export type WalletTrouble = 'wallet is in quarantine' | 'wallet is used elsewhere';

/** Why a payment gets no nonce. It waits until a person acts or the cause is gone. */
export type ClaimTrouble =
  | WalletTrouble
  | 'fees above the cap'
  | 'paused'
  | 'treasury balance'
  | 'treasury gas';

/** Causes for a person. Each is logged as `settlement needs attention`. */
export type Trouble =
  | ClaimTrouble
  | (typeof HOLD_WORDS)[keyof typeof HOLD_WORDS]
  | `${string} is unavailable`
  | 'chain RPC answered with an error'
  | 'held: mined without its transfer'
  | 'no room under the fee cap to cancel'
  | 'nonce used, no receipt seen'
  | 'not confirmed for half an hour'
  | 'transfer is lost after it was confirmed'
  | 'wallet was removed';

export type Doing = Waiting | Trouble;
