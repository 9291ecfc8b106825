import type { NewCharge, PayerMatch, PixCharge, PixHint, PixRefund, ReceivedPix } from './pix.ts';

/** `upTo` is later than the start of the requested time, and not later than its end. */
export type ReceivedPart = { received: ReceivedPix[]; upTo: number };

export type WantedRefund = { endToEndId: string; id: string; amountCentavos: number };

/** The payment provider. Its failures are those of `ports.ts`. */
export type PixProvider = {
  /** Creates the charge, or finds the charge that an earlier call with this txid made. */
  createCharge(charge: NewCharge): Promise<PixCharge>;
  findCharge(txid: string): Promise<PixCharge | undefined>;
  /** Closes the charge to payments, then reads it: it may have been paid before it was closed. */
  closeCharge(txid: string): Promise<PixCharge | undefined>;
  findPayer(payment: ReceivedPix, cpf: string): Promise<PayerMatch>;
  /**
   * Lists the Pix that our key received between two instants, with any txid. A Pix that names no key is included. If
   * there are many, the answer holds all until `upTo`. The next call begins there, and may repeat some of them.
   * `isReturned` asks for those with a return only. A provider that does not know this filter lists all.
   */
  listReceived(from: number, to: number, filter?: { isReturned?: boolean }): Promise<ReceivedPart>;
  /** One Pix by its end-to-end id, with any key. */
  findReceived(endToEndId: string): Promise<ReceivedPix | undefined>;
  /**
   * Starts a refund under `id`, or finds the refund that an earlier call started. `FAILED` if the provider refuses for
   * good and does not show the refund afterwards. A temporary refusal is thrown: the refund may have been made or not.
   */
  refund(refund: WantedRefund): Promise<PixRefund>;
  /** Finds the refund under this id, and starts none. */
  findRefund(refund: WantedRefund): Promise<PixRefund | undefined>;
  /** The centavos in our account that refunds may use. Undefined if the provider has no such call. */
  findBalance(): Promise<number | undefined>;
  /** Ensures that the provider sends callbacks for our key to us. */
  registerCallback(): Promise<void>;
};

/** The provider's callbacks. */
export type PixCallback = {
  /** Whether the path token of a callback is ours. The comparison takes the same time for each token. */
  isCallbackToken(token: string): Promise<boolean>;
  /**
   * The payments to our key that the body of a callback names. Malformed entries, and entries beyond a limit, are
   * dropped.
   */
  readCallback(body: string): Promise<PixHint[]>;
};
