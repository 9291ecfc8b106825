import { getAddress } from 'ethers/address';
import { CAP_NAMES, type Caps } from '../../../functions/domain/partners/caps.ts';
import { diceOf } from '../dice.ts';
import { PARTNERS, type Plan, planOf } from '../purchases.ts';
import { MINUTE_MS } from '../times.ts';

/**
 * The purchases of a thief. Each row is one: the number of the person, the partner, and whether the tokens go to the
 * wallet that all of them share. Those are never paid, so that each wallet gets one transfer at most.
 */
const OF_THIEF = [
  [0, 0, false],
  [0, 0, true],
  [0, 1, false],
  [1, 0, true],
  [1, 0, false],
  [2, 1, true],
] as const;

/** A lower cap for some clients, so that each cap refuses somebody. */
const LOWERED_BRL = 2_000;

/** The buyers of a number: one, or a thief with many CPFs, who wants all at once. */
export function plansOf(seed: string, index: number, spanMs: number): Plan[] {
  const plan = planOf(seed, index, spanMs);
  return plan.kind === 'thief with many CPFs' ? thievesOf(plan, seed) : [plan];
}

function thievesOf(plan: Plan, seed: string): Plan[] {
  const others = OF_THIEF.map((_, at) => planOf(`${seed}/${plan.scope}`, at, 0));
  const dice = diceOf(seed, plan.scope, 'crowd');
  const lowered = CAP_NAMES.map((name) => [name, 1] as const);
  const limits = [0, 1, 2].map(() => (dice.isBelow(0.5) ? { [dice.pick(lowered)]: LOWERED_BRL } : undefined));
  return OF_THIEF.map(([person, partner, isShared], at) => ({
    ...plan,
    // All purchases of a person have the person's CPF. Each client of it, one per partner, has its own secret.
    scope: `${plan.scope}.${at}`,
    kind: isShared ? 'never paid' : 'ordinary',
    partnerId: PARTNERS[partner],
    clientId: `${others[person]!.clientId}-${plan.index}-${partner}`,
    kycToken: `kyc_${plan.clientId}_${at}`,
    cpf: others[person]!.cpf,
    totpSecret: others[person]!.totpSecret,
    wallet: isShared ? plan.wallet : getAddress(others[at]!.wallet),
    limits: limitsOf(limits[person]),
    amountCentavos: dice.within(1_300_00, 2_200_00),
    arrivesAfterMs: plan.arrivesAfterMs + dice.within(0, dice.isBelow(0.5) ? 5_000 : 10 * MINUTE_MS),
    isVouchedFor: false,
    quoting: 'none',
    isFraud: dice.isBelow(0.1),
  }));
}

/** One open charge at a time is the cap that is no amount. */
function limitsOf(changed: Partial<Caps> | undefined): Partial<Caps> | undefined {
  return changed?.openCharges ? { openCharges: 1 } : changed;
}
