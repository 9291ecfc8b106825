import type { Asset } from '../assets.ts';
import type { EvidenceOf } from './evidence.ts';
import type { IndexInUse } from './screening.ts';

/** The scale of address screening as Chainalysis sells it, rising. */
export const VENDOR_RISKS = ['LOW', 'MEDIUM', 'HIGH', 'SEVERE'] as const;
export type VendorRisk = (typeof VENDOR_RISKS)[number];

/** The contract on the chain, at the block that was asked. */
export type OracleFinding = { address: string; blockNumber: number; isSanctioned: boolean };
/** `entryId` is that of OFAC's entry, where it lists the address. */
export type ListedFinding = { index: IndexInUse; entryId?: string };
/** Whom the issuer of the purchase's asset blocks, by its contract at the block that was asked. */
export type IssuerFinding = { asset: Asset; token: string; blockNumber: number; isBlocked: boolean };
/** `reason` is what the provider says of the address, shortened. */
export type VendorFinding = { name: 'CHAINALYSIS'; risk: VendorRisk; reason?: string };

export type WalletSource = 'OFAC_LIST' | 'SANCTIONS_ORACLE' | 'TOKEN_ISSUER' | 'WALLET_VENDOR';

/**
 * What is known of an address: public data, nothing of a person. Evidence keeps it whole, so that `decideWallet` of a
 * record gives what was decided then. Who was asked and did not answer is in `unavailable`; a deployment without a vendor
 * has none, and a wallet for which nothing is bought no issuer.
 */
export type WalletFacts = {
  listed?: ListedFinding;
  oracle?: OracleFinding;
  issuer?: IssuerFinding;
  vendor?: VendorFinding;
  unavailable: WalletSource[];
};

export type WalletDecision = {
  isClear: boolean;
  isSanctioned: boolean;
  isRisky: boolean;
  /** Each rule that fired, in words. */
  rules: string[];
};

export type WalletCheck = WalletDecision & { facts: WalletFacts };

export type WalletEvidence = EvidenceOf<
  'wallet',
  { inputs: { walletAddress: string }; findings: WalletFacts; decision: WalletDecision }
>;

type WalletRule = {
  finding: 'SANCTIONED' | 'RISKY';
  because: string;
  when: { source: Exclude<WalletSource, 'WALLET_VENDOR'> } | { vendor: readonly VendorRisk[] };
};

/** Each that fires refuses: docs/decisions.md, "Wallet risk". */
export const WALLET_RULES: readonly WalletRule[] = [
  { finding: 'SANCTIONED', because: 'listed by OFAC', when: { source: 'OFAC_LIST' } },
  { finding: 'SANCTIONED', because: 'listed by the oracle', when: { source: 'SANCTIONS_ORACLE' } },
  { finding: 'RISKY', because: 'blocked by the issuer', when: { source: 'TOKEN_ISSUER' } },
  { finding: 'RISKY', because: 'risk', when: { vendor: ['HIGH', 'SEVERE'] } },
];

/**
 * A wallet that is listed is refused, whoever else is silent. Undefined where none lists it and somebody has not
 * answered: no silence is a pass. Nothing but the facts counts.
 */
export function decideWallet(facts: WalletFacts): WalletDecision | undefined {
  const fired = WALLET_RULES.flatMap((rule) => {
    const by = firedBy(rule, facts);
    return by === undefined ? [] : [{ finding: rule.finding, text: `${rule.because}: ${by}` }];
  });
  const has = (finding: WalletRule['finding']) => fired.some((each) => each.finding === finding);
  const isSanctioned = has('SANCTIONED');
  const isAnswered = facts.listed && facts.oracle && facts.unavailable.length === 0;
  if (!isSanctioned && !isAnswered) return undefined;
  const rules = fired.map(({ text }) => text);
  return { isClear: fired.length === 0, isSanctioned, isRisky: has('RISKY'), rules };
}

/** What made the rule fire, in words; undefined where it did not. */
function firedBy({ when }: WalletRule, { listed, oracle, issuer, vendor }: WalletFacts): string | undefined {
  if ('vendor' in when) {
    return vendor && when.vendor.includes(vendor.risk) ? `${vendor.name} ${vendor.risk}` : undefined;
  }
  switch (when.source) {
    case 'OFAC_LIST':
      return listed?.entryId;
    case 'SANCTIONS_ORACLE':
      return oracle?.isSanctioned ? `block ${oracle.blockNumber}` : undefined;
    case 'TOKEN_ISSUER':
      return issuer?.isBlocked ? `${issuer.asset}, block ${issuer.blockNumber}` : undefined;
  }
}
