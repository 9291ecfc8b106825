import type { PayerProof } from './payer-watch.ts';
import type { NewCharge, PayerMatch, PixCharge, PixHint, PixRefund, ReceivedPix } from './pix.ts';

/**
 * The answer of `listReceived`: all Pix that our key received from the start of the requested period to the
 * instant `upTo`. `upTo` is after that start, and at most the period's end. `unreadable` rows are missing.
 */
export type ReceivedPart = { received: ReceivedPix[]; upTo: number; unreadable?: number };

export type WantedRefund = { endToEndId: string; id: string; amountCentavos: number };

/** The payment provider. Its calls fail as all ports do: functions/domain/ports.ts. */
export type PixProvider = {
  /** Creates the charge. If an earlier call with this txid has created it, answers that charge. */
  createCharge(charge: NewCharge): Promise<PixCharge>;
  findCharge(txid: string): Promise<PixCharge | undefined>;
  /**
   * Closes the charge, so that nobody can pay it any more. Then reads it, because it may have been paid just before.
   */
  closeCharge(txid: string): Promise<PixCharge | undefined>;
  findPayer(payment: ReceivedPix, cpf: string): Promise<PayerMatch>;
  /**
   * Lists the Pix that our key received between two instants, with any txid or none. A Pix is also listed if
   * the provider does not tell which key was paid. If there are many Pix, the list ends early, at `upTo`. The
   * caller then calls again from `upTo`, and may get some Pix twice. `isReturned` asks only for Pix with a
   * return. A provider that ignores this filter lists all Pix.
   */
  listReceived(from: number, to: number, filter?: { isReturned?: boolean }): Promise<ReceivedPart>;
  /** Finds one received Pix by its end-to-end id, whatever key it was paid to. */
  findReceived(endToEndId: string): Promise<ReceivedPix | undefined>;
  /**
   * Starts a refund under `id`. If an earlier call has started it, answers that refund. `FAILED`: the
   * provider has finally refused the refund, and does not show it when it is read afterwards. A refusal that
   * may pass is thrown, because the provider may have made the refund nevertheless.
   */
  refund(refund: WantedRefund): Promise<PixRefund>;
  /** Finds the refund under this id without starting one. */
  findRefund(refund: WantedRefund): Promise<PixRefund | undefined>;
  /**
   * The money in our account that refunds can use, in centavos. `UNWATCHED`: the provider has no call that
   * tells it. Undefined: it has no such call, and a person has accepted that.
   */
  findBalance(): Promise<number | 'UNWATCHED' | undefined>;
  /** When our account passed the test of a stranger's payment. Asks nothing of the provider. */
  findPayerProof(): Promise<PayerProof>;
  /**
   * Whether the provider refuses payments by anyone but the client at present. Undefined if the provider has no such
   * setting.
   */
  isPayerEnforced(): Promise<boolean | undefined>;
  /** Makes the provider send its callbacks for our key to us. */
  registerCallback(): Promise<void>;
};

/** The callbacks that the provider sends. */
export type PixCallback = {
  /**
   * Whether the secret token in a callback's path is ours. The comparison takes the same time for every
   * token, so a forger learns nothing from its duration.
   */
  isCallbackToken(token: string): Promise<boolean>;
  /**
   * The payments to our key that a callback names. Malformed entries are dropped. A callback that is too
   * long, and entries beyond the highest number, are dropped too.
   */
  readCallback(body: string): Promise<PixHint[]>;
};
