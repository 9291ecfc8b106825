import type { Needs } from '../../domain/ports.ts';
import { promiseOf } from '../../domain/purchase/open-promise.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { requireLiquidity } from '../../domain/treasury/liquidity.ts';
import { CLAIM_NEEDS, type Claimant, chargeClaimOf, claimCharge, claimOf } from './claim-charge.ts';

export const TAKE_NEEDS = [
  ...CLAIM_NEEDS,
  ...(['charges', 'promises', 'promiseLimits', 'liquidity'] as const),
] as const;
type Ports = Needs<typeof TAKE_NEEDS>;

type Taking = { claimant: Claimant; units: bigint };

/**
 * Takes all that a charge needs before anybody can pay it: its place in the client's limits, its promise, and the
 * tokens. One write takes all of it or nothing. Answers the purchase with its claim. If a later step fails, all of it
 * stays until the purchase ends. The next reading of the treasury then frees the tokens.
 */
export async function takeCharge(
  transaction: Transaction,
  taking: Taking,
  ports: Ports,
): Promise<Transaction> {
  const claim = claimOf(taking.claimant, ports);
  const isTaken = !transaction.claim && (await takeAtOnce({ ...transaction, claim }, taking, ports));
  return isTaken ? { ...transaction, claim } : takeInTurn(transaction, taking, ports);
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
  return ports.charges.take(needs, termsOf(ports));
}

/**
 * Takes one part after another. The first without room is refused with its own code. Nothing that an earlier try has
 * taken is taken twice.
 */
async function takeInTurn(
  transaction: Transaction,
  { claimant, units }: Taking,
  ports: Ports,
): Promise<Transaction> {
  const claimed = await claimCharge(transaction, claimant, ports);
  await ports.promises.open(chargePromiseOf(claimed), termsOf(ports));
  const { id, asset } = claimed;
  requireLiquidity(await ports.liquidity.reserve(asset, { id, units }, ports.clock.now()));
  return claimed;
}

const chargePromiseOf = (purchase: Transaction) => ({
  ...promiseOf(purchase),
  rateLock: purchase.rateLock,
});

const termsOf = ({ promiseLimits: limits, clock }: Needs<['promiseLimits', 'clock']>) => ({
  limits,
  now: clock.now(),
});
