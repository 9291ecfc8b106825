import type { KycStatus, TransactionStatus } from './types.ts';

/** Whether each status of a transaction is its last: spec, "Transaction states". An unknown status is not. */
const isLast: Record<TransactionStatus, boolean> = {
  CREATED: false,
  AWAITING_MFA: false,
  AWAITING_PIX: false,
  PROCESSING: false,
  COMPLETED: true,
  FAILED: true,
  EXPIRED: true,
};

export const terminalTransactionStatuses = (Object.keys(isLast) as TransactionStatus[]).filter(
  (status) => isLast[status],
);

/** An approval ends the wait for a decision. The record itself lives on. */
export const terminalKycStatuses: readonly KycStatus[] = ['APPROVED', 'REJECTED', 'EXPIRED'];
