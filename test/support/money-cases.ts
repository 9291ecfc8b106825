import { type Finding, type MoneyCase, openMoneyCase } from '../../functions/domain/books/money-case.ts';
import type { MoneyCaseFacts } from '../../functions/domain/books/money-case-facts.ts';
import type { MoneyCases } from '../../functions/domain/books/money-case-ports.ts';
import { newUnmatchedPayment } from '../../functions/domain/purchase/unmatched-payment.ts';
import type { UnmatchedPayments } from '../../functions/domain/purchase/unmatched-payment-ports.ts';

/** Facts of each kind of case, for tests to which the facts do not matter. */
export const CASE_FACTS = {
  REFUND_FAILED: { reason: 'SETTLEMENT_FAILED', tries: 7 },
  UNMATCHED_LEFT: { reason: 'NO_TXID', tries: 7 },
  PURCHASE_STUCK: { status: 'PROCESSING', paidAt: 1 },
  RETURN_STUCK: { reason: 'NO_TXID', foundAt: 1 },
  PAYMENT_DIFFERS: { here: { amountCentavos: 1 }, there: { amountCentavos: 2 } },
  PAYMENT_IGNORED: { status: 'FAILED' },
  MED_REFUND: { returnId: 'D1', nature: 'MED_FRAUDE', at: 1, from: 'losses' },
  TRANSFER_UNKNOWN: { asset: 'USDC', units: '1', to: '0xb', wallet: '0xa', nodes: 2, asked: 2 },
} as const satisfies Partial<MoneyCaseFacts>;

type Subject = Partial<Omit<Finding, 'kind' | 'key' | 'facts'>>;

/** A case as it is opened at the instant `openedAt`. */
export function aMoneyCase(
  kind: keyof typeof CASE_FACTS,
  key: string,
  { openedAt = 1, ...subject }: Subject & { openedAt?: number } = {},
): MoneyCase {
  return openMoneyCase({ kind, key, openedAt, ...subject, facts: CASE_FACTS[kind] } as Finding & {
    openedAt: number;
  });
}

type Opening = { moneyCases: Pick<MoneyCases, 'open'>; unmatchedPayments: Pick<UnmatchedPayments, 'create'> };

/** A case of R$ 250.00 that only a person may give back, with the row of its payment. */
export async function openOwedCase(
  { moneyCases, unmatchedPayments }: Opening,
  { now, ...subject }: Subject & { now: number },
): Promise<MoneyCase> {
  const endToEndId = `E${crypto.randomUUID().replaceAll('-', '').slice(1)}`;
  const pix = { endToEndId, amountCentavos: 250_00, paidAt: now };
  await unmatchedPayments.create(newUnmatchedPayment(pix, { transaction: undefined, mayReturn: false }, now));
  const of = { openedAt: now, amountCentavos: 250_00, endToEndId };
  const found = aMoneyCase('UNMATCHED_LEFT', endToEndId, { ...subject, ...of });
  await moneyCases.open(found);
  return found;
}
