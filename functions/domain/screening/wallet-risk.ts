import type { Asset } from '../assets.ts';
import type { EvidenceOf } from './evidence.ts';
import type { IndexInUse } from './screening.ts';

/** The rising scale of Chainalysis' address screening. */
export const VENDOR_RISKS = ['LOW', 'MEDIUM', 'HIGH', 'SEVERE'] as const;
export type VendorRisk = (typeof VENDOR_RISKS)[number];

/** The answer of the oracle's contract at one block. */
export type OracleFinding = { address: string; blockNumber: number; isSanctioned: boolean };
/** `entryId` is the id of OFAC's entry, if it lists the address. */
export type ListedFinding = { index: IndexInUse; entryId?: string };
/** The answer of the asset's contract at one block: whether its issuer blocks the address. */
export type IssuerFinding = { asset: Asset; token: string; blockNumber: number; isBlocked: boolean };
/** `reason` is the provider's text about the address, shortened. */
export type VendorFinding = { name: 'CHAINALYSIS'; risk: VendorRisk; reason?: string };

export type WalletSource = 'OFAC_LIST' | 'SANCTIONS_ORACLE' | 'TOKEN_ISSUER' | 'WALLET_VENDOR';

/**
 * The findings about an address. They are public data. Evidence keeps them whole, so that `decideWallet` decides the
 * same. `unavailable` has the sources that did not answer. `vendor` is absent in a deployment without one, and
 * `issuer` for a wallet to which nothing is sent.
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

/** Each rule that fires refuses the wallet: docs/decisions.md, "Wallet risk". */
export const WALLET_RULES: readonly WalletRule[] = [
  { finding: 'SANCTIONED', because: 'listed by OFAC', when: { source: 'OFAC_LIST' } },
  { finding: 'SANCTIONED', because: 'listed by the oracle', when: { source: 'SANCTIONS_ORACLE' } },
  { finding: 'RISKY', because: 'blocked by the issuer', when: { source: 'TOKEN_ISSUER' } },
  { finding: 'RISKY', because: 'risk', when: { vendor: ['HIGH', 'SEVERE'] } },
];

/**
 * Decides from the facts alone. A wallet that OFAC or the oracle lists is refused even if other sources do not
 * answer. Undefined: neither of them lists the wallet, and a source has not answered.
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

/** The facts that made the rule fire, in words; undefined if it did not fire. */
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
