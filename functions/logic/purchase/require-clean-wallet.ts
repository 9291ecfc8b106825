import type { Asset } from '../../domain/assets.ts';
import { refuse } from '../../domain/errors.ts';
import type { Ports } from '../../domain/ports.ts';
import type { Evidence } from '../../domain/purchase/evidence.ts';
import type { WalletCheck } from '../../domain/screening/wallet-risk.ts';

type Destination = {
  transactionId: string;
  clientId: string;
  asset: Asset;
  address: string;
  /** The number of the chain's latest block, if the caller has already begun to read it. */
  head?: Promise<bigint>;
  /** The check of the address, if the caller has already begun it. */
  check?: Promise<WalletCheck>;
};

type CheckPorts = Pick<Ports, 'walletRisk' | 'evidence' | 'clock'>;

/**
 * Refuses a wallet that a list names, that the asset's issuer blocks, or that is too risky. If a check does not answer,
 * the wallet does not pass. Each decision is recorded as evidence.
 */
export async function requireCleanWallet(
  destination: Destination,
  decidedBy: string,
  ports: CheckPorts,
): Promise<WalletCheck> {
  const { check, evidence } = await findCleanWallet(destination, decidedBy, ports);
  await ports.evidence.record(evidence);
  return check;
}

export type CleanWallet = { check: WalletCheck; evidence: Evidence };

/**
 * Refuses like `requireCleanWallet`. It does not record the evidence of a clean wallet, because the caller writes it
 * together with the purchase.
 */
export async function findCleanWallet(
  { transactionId, clientId, asset, address, ...begun }: Destination,
  decidedBy: string,
  ports: CheckPorts,
): Promise<CleanWallet> {
  const check = await (begun.check ?? ports.walletRisk.check(address, asset, begun.head));
  const { facts, ...decision } = check;
  const evidence = {
    subject: transactionId,
    clientId,
    kind: 'wallet',
    at: ports.clock.now(),
    decidedBy,
    inputs: { walletAddress: address },
    findings: facts,
    decision,
  } as const;
  if (check.isClear) return { check, evidence };
  await ports.evidence.record(evidence);
  return refuse('WALLET_RISK_TOO_HIGH');
}

/** Records the evidence of a clean wallet whose purchase was not written, because each decision leaves a record. */
export async function keepEvidence(
  clean: Promise<CleanWallet>,
  error: unknown,
  { evidence }: Pick<CheckPorts, 'evidence'>,
): Promise<never> {
  const kept = await clean.catch(() => undefined);
  if (kept) await evidence.record(kept.evidence);
  throw error;
}
