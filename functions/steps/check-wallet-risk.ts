import { refuse } from '../domain/errors.ts';
import type { Needs } from '../domain/ports.ts';
import { type StepInput, step } from '../edge/step.ts';

export const needs = ['transactions:read', 'walletRisk', 'evidence', 'clock'] as const;
type CheckPorts = Pick<Needs<typeof needs>, 'walletRisk' | 'evidence' | 'clock'>;

/** PROCESSING. The destination is checked again before anything is sent: spec, "States and transitions". */
export async function checkWalletRisk({ transactionId }: StepInput, ports: Needs<typeof needs>) {
  const { status, walletAddress } = (await ports.transactions.findTransaction(transactionId))!;
  const { oracle, blockNumber } = await requireCleanWallet(
    { transactionId, address: walletAddress, decidedBy: 'CheckWalletRisk' },
    ports,
  );
  return { transactionId, status, decision: 'CLEAR', oracle, blockNumber };
}

/** Refuses a wallet that the chain's oracle lists; leaves evidence either way. No clean answer is no pass. */
export async function requireCleanWallet(
  { transactionId, address, decidedBy }: { transactionId: string; address: string; decidedBy: string },
  ports: CheckPorts,
) {
  const found = await ports.walletRisk.check(address);
  await ports.evidence.record({
    subject: transactionId,
    kind: 'wallet',
    at: ports.clock.now(),
    decidedBy,
    inputs: { walletAddress: address },
    findings: found,
    decision: { isClear: !found.isSanctioned },
  });
  if (found.isSanctioned) refuse('WALLET_RISK_TOO_HIGH');
  return found;
}

export const handler = step({ needs }, checkWalletRisk);
