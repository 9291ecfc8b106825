/**
 * Why money goes back, in words for operators. A refund goes back because its purchase failed. An unmatched payment
 * goes back because it pays no purchase.
 */

/** Partners read these codes in `failure` and `refund`. */
export const FAILURE_REASONS = {
  SETTLEMENT_FAILED: 'all tries of the transfer failed',
  SETTLEMENT_CANCELLED: 'an operator cancelled the transfer',
  SANCTIONS_HIT: 'the client was found on a sanctions list after the payment',
  KYC_REJECTED: 'the client’s KYC was rejected after the payment',
  WALLET_RISK_TOO_HIGH: 'the wallet was refused after the payment',
  PAYER_MISMATCH: 'another person than the client paid',
  AMOUNT_MISMATCH: 'the payment has another amount than the charge',
  PAID_LATE: 'the payment was made after the charge had expired',
  PAYMENT_TAKEN_BACK: 'the bank took some or all of the payment back (MED)',
} as const;
export type FailureReason = keyof typeof FAILURE_REASONS;

/**
 * Partners read these codes in `transaction.pix_returned`. See docs/decisions.md, "Paid, then failed".
 */
export const UNMATCHED_REASONS = {
  PAID_TWICE: 'another Pix is the payment of its purchase',
  PAID_LATE: 'its purchase had ended without a payment',
  UNKNOWN_TXID: 'no purchase has its txid',
  NO_TXID: 'it has no txid',
} as const;
export type UnmatchedReason = keyof typeof UNMATCHED_REASONS;
