import type { NewCharge, PayerMatch, PixCharge, PixHint, PixRefund, ReceivedPix } from './pix.ts';

/** `upTo` is after the beginning of what was asked for, and at most its end. */
export type ReceivedPart = { received: ReceivedPix[]; upTo: number };

export type WantedRefund = { endToEndId: string; id: string; amountCentavos: number };

/** The payment provider. Failures as in `ports.ts`. */
export type PixProvider = {
  /** Creates the charge, or finds the one that an earlier call with this txid made. */
  createCharge(charge: NewCharge): Promise<PixCharge>;
  findCharge(txid: string): Promise<PixCharge | undefined>;
  /** Closes the charge to payments and reads it again: it may have been paid meanwhile. */
  closeCharge(txid: string): Promise<PixCharge | undefined>;
  findPayer(payment: ReceivedPix, cpf: string): Promise<PayerMatch>;
  /**
   * The Pix to our key received between two instants, whatever its txid; also those that name no key. Where there are many it
   * is the first of them, all until `upTo`: the rest is read from there on, and may show some of that instant again.
   * With `isReturned` only those of which something went back, where the provider knows that filter.
   */
  listReceived(from: number, to: number, filter?: { isReturned?: boolean }): Promise<ReceivedPart>;
  /** One Pix by its end-to-end id, whatever its key. */
  findReceived(endToEndId: string): Promise<ReceivedPix | undefined>;
  /**
   * Starts a refund under `id`, or finds the one that an earlier call started. Refused for good, and not to be found
   * afterwards, it is `FAILED`; a refusal that may pass is thrown, and says nothing about what was done.
   */
  refund(refund: WantedRefund): Promise<PixRefund>;
  /** The refund under this id, without starting one. */
  findRefund(refund: WantedRefund): Promise<PixRefund | undefined>;
  /** Makes sure that callbacks for our key come to us. */
  registerCallback(): Promise<void>;
  /** Whether a callback's path token is ours, in constant time. */
  isCallbackToken(token: string): Promise<boolean>;
  /** The payments to our own key that a callback's body names; what is malformed is dropped. */
  readCallback(body: string): Promise<PixHint[]>;
};
