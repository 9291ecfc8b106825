import type { Asset } from '../../domain/assets.ts';
import { refuse } from '../../domain/errors.ts';
import type { Ports } from '../../domain/ports.ts';
import type { WalletCheck } from '../../domain/screening/wallet-risk.ts';

type Destination = {
  transactionId: string;
  clientId: string;
  asset: Asset;
  address: string;
  decidedBy: string;
};

/**
 * Refuses a wallet that is listed, blocked by the asset's issuer, or too risky. A missing answer is no pass. Each
 * decision leaves evidence.
 */
export async function requireCleanWallet(
  { transactionId, clientId, asset, address, decidedBy }: Destination,
  ports: CheckPorts,
): Promise<WalletCheck> {
  const check = await ports.walletRisk.check(address, asset);
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
