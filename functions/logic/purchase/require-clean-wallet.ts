import type { Asset } from '../../domain/assets.ts';
import { refuse } from '../../domain/errors.ts';
import type { Ports } from '../../domain/ports.ts';
import type { WalletCheck } from '../../domain/screening/wallet-risk.ts';

type Destination = {
  transactionId: string;
  clientId: string;
  asset: Asset;
  address: string;
  /** The chain's last block, if its reading began earlier. */
  head?: Promise<bigint>;
};

/**
 * Refuses a wallet that a list names, that the asset's issuer blocks, or that is too risky. If a check does not answer,
 * the wallet does not pass. Each decision is recorded as evidence.
 */
export async function requireCleanWallet(
  { transactionId, clientId, asset, address, head }: Destination,
  decidedBy: string,
  ports: CheckPorts,
): Promise<WalletCheck> {
  const check = await ports.walletRisk.check(address, asset, head);
  const { facts, ...decision } = check;
  await ports.evidence.record({
    subject: transactionId,
    clientId,
    kind: 'wallet',
    at: ports.clock.now(),
    decidedBy,
    inputs: { walletAddress: address },
    findings: facts,
    decision,
  });
  if (!check.isClear) refuse('WALLET_RISK_TOO_HIGH');
  return check;
}

type CheckPorts = Pick<Ports, 'walletRisk' | 'evidence' | 'clock'>;
