import { getAddress } from 'ethers/address';
import type { CapName, Caps } from '../../../functions/domain/partners/caps.ts';
import { diceOf } from '../dice.ts';
import { type Kind, PARTNERS, type Plan, planOf } from '../purchases.ts';
import { MINUTE_MS } from '../times.ts';

/**
 * One purchase: the number of the person, the partner, and whether the tokens go to the wallet that all persons share.
 * Purchases for that wallet are never paid, so that each wallet gets one transfer at most.
 */
type Purchase = readonly [person: number, partner: 0 | 1, isShared: boolean];

type Crowd = { purchases: readonly Purchase[]; centavos: readonly [number, number] };

/** Buyers who want several purchases at once. A thief with one CPF reaches the limits of a client and a person. */
const CROWDS: Partial<Record<Kind, Crowd>> = {
  'thief with many CPFs': {
    purchases: [
      [0, 0, false],
      [0, 0, true],
      [0, 1, false],
      [1, 0, true],
      [1, 0, false],
      [2, 1, true],
    ],
    centavos: [1_300_00, 2_200_00],
  },
  'thief with one CPF': {
    purchases: [
      [0, 0, false],
      [0, 0, false],
      [0, 1, false],
    ],
    centavos: [1_150_00, 1_900_00],
  },
};

/** A lower cap for some clients, with weights, so that each cap refuses somebody in every run. */
const LOWERED_BRL = 1_800;
const LOWERED: readonly (readonly [CapName, number])[] = [
  ['purchaseBrl', 1],
  ['dailyBrl', 1],
  ['monthlyBrl', 2],
  ['yearlyBrl', 2],
  ['openCharges', 1],
];

/** The buyers of a number: one, or those of a thief. */
export function plansOf(seed: string, index: number, spanMs: number): Plan[] {
  const plan = planOf(seed, index, spanMs);
  const crowd = CROWDS[plan.kind];
  return crowd ? thievesOf(plan, crowd, seed) : [plan];
}

function thievesOf(plan: Plan, { purchases, centavos }: Crowd, seed: string): Plan[] {
  const others = purchases.map((_, at) => planOf(`${seed}/${plan.scope}`, at, 0));
  const dice = diceOf(seed, plan.scope, 'crowd');
  const limits = [0, 1, 2].map(() => (dice.isBelow(0.5) ? { [dice.pick(LOWERED)]: LOWERED_BRL } : undefined));
  return purchases.map(([person, partner, isShared], at) => ({
    ...plan,
    // All purchases of a person have the person's CPF. The person is another client at each partner.
    scope: `${plan.scope}.${at}`,
    kind: isShared ? 'never paid' : 'ordinary',
    partnerId: PARTNERS[partner],
    clientId: `${others[person]!.clientId}-${plan.index}-${partner}`,
    kycToken: `kyc_${plan.clientId}_${at}`,
    cpf: others[person]!.cpf,
    totpSecret: others[person]!.totpSecret,
    wallet: isShared ? plan.wallet : getAddress(others[at]!.wallet),
    limits: limitsOf(limits[person]),
    amountCentavos: dice.within(...centavos),
    arrivesAfterMs: plan.arrivesAfterMs + dice.within(0, dice.isBelow(0.5) ? 5_000 : 10 * MINUTE_MS),
    isVouchedFor: false,
    quoting: 'none',
    isFraud: dice.isBelow(0.05),
    isPatient: true,
  }));
}

/** The changed caps of a client. A changed cap of open charges allows one at a time, because it is no amount. */
function limitsOf(changed: Partial<Caps> | undefined): Partial<Caps> | undefined {
  return changed?.openCharges ? { openCharges: 1 } : changed;
}
