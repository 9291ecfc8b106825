import { hasEndedUnpaid } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { PERIOD_NAMES, PERIODS } from '../../functions/domain/purchase/usage.ts';
import type { Evidence } from './evidence.ts';
import type { Violation } from './violation.ts';

/** Invariant 11: the limits of each client, and of each person, have used what the purchases hold. */
export function judgeLimits({
  transactions,
  usages,
}: Pick<Evidence, 'transactions' | 'usages'>): Violation[] {
  const held = new Map<string, number>();
  const hold = (id: string, amount: number) => held.set(id, (held.get(id) ?? 0) + amount);
  for (const purchase of transactions) {
    const { claim, clientId } = purchase;
    if (!claim) continue;
    // Each purchase has ended, so none has an open charge.
    hold(`${clientId}#OPEN`, 0);
    for (const owner of [clientId, claim.person])
      for (const period of PERIOD_NAMES)
        hold(`${owner}#${PERIODS[period].of(claim.day)}`, countedIn(purchase));
  }
  const used = usages
    .filter(({ calls }) => calls === undefined)
    .map(({ id, centavos, charges }) => [id, Number(centavos ?? charges)] as const);
  const ids = new Set([...held.keys(), ...used.map(([id]) => id)]);
  const usedOf = new Map(used);
  return [...ids]
    .filter((id) => (usedOf.get(id) ?? 0) !== (held.get(id) ?? 0))
    .map((id) => ({ invariant: 11, says: `${id} has used ${usedOf.get(id)}, but holds ${held.get(id)}` }));
}

function countedIn({ status, amountCentavos, payment, refund }: Transaction): number {
  const wentBack = refund?.status === 'REFUNDED' ? refund.amountCentavos : 0;
  return hasEndedUnpaid(status) || wentBack === payment?.amountCentavos ? 0 : amountCentavos;
}
