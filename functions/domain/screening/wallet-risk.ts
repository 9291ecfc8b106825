import type { Asset } from '../assets.ts';
import type { EvidenceOf } from './evidence.ts';
import type { IndexInUse } from './screening.ts';

/** The risks of Chainalysis' address screening, in rising order. */
export const VENDOR_RISKS = ['LOW', 'MEDIUM', 'HIGH', 'SEVERE'] as const;
type VendorRisk = (typeof VENDOR_RISKS)[number];

/** The answer of the sanctions oracle's contract at one block. */
export type OracleFinding = { address: string; blockNumber: number; isSanctioned: boolean };
/** The answer of OFAC's list. `entryId` is the id of the entry. Absent if OFAC does not list the address. */
export type ListedFinding = { index: IndexInUse; entryId?: string };
/** The answer of the asset's contract at one block: whether its issuer blocks the address. */
export type IssuerFinding = { asset: Asset; token: string; blockNumber: number; isBlocked: boolean };
/** The vendor's answer. `reason` is the vendor's text about the address, shortened. */
export type VendorFinding = { name: 'CHAINALYSIS'; risk: VendorRisk; reason?: string };

export type WalletSource = 'OFAC_LIST' | 'SANCTIONS_ORACLE' | 'TOKEN_ISSUER' | 'WALLET_VENDOR';

/**
 * The findings about an address. Evidence keeps them unhashed, because they are public data and `decideWallet` must
 * reach the same decision again. `unavailable` names the sources that did not answer. `vendor` is absent in a
 * deployment without a vendor. `issuer` is absent for a wallet that receives no tokens.
 */
export type WalletFacts = {
  listed?: ListedFinding;
  oracle?: OracleFinding;
  issuer?: IssuerFinding;
  vendor?: VendorFinding;
  unavailable: WalletSource[];
};

type WalletDecision = {
  isClear: boolean;
  isSanctioned: boolean;
  isRisky: boolean;
  /** The rules that refused the wallet, in words. */
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

/** Rules that refuse a wallet. One rule that applies is enough: docs/compliance.md, "Effect of a hit". */
const WALLET_RULES: readonly WalletRule[] = [
  { finding: 'SANCTIONED', because: 'listed by OFAC', when: { source: 'OFAC_LIST' } },
  { finding: 'SANCTIONED', because: 'listed by the oracle', when: { source: 'SANCTIONS_ORACLE' } },
  { finding: 'RISKY', because: 'blocked by the issuer', when: { source: 'TOKEN_ISSUER' } },
  { finding: 'RISKY', because: 'risk', when: { vendor: ['HIGH', 'SEVERE'] } },
];

/**
 * Decides from the facts alone. If OFAC or the sanctions oracle lists the wallet, it is refused even if other
 * sources did not answer. Undefined if neither lists it and any source did not answer.
 */
export function decideWallet(facts: WalletFacts): WalletDecision | undefined {
  const fired = WALLET_RULES.flatMap((rule) => {
    const by = walletRuleWords(rule, facts);
    return by === undefined ? [] : [{ finding: rule.finding, text: `${rule.because}: ${by}` }];
  });
  const has = (finding: WalletRule['finding']) => fired.some((each) => each.finding === finding);
  const isSanctioned = has('SANCTIONED');
  const isAnswered = facts.listed && facts.oracle && facts.unavailable.length === 0;
  if (!isSanctioned && !isAnswered) return undefined;
  const rules = fired.map(({ text }) => text);
  return { isClear: fired.length === 0, isSanctioned, isRisky: has('RISKY'), rules };
}

/** The finding for which the rule applies, as a text. Undefined if the rule does not apply. */
function walletRuleWords(
  { when }: WalletRule,
  { listed, oracle, issuer, vendor }: WalletFacts,
): string | undefined {
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
