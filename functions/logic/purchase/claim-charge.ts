import { Unavailable } from '../../domain/errors.ts';
import type { Client } from '../../domain/kyc/client.ts';
import type { Needs } from '../../domain/ports.ts';
import { chargesOf, hasClaimed, type Standing, withCharge } from '../../domain/purchase/charge-limits.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { getClient } from '../rows.ts';

export const CLAIM_NEEDS = ['transactions', 'clients', 'chargeLimits', 'clock'] as const;
type Ports = Needs<typeof CLAIM_NEEDS>;

/** More than the highest limit of open charges, because in each lost round another purchase has claimed a place. */
const ROUNDS = 12;

/** A client's charges, with the purchases of those that were open at the last claim. */
export async function standingOf(
  client: Client,
  { transactions }: Pick<Ports, 'transactions'>,
): Promise<Standing> {
  const charges = chargesOf(client);
  const found = await Promise.all(
    charges.open.map(({ transactionId }) => transactions.findTransaction(transactionId)),
  );
  return { charges, purchases: found.filter((purchase) => purchase !== undefined) };
}

/**
 * Claims a place among the client's open charges and an amount in the sum of the day, once per purchase. A later
 * failure does not release the claim, because a twin of this request may be about to make the charge. The place ends
 * when the purchase is paid or ends. The amount is subtracted only if the purchase ends unpaid.
 */
export async function claimCharge(
  transaction: Pick<Transaction, 'id' | 'clientId' | 'amountCentavos'>,
  read: Standing,
  ports: Ports,
): Promise<void> {
  const { clients, chargeLimits: limits, clock } = ports;
  let standing = read;
  for (let round = 0; round < ROUNDS; round++) {
    if (hasClaimed(standing.charges, transaction)) return;
    const charges = withCharge(standing, transaction, { limits, now: clock.now() });
    if (await clients.saveCharges(transaction.clientId, charges)) return;
    standing = await standingOf(await getClient(clients, transaction.clientId), ports);
  }
  throw new Unavailable('the client’s charges');
}
