import type { Client } from '../../../functions/domain/kyc/client.ts';
import type { ChargeLimits } from '../../../functions/domain/purchase/charge-limits.ts';
import type { Transaction } from '../../../functions/domain/purchase/transaction.ts';
import type { Row } from '../cloud/values.ts';
import type { Violation } from '../violation.ts';

type World = {
  limits: ChargeLimits;
  clientOf: (id: string) => Client | undefined;
  report: (violation: Violation) => void;
};

/** The cap of each period, by the length of its name in the row's id: a day, a month, a year. */
const CAP_OF = { 10: 'dailyBrl', 7: 'monthlyBrl', 4: 'yearlyBrl' } as const;

/** Invariant 14: at each step, no client and no person has used more than the caps say. */
export function openLimitGuard({ limits, clientOf, report }: World) {
  const counts = { claims: 0 };
  const capsOf = (client: Client) => ({ ...limits.tiers.STANDARD, ...client.limits });
  const say = (says: string, scope: string) => report({ invariant: 14, says, scope });

  return {
    counts,
    onUsage({ id, centavos, charges }: Row, scope: string): void {
      const [owner = '', period = ''] = String(id).split('#');
      const client = clientOf(owner);
      if (period === 'OPEN') {
        const most = client ? capsOf(client).openCharges : 0;
        if (Number(charges) > most) say(`${owner} has ${charges} open charges, and ${most} may be`, scope);
        return;
      }
      counts.claims++;
      const cap = CAP_OF[period.length as keyof typeof CAP_OF];
      const most = (client ? capsOf(client) : limits.everywhere)[cap] * 100;
      if (Number(centavos) > most) say(`${id} is ${centavos} centavos, and ${most} may be`, scope);
    },
    onCharge({ id, clientId, amountCentavos, claim }: Transaction, scope: string): void {
      const most = capsOf(clientOf(clientId)!).purchaseBrl * 100;
      if (amountCentavos > most) say(`${id} is of ${amountCentavos} centavos, and ${most} may be`, scope);
      if (!claim) say(`${id} has a charge without its claim`, scope);
    },
  };
}
