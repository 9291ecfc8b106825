import { dayInBrasilia } from '../domain/brasilia.ts';
import { KNOWN_WALLETS } from '../domain/challenge.ts';
import { Unavailable } from '../domain/errors.ts';
import type { IdentityReview } from '../domain/identity.ts';
import { decideKyc, type Findings, type KycDecision, type KycModel, type KycSource } from '../domain/kyc.ts';
import type { Needs } from '../domain/ports.ts';
import type { Evidence, Screening } from '../domain/screening.ts';

export const SOURCE_NEEDS = ['cpfRegistry', 'sanctions', 'identity', 'walletRisk', 'clock', 'log'] as const;
type Ports = Needs<typeof SOURCE_NEEDS>;

/** Whom a KYC record is about. */
export type Subject = {
  clientId: string;
  model: KycModel;
  cpf: string;
  cnpj?: string;
  /** Destinations of the client's earlier purchases. */
  wallets?: string[];
};

/** Without a name there is nobody to search for: the registry does not have the number, or keeps a minor's closed. */
const NOTHING_SEARCHED: Screening = { lists: [], candidates: [], hits: [] };

/**
 * Asks everybody who knows something of a client: spec, "Submit KYC data". Who does not answer is named in the
 * findings, and the others still count: docs/decisions.md, "Providers down during a KYC submission".
 */
export async function findOut(subject: Subject, ports: Ports): Promise<Findings> {
  const unavailable: KycSource[] = [];
  const asked = async <Answer>(source: KycSource, ask: () => Promise<Answer>) => {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      unavailable.push(source);
      // An error: a person must know of an outage, although nobody is refused for it.
      ports.log.error('no answer during KYC', error, { source });
      return undefined;
    }
  };
  const [registry, sanctionedWallets = []] = await Promise.all([
    asked('CPF_REGISTRY', async () => ({ entry: await ports.cpfRegistry.findCpf(subject.cpf) })),
    asked('WALLET_ORACLE', () => sanctionedOf(subject, ports)),
  ]);
  const screening = registry && (await asked('SANCTIONS_LISTS', () => search(subject, registry, ports)));
  const findings = { model: subject.model, registry, screening, sanctionedWallets, unavailable };
  // docs/decisions.md, "Documents and face are verified by the identity provider".
  const isRejected = decideKyc(findings, todayOf(ports)).status === 'REJECTED';
  if (subject.model === 2 || isRejected) return findings;
  return { ...findings, review: await asked('IDENTITY_PROVIDER', () => reviewOf(subject, ports)) };
}

export function decide(findings: Findings, ports: Pick<Ports, 'clock'>): KycDecision {
  return decideKyc(findings, todayOf(ports));
}

const todayOf = ({ clock }: Pick<Ports, 'clock'>) => dayInBrasilia(clock.now());

async function search(
  { cnpj }: Subject,
  { entry }: NonNullable<Findings['registry']>,
  { sanctions }: Ports,
): Promise<Screening> {
  return entry && entry.situation !== 'MINOR' ? sanctions.search({ ...entry, cnpj }) : NOTHING_SEARCHED;
}

/** The wallets that the client is known by: docs/decisions.md, "Wallet risk scoring at KYC". */
async function sanctionedOf({ wallets = [] }: Subject, { walletRisk }: Ports): Promise<string[]> {
  const scored = await Promise.all(
    wallets
      .slice(0, KNOWN_WALLETS)
      .map(async (address) => ({ address, ...(await walletRisk.check(address)) })),
  );
  return scored.filter(({ isSanctioned }) => isSanctioned).map(({ address }) => address);
}

/** Where the provider's verification stands; the first look makes the applicant. */
async function reviewOf({ clientId, cpf }: Subject, { identity }: Ports): Promise<IdentityReview> {
  const { applicantId } = await identity.openApplicant({ clientId, cpf });
  return (await identity.findReview(clientId)) ?? { applicantId, status: 'PENDING' };
}

/** The findings as compliance may read them: nothing of a person but what the lists publish. */
export function evidenceOf(
  evidence: Pick<Evidence, 'subject' | 'at' | 'decidedBy' | 'inputs'>,
  { registry, screening, review, sanctionedWallets, unavailable }: Findings,
  decision: KycDecision,
): Evidence {
  return {
    ...evidence,
    kind: 'kyc',
    findings: {
      ...(screening ?? NOTHING_SEARCHED),
      registry: registry && { situation: registry.entry?.situation ?? 'UNKNOWN' },
      review: review && { applicantId: review.applicantId, status: review.status },
      sanctionedWallets,
      unavailable,
    },
    decision: { ...decision },
  };
}
