import type { Posting } from '../domain/ledger.ts';
import { type MoneyCase, openMoneyCase } from '../domain/money-case.ts';
import type { Needs } from '../domain/ports.ts';
import type { StrayPix } from '../domain/stray.ts';
import type { Transaction } from '../domain/transaction.ts';

export const MONEY_CASE_NEEDS = ['moneyCases', 'clock', 'log'] as const;
type Ports = Pick<Needs<typeof MONEY_CASE_NEEDS>, 'moneyCases' | 'clock' | 'log'>;

/** Opens a case where it is not there yet, and raises the alarm for it, once. */
export async function openCase(
  opened: MoneyCase,
  { moneyCases, log }: Ports,
  posting?: Posting,
): Promise<boolean> {
  const isNew = await moneyCases.open(opened, posting);
  const { id: caseId, transactionId = '-', endToEndId = '-' } = opened;
  if (isNew) log.error('case of money opened', new Error(opened.kind), { caseId, transactionId, endToEndId });
  return isNew;
}

/** Whose the money is, for whoever reads the case. */
export function ofPurchase({ id, partnerId, clientId }: Transaction) {
  return { transactionId: id, partnerId, clientId };
}

/** A refund that is a person's now. Opened before that is recorded, so that no crash leaves it with nobody. */
export function openRefundFailed(transaction: Transaction, tries: number, ports: Ports): Promise<boolean> {
  const { endToEndId, amountCentavos, reason } = transaction.refund!;
  const opened = openMoneyCase({
    ...{ kind: 'REFUND_FAILED', key: transaction.id, openedAt: ports.clock.now() },
    ...{ ...ofPurchase(transaction), endToEndId, amountCentavos, facts: { reason, tries } },
  });
  return openCase(opened, ports);
}

/** As `openRefundFailed`, of a Pix that is no purchase's payment. */
export function openStrayLeft(stray: StrayPix, tries: number, ports: Ports): Promise<boolean> {
  const { id: endToEndId, amountCentavos, transactionId, partnerId, reason, txid } = stray;
  const opened = openMoneyCase({
    ...{ kind: 'STRAY_LEFT', key: endToEndId, openedAt: ports.clock.now() },
    ...{ transactionId, partnerId, endToEndId, amountCentavos, facts: { reason, tries, txid } },
  });
  return openCase(opened, ports);
}
