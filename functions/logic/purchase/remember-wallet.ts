import { type Client, KNOWN_WALLETS, USUAL_WALLETS } from '../../domain/kyc/client.ts';
import type { Needs } from '../../domain/ports.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';

export const WALLET_NEEDS = ['clients', 'log'] as const;

/**
 * Remembers the wallet, because the client's next KYC submission scores all known wallets again: spec,
 * "Submit KYC data". A metric counts each wallet beyond the usual number, because a thief who has a client's
 * authenticator codes sends to many wallets. The client's row holds at most `KNOWN_WALLETS` wallets. Each
 * purchase to a wallet beyond them counts as new: a person is told too often, rather than too late.
 */
export async function rememberWallet(
  { id, wallets = [] }: Client,
  { id: transactionId, walletAddress }: Pick<Transaction, 'id' | 'walletAddress'>,
  { clients, log }: Needs<typeof WALLET_NEEDS>,
): Promise<void> {
  if (wallets.includes(walletAddress)) return;
  if (wallets.length >= USUAL_WALLETS) {
    // The metrics name no purchase, so their alarms send the operator to this line.
    log.info('a purchase for a further wallet', { transactionId, wallets: wallets.length + 1 });
    log.measure('FurtherWallets', 1, {});
    log.measure('WalletsOfClient', wallets.length + 1, {});
  }
  if (wallets.length >= KNOWN_WALLETS) return;
  await clients.addWallet(id, walletAddress);
}
