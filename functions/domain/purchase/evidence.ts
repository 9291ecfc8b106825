import { decideKyc, type KycEvidence } from '../kyc/kyc-decision.ts';
import { type BlockDecision, type BlockFacts, decideBlock } from '../kyc/person-block.ts';
import type { EvidenceOf } from '../screening/evidence.ts';
import type { ListEvidence } from '../screening/list-refresh.ts';
import { decideWallet, type WalletEvidence } from '../screening/wallet-risk.ts';
import { decideHolder, type HolderDecision, type HolderFacts } from './liveness-decision.ts';
import { decidePayerProof, type PayerProofDecision, type PayerProofFacts } from './payer-proof.ts';
import { decidePayment, type PaymentDecision, type PaymentFacts } from './pix.ts';

type PaymentEvidence = EvidenceOf<
  'payment',
  { inputs: { endToEndId: string }; findings: PaymentFacts; decision: PaymentDecision }
>;

type LivenessEvidence = EvidenceOf<
  'liveness',
  { inputs: object; findings: HolderFacts; decision: HolderDecision }
>;

type BlockEvidence = EvidenceOf<
  'block',
  { inputs: { personId: string }; findings: BlockFacts; decision: BlockDecision }
>;

type PayerProofEvidence = EvidenceOf<
  'payer',
  { inputs: { txid: string }; findings: PayerProofFacts; decision: PayerProofDecision }
>;

/** An operator's command. It is recorded before the command runs, and again if the command fails. */
export type OperationEvidence = EvidenceOf<
  'operation',
  {
    inputs: { command: string; [fact: string]: unknown };
    findings: Record<string, never>;
    decision: { reason?: string; outcome: 'ORDERED' } | { reason?: string; outcome: 'FAILED'; error: string };
  }
>;

export type Evidence =
  | KycEvidence
  | WalletEvidence
  | PaymentEvidence
  | LivenessEvidence
  | BlockEvidence
  | PayerProofEvidence
  | ListEvidence
  | OperationEvidence;

/**
 * Decides again with the present rules from the recorded findings. An auditor compares the result with the recorded
 * `decision`; they differ only if the rules have changed. Undefined if no rule decided: an operator's command, or a
 * refresh of the lists.
 */
export function decideAgain(evidence: Evidence): Record<string, unknown> | undefined {
  switch (evidence.kind) {
    case 'kyc':
      return { ...decideKyc(evidence.findings) };
    case 'wallet':
      return { ...decideWallet(evidence.findings) };
    case 'payment':
      return { ...decidePayment(evidence.findings) };
    case 'liveness':
      return { ...decideHolder(evidence.findings) };
    case 'block':
      return { ...decideBlock(evidence.findings) };
    case 'payer':
      return { ...decidePayerProof(evidence.findings) };
    case 'lists':
    case 'operation':
      return undefined;
  }
}
