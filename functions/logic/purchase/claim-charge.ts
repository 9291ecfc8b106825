import { Unavailable } from '../../domain/errors.ts';
import { requireWelcome } from '../../domain/kyc/client.ts';
import type { Needs } from '../../domain/ports.ts';
import { type Buyer, type Claim, capsOf } from '../../domain/purchase/charge-limits.ts';
import {
  PIX_WINDOW_MINUTES,
  requireAwaitingMfa,
  type Transaction,
} from '../../domain/purchase/transaction.ts';
import {
  clientRoomFor,
  hasRoomIn,
  limitStatesOf,
  requireRoom,
  roomFor,
  type Usage,
} from '../../domain/purchase/usage.ts';
import { dayInBrasilia } from '../../domain/time.ts';
import { getTransaction } from '../rows.ts';

export const CLAIM_NEEDS = ['transactions', 'usages', 'chargeLimits', 'clock'] as const;
type Ports = Needs<typeof CLAIM_NEEDS>;

/** In each lost round a charge of the client has ended, and another one has taken its room. */
const ROUNDS = 12;

/** The usage of the client, or of the person, by now. */
export function readUsage(owner: string, { usages, clock }: Needs<['usages:read', 'clock']>): Promise<Usage> {
  return usages.findUsage(owner, dayInBrasilia(clock.now()));
}

/** Each limit of the client at this partner: what is used, what is left, and when it begins anew. */
export function limitsOf(
  buyer: Buyer,
  usage: Usage,
  { chargeLimits, clock }: Needs<['chargeLimits', 'clock']>,
) {
  const now = clock.now();
  return limitStatesOf(capsOf(buyer, chargeLimits, now), usage, { day: dayInBrasilia(now), now });
}

/** `person` is the keyed hash of the CPF, which is the same at all partners. */
export type Claimant = Omit<Buyer, 'riskTier'> & { person: string };

/**
 * Claims a place among the client's open charges, and an amount in the sums of the client and of the person. One
 * conditional write makes the claim, once per purchase, and needs no reading before it. Answers the purchase with its
 * claim. A later failure does not release it, because a twin of this request may be about to make the charge. The move
 * that ends the purchase's hold releases it.
 */
export async function claimCharge(
  transaction: Transaction,
  claimant: Claimant,
  ports: Ports,
): Promise<Transaction> {
  for (let round = 0, purchase = transaction; round < ROUNDS; round++) {
    if (purchase.claim) return purchase;
    const now = ports.clock.now();
    const claim = { day: dayInBrasilia(now), person: claimant.person };
    const outcome = await tryClaim({ ...purchase, claim }, claimant, ports);
    if (outcome === 'CLAIMED') return { ...purchase, claim };
    if (outcome === 'FULL') await requireAnyRoom(purchase, claimant, ports);
    else purchase = { ...purchase, claim: await findClaim(purchase, ports) };
  }
  throw new Unavailable('the client’s limits');
}

/** One try. An amount that exceeds a cap alone is never written. */
async function tryClaim(
  purchase: Transaction & Required<Pick<Transaction, 'claim'>>,
  claimant: Claimant,
  { usages, chargeLimits, clock }: Ports,
) {
  const { riskTier, amountCentavos, claim } = purchase;
  const { caps } = capsOf({ ...claimant, riskTier }, chargeLimits, clock.now());
  const client = clientRoomFor(caps, amountCentavos);
  const person = roomFor(chargeLimits.everywhere, amountCentavos);
  if (!client || !person) return 'FULL';
  const until = clock.now() + PIX_WINDOW_MINUTES * clock.minuteMs;
  const { openCharges } = caps;
  return usages.claim({ purchase, claim, openCharges, until, room: { client, person } });
}

/** Refuses if there is no room. Otherwise a charge has ended since the write was refused. */
async function requireAnyRoom(
  { clientId, riskTier, amountCentavos }: Transaction,
  claimant: Claimant,
  ports: Ports,
): Promise<void> {
  const [own, everywhere] = await Promise.all([
    readUsage(clientId, ports),
    readUsage(claimant.person, ports),
  ]);
  requireRoom(limitsOf({ ...claimant, riskTier }, own, ports), amountCentavos, ports.clock.now());
  requireWelcome(hasRoomIn(ports.chargeLimits.everywhere, everywhere, amountCentavos));
}

/** The claim that a twin of this request has made. Without it, the purchase may have ended. */
async function findClaim({ id }: Transaction, { transactions, clock }: Ports): Promise<Claim | undefined> {
  const found = await getTransaction(transactions, id);
  if (!found.claim) requireAwaitingMfa(found, clock.now());
  return found.claim;
}
