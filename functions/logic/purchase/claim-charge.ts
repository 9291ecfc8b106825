import { Unavailable } from '../../domain/errors.ts';
import { requireWelcome } from '../../domain/kyc/client.ts';
import type { Needs } from '../../domain/ports.ts';
import { type Buyer, type Claim, capsOf } from '../../domain/purchase/charge-limits.ts';
import { holdsPlace } from '../../domain/purchase/claim.ts';
import {
  PIX_WINDOW_MINUTES,
  requireAwaitingMfa,
  type Transaction,
} from '../../domain/purchase/transaction.ts';
import {
  clientRoomFor,
  hasRoomIn,
  isFullOfCharges,
  limitStatesOf,
  requireRoom,
  roomFor,
  type Usage,
} from '../../domain/purchase/usage.ts';
import type { ChargeClaim } from '../../domain/purchase/usage-ports.ts';
import { dayInBrasilia } from '../../domain/time.ts';
import { getTransaction } from '../rows.ts';

export const ROOM_NEEDS = ['transactions:read', 'usages:read', 'chargeLimits', 'clock'] as const;
export const CLAIM_NEEDS = ['transactions', 'usages', 'chargeLimits', 'clock'] as const;
type Ports = Needs<typeof CLAIM_NEEDS>;

/**
 * The most tries of a claim. A try fails if one charge ends but another charge takes its place before we
 * claim.
 */
const ROUNDS = 12;

/**
 * Reads how much of the limits a client or a person has used so far. `owner` is the id of the client or of
 * the person.
 */
export function readUsage(owner: string, { usages, clock }: Needs<['usages:read', 'clock']>): Promise<Usage> {
  return usages.findUsage(owner, dayInBrasilia(clock.now()));
}

export function usageLimits(
  buyer: Buyer,
  usage: Usage,
  { chargeLimits, clock }: Needs<['chargeLimits', 'clock']>,
) {
  const now = clock.now();
  return limitStatesOf(capsOf(buyer, chargeLimits, now), usage, { day: dayInBrasilia(now), now });
}

/**
 * Refuses if the client's own limits have no room for the amount. If an open charge is in the way, the refusal names
 * its purchase, which the partner can cancel.
 */
export async function requireOwnRoom(
  amountCentavos: number,
  buyer: Buyer,
  usage: Usage,
  ports: Needs<typeof ROOM_NEEDS>,
): Promise<void> {
  const states = usageLimits(buyer, usage, ports);
  const openId = isFullOfCharges(states) ? await findOpenCharge(usage, ports) : undefined;
  requireRoom(states, amountCentavos, ports.clock.now(), openId);
}

/**
 * The purchase of the client's newest charge, if that charge may still be open. Undefined if only older charges are
 * open.
 */
async function findOpenCharge({ newestId }: Usage, { transactions }: Needs<['transactions:read']>) {
  const newest = newestId === undefined ? undefined : await transactions.findTransaction(newestId);
  return newest && holdsPlace(newest) ? newest.id : undefined;
}

/**
 * The client with the tier of now, and the partner for whom limits are claimed. `person` is the keyed hash of the CPF,
 * which is the same at all partners.
 */
export type Claimant = Buyer & { person: string };

/**
 * Claims a place among the open charges that the client may have. Also claims the amount in the sums of
 * day, month and year, for the client and for the person. One conditional write makes the claim, once per
 * purchase. Answers the purchase with its claim. If a later step fails, the claim stays, because a parallel
 * request may be about to issue the charge. If the purchase ends unpaid, that move gives the claim back.
 */
export async function claimCharge(
  transaction: Transaction,
  claimant: Claimant,
  ports: Ports,
): Promise<Transaction> {
  for (let round = 0, purchase = transaction; round < ROUNDS; round++) {
    if (purchase.claim) return purchase;
    const claim = claimOf(claimant, ports);
    const outcome = await tryClaim({ ...purchase, claim }, claimant, ports);
    if (outcome === 'CLAIMED') return { ...purchase, claim };
    if (outcome === 'FULL') await requireAnyRoom(purchase, claimant, ports);
    else purchase = { ...purchase, claim: await findClaim(purchase, ports) };
  }
  throw new Unavailable('the client’s limits');
}

export const claimOf = ({ person }: Claimant, { clock }: Needs<['clock']>): Claim => ({
  day: dayInBrasilia(clock.now()),
  person,
});

type Claiming = Transaction & Required<Pick<Transaction, 'claim'>>;

/** Tries the claim once. Nothing is written if the amount alone exceeds a cap. */
async function tryClaim(purchase: Claiming, claimant: Claimant, ports: Ports) {
  const wanted = chargeClaimOf(purchase, claimant, ports);
  return wanted ? ports.usages.claim(wanted) : 'FULL';
}

/** The claim of a charge. Undefined if its amount alone exceeds a cap. */
export function chargeClaimOf(
  purchase: Claiming,
  claimant: Claimant,
  { chargeLimits, clock }: Needs<['chargeLimits', 'clock']>,
): ChargeClaim | undefined {
  const { amountCentavos, claim } = purchase;
  const { caps } = capsOf(claimant, chargeLimits, clock.now());
  const client = clientRoomFor(caps, amountCentavos);
  const person = roomFor(chargeLimits.everywhere, amountCentavos);
  if (!client || !person) return undefined;
  const until = clock.now() + PIX_WINDOW_MINUTES * clock.minuteMs;
  const { openCharges } = caps;
  return { purchase, claim, openCharges, until, room: { client, person } };
}

/**
 * Refuses if a limit has no room. If it does not refuse, a charge has ended since the claim was refused, and the caller
 * tries again.
 */
async function requireAnyRoom(purchase: Transaction, claimant: Claimant, ports: Ports): Promise<void> {
  const [own, everywhere] = await Promise.all([
    readUsage(purchase.clientId, ports),
    readUsage(claimant.person, ports),
  ]);
  await requireOwnRoom(purchase.amountCentavos, claimant, own, ports);
  requireWelcome(hasRoomIn(ports.chargeLimits.everywhere, everywhere, purchase.amountCentavos));
}

/**
 * Finds the claim that a parallel request has made. If there is no claim, the purchase may have ended.
 * Refuses an ended purchase.
 */
async function findClaim({ id }: Transaction, { transactions, clock }: Ports): Promise<Claim | undefined> {
  const found = await getTransaction(transactions, id);
  if (!found.claim) requireAwaitingMfa(found, clock.now());
  return found.claim;
}
