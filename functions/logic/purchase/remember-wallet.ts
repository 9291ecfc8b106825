import { type Client, KNOWN_WALLETS, USUAL_WALLETS } from '../../domain/kyc/client.ts';
import type { Needs } from '../../domain/ports.ts';

export const WALLET_NEEDS = ['clients', 'log'] as const;

/**
 * The client's next submission scores the known wallets again: spec, "Submit KYC data". A thief who holds a client's
 * code sends to many wallets, so each wallet beyond the usual number is counted.
 */
export async function rememberWallet(
  { id, wallets = [] }: Client,
  address: string,
  { clients, log }: Needs<typeof WALLET_NEEDS>,
): Promise<void> {
  if (wallets.includes(address)) return;
  if (wallets.length >= USUAL_WALLETS) {
    log.measure('FurtherWallets', 1, {});
    log.measure('WalletsOfClient', wallets.length + 1, {});
  }
  if (wallets.length >= KNOWN_WALLETS) return;
  await clients.addWallet(id, address);
}
