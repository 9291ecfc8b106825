import { begun } from '../../domain/begun.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import type { Needs } from '../../domain/ports.ts';
import { promiseOf } from '../../domain/purchase/open-promise.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { requireLiquidity } from '../../domain/treasury/liquidity.ts';
import { getPartner } from '../rows.ts';
import { CLAIM_NEEDS, type Claimant, chargeClaimOf, claimCharge, claimOf } from './claim-charge.ts';

export const TAKE_NEEDS = [
  ...CLAIM_NEEDS,
  'partners:read',
  ...(['charges', 'promises', 'promiseLimits', 'liquidity'] as const),
] as const;
type Ports = Needs<typeof TAKE_NEEDS>;

type Taking = { claimant: Claimant; units: bigint };
type TakenCharge = { claimed: Transaction; partner: Partner };

/**
 * Takes all that a charge needs before anybody can pay it: its place in the client's limits, its promise, and the
 * tokens. One write takes all of it or nothing. Answers the purchase with its claim, and the partner as it is during
 * the last write. If a later step fails, all of it stays until the purchase ends. The next reading of the treasury then
 * frees the tokens.
 */
export async function takeCharge(
  transaction: Transaction,
  taking: Taking,
  ports: Ports,
): Promise<TakenCharge> {
  if (transaction.claim) return takeInTurn(transaction, taking, ports);
  const claimed = { ...transaction, claim: claimOf(taking.claimant, ports) };
  const finding = begun(getPartner(ports.partners, transaction.partnerId));
  if (await takeAtOnce(claimed, taking, ports)) return { claimed, partner: await finding };
  return takeInTurn(transaction, taking, ports);
}

async function takeAtOnce(
  purchase: Transaction & Required<Pick<Transaction, 'claim'>>,
  { claimant, units }: Taking,
  ports: Ports,
): Promise<boolean> {
  const { id, asset } = purchase;
  const claim = chargeClaimOf(purchase, claimant, ports);
  if (!claim) return false;
  const needs = { claim, promise: chargePromiseOf(purchase), reserved: { id, asset, units } };
  return ports.charges.take(needs, promiseTerms(ports));
}

/**
 * Takes one part after another. The first without room is refused with its own code. Nothing that an earlier try has
 * taken is taken twice.
 */
async function takeInTurn(
  transaction: Transaction,
  { claimant, units }: Taking,
  ports: Ports,
): Promise<TakenCharge> {
  const claimed = await claimCharge(transaction, claimant, ports);
  await ports.promises.open(chargePromiseOf(claimed), promiseTerms(ports));
  const { id, asset } = claimed;
  const finding = begun(getPartner(ports.partners, claimed.partnerId));
  requireLiquidity(await ports.liquidity.reserve(asset, { id, units }, ports.clock.now()));
  return { claimed, partner: await finding };
}

const chargePromiseOf = (purchase: Transaction) => ({
  ...promiseOf(purchase),
  rateLock: purchase.rateLock,
});

const promiseTerms = ({ promiseLimits: limits, clock }: Needs<['promiseLimits', 'clock']>) => ({
  limits,
  now: clock.now(),
});
