/**
 * Each status of a transaction, in the order of its life. `isLast` is true for a final status (spec,
 * "Transaction states"). A later version of the service may add a status, which this library treats as not
 * final.
 */
const transactionStatuses = {
  CREATED: { isLast: false },
  AWAITING_MFA: { isLast: false },
  AWAITING_PIX: { isLast: false },
  PROCESSING: { isLast: false },
  COMPLETED: { isLast: true },
  FAILED: { isLast: true },
  EXPIRED: { isLast: true },
  CANCELED: { isLast: true },
} as const;
export type TransactionStatus = keyof typeof transactionStatuses;

/**
 * Each status of a KYC record. `isLast` is true if a wait for the decision about the client ends at this
 * status.
 */
const kycStatuses = {
  APPROVED: { isLast: true },
  PENDING: { isLast: false },
  REJECTED: { isLast: true },
  EXPIRED: { isLast: true },
} as const;
export type KycStatus = keyof typeof kycStatuses;

export const terminalTransactionStatuses = lastOf(transactionStatuses);
export const terminalKycStatuses = lastOf(kycStatuses);

/** True if a transaction with the status `present` can never have the status `wanted` again. */
export function isTransactionPast(wanted: TransactionStatus, present: string): boolean {
  const order = Object.keys(transactionStatuses);
  return order.indexOf(wanted) < order.indexOf(present);
}

function lastOf<Status extends string>(statuses: Record<Status, { isLast: boolean }>): Status[] {
  return (Object.keys(statuses) as Status[]).filter((status) => statuses[status].isLast);
}
