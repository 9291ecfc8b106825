import { Unavailable } from '../../domain/errors.ts';
import { KNOWN_WALLETS } from '../../domain/kyc/client.ts';
import type {
  KeyedInputs,
  KycDecision,
  KycModel,
  KycRecord,
  PersonType,
  Screened,
} from '../../domain/kyc/kyc.ts';
import { decideKyc, type KycEvidence } from '../../domain/kyc/kyc-decision.ts';
import { type Findings, type KeyedReview, type KycFacts, kycFacts } from '../../domain/kyc/kyc-facts.ts';
import type { KycSource } from '../../domain/kyc/kyc-reasons.ts';
import { nameKey } from '../../domain/kyc/person-name.ts';
import type { Needs } from '../../domain/ports.ts';
import { type DecidedPairs, type SearchedHashes, withReviews } from '../../domain/screening/review-case.ts';
import type { Candidate, Identity, Screening } from '../../domain/screening/screening.ts';
import { dayInBrasilia } from '../../domain/time.ts';
import { crossChecked } from './cross-check.ts';
import { keyedBiometricOf } from './keyed-inputs.ts';

export const SOURCE_NEEDS = [
  'cpfRegistry',
  'companyRegistry',
  'sanctions',
  'identity',
  'walletRisk',
  'vault',
  'lookup',
  'listEffects',
  'clock',
  'log',
] as const;
type Ports = Needs<typeof SOURCE_NEEDS>;

/** The client whom a KYC record is about. */
export type KycSubject = {
  clientId: string;
  model: KycModel;
  personType: PersonType;
  cpf: string;
  cnpj?: string;
  /** Whether the client has no row yet. */
  isNew?: boolean;
  /** The wallet addresses of the client's earlier purchases. */
  wallets?: string[];
} & KeyedInputs &
  DecidedPairs;

/**
 * The screening of a client whose name is not searched. The CPF registry does not know the CPF, or the person
 * is a minor, whose data the law protects.
 */
const NOTHING_SEARCHED: Screening = { lists: [], candidates: [] };

/**
 * Asks all sources about a client: spec, "Submit KYC data". The identity provider is not asked in Model 2, nor if the
 * other sources already reject the client. If a source does not answer, the findings name it and use the other answers:
 * docs/decisions.md, "A provider is down".
 */
export async function findOut(subject: KycSubject, ports: Ports): Promise<Findings> {
  const unavailable: KycSource[] = [];
  const asked = async <Answer>(source: KycSource, ask: () => Promise<Answer>) => {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      unavailable.push(source);
      // An alarm is raised, because a person must know of the outage even if no client is refused for it.
      ports.log.raise('ScreeningSilent', error, { source });
      return undefined;
    }
  };
  const [registry, company, refusedWallets = []] = await Promise.all([
    asked('CPF_REGISTRY', async () => ({ entry: await ports.cpfRegistry.findCpf(subject.cpf) })),
    asked('COMPANY_REGISTRY', () => lookUpCompany(subject, ports)),
    asked('WALLET_ORACLE', () => refusedOf(subject, ports)),
  ]);
  const screened = await asked('SANCTIONS_LISTS', () => screen(subject, { registry, company }, ports));
  const { model, keyedBiometric, keyedCollected } = subject;
  const inputs = { model, keyedBiometric, keyedCollected };
  const crossCheck = await crossChecked(subject, { registry }, ports.lookup);
  const findings = { ...inputs, company, registry, ...screened, ...crossCheck, refusedWallets, unavailable };
  // The identity provider is asked last, and only if the other sources do not reject the client. See
  // docs/decisions.md, "Documents and face are verified by the identity provider".
  const isRejected = decideOnFindings(findings, ports).decision.status === 'REJECTED';
  if (subject.model === 2 || isRejected) return findings;
  const review = await asked('IDENTITY_PROVIDER', () => readReview(subject, ports));
  return { ...findings, review, ...(await crossChecked(subject, { registry, review }, ports.lookup)) };
}

/** Asks the company registry about the CNPJ of a legal entity: docs/decisions.md, "Data that the partner collected". */
async function lookUpCompany(
  { personType, cnpj }: KycSubject,
  { companyRegistry }: Ports,
): Promise<Findings['company']> {
  if (personType === 'PF') return undefined;
  return cnpj === undefined ? 'NO_CNPJ' : { entry: await companyRegistry.findCnpj(cnpj) };
}

const companyNameIn = (company: Findings['company']) =>
  typeof company === 'object' ? company.entry?.name : undefined;

export type KycDecided = { facts: KycFacts; decision: KycDecision };

export function decideOnFindings(
  findings: Findings,
  { clock, listEffects }: Pick<Ports, 'clock' | 'listEffects'>,
): KycDecided {
  const facts = kycFacts(findings, { today: dayInBrasilia(clock.now()), effects: listEffects });
  return { facts, decision: decideKyc(facts) };
}

async function screen(
  subject: KycSubject,
  { registry, company }: Pick<Findings, 'registry' | 'company'>,
  ports: Ports,
): Promise<Pick<Findings, 'screening' | 'personHash' | 'companyHash'>> {
  const { cpf, cnpj } = subject;
  // The lists are searched for CPF and CNPJ even if a registry does not answer. Only the names come from the
  // registries.
  const searched = { cpf, cnpj, companyName: companyNameIn(company) };
  if (!registry) return searchLists({ ...searched, name: '', birthDate: '' }, subject, ports);
  const { entry } = registry;
  if (!entry || entry.situation === 'MINOR') return { screening: NOTHING_SEARCHED };
  return searchLists({ ...entry, ...searched }, subject, ports);
}

/**
 * Searches the sanctions lists for a client. Adds to each entry that was found what a reviewer has already
 * decided about it.
 */
export async function searchLists(
  identity: Identity,
  decided: DecidedPairs,
  { sanctions, lookup }: Pick<Ports, 'sanctions' | 'lookup'>,
): Promise<{ screening: Screening } & SearchedHashes> {
  const { cpf, name, birthDate, cnpj, companyName } = identity;
  const [screening, personHash, companyHash] = await Promise.all([
    sanctions.search(identity),
    lookup.fingerprint(`person ${cpf} ${nameKey(name)} ${birthDate}`),
    cnpj && lookup.fingerprint(`company ${cnpj} ${nameKey(companyName ?? '')}`),
  ]);
  const hashes = { personHash, ...(companyHash && { companyHash }) };
  const isUnnamed = ({ of }: Candidate) => (of === 'COMPANY' ? companyName === undefined : name === '');
  const candidates = withReviews(screening.candidates, hashes, decided, isUnnamed);
  return { ...hashes, screening: { ...screening, candidates } };
}

/**
 * The part of a search that the record stores, so that the search can be repeated when the lists change. Empty if the
 * CPF registry gave no name, or if the lists were not searched.
 */
export async function screenedOf(
  { clientId, cnpj }: Pick<KycSubject, 'clientId' | 'cnpj'>,
  { registry, company, screening }: Findings,
  { vault }: Pick<Ports, 'vault'>,
): Promise<Pick<KycRecord, 'identityCipher' | 'screenedWith'>> {
  const entry = registry?.entry;
  if (!screening?.index || !entry || entry.situation === 'MINOR') return {};
  const { name, birthDate } = entry;
  const screened: Screened = { name, birthDate, cnpj, companyName: companyNameIn(company) };
  return {
    identityCipher: await vault.encrypt(JSON.stringify(screened), clientId),
    screenedWith: screening.index.version,
  };
}

/**
 * Checks the risk of the client's earlier wallets, at most `KNOWN_WALLETS` of them. Returns those that are
 * refused: docs/compliance.md, "Effect of a hit".
 */
async function refusedOf({ wallets = [] }: KycSubject, { walletRisk }: Ports): Promise<string[]> {
  const scored = await Promise.all(
    wallets
      .slice(0, KNOWN_WALLETS)
      .map(async (address) => ({ address, ...(await walletRisk.check(address)) })),
  );
  return scored.filter(({ isClear }) => !isClear).map(({ address }) => address);
}

/**
 * Asks the identity provider for the state of the client's verification. The first call for a client creates
 * the applicant at the provider.
 */
async function readReview(
  { clientId, cpf, isNew }: KycSubject,
  { identity, lookup }: Ports,
): Promise<KeyedReview> {
  const { biometricHash, ...rest } = await identity.openApplicant({ clientId, cpf, isNew });
  return { ...rest, keyedBiometric: await keyedBiometricOf(biometricHash, lookup) };
}

/**
 * The evidence of a decision. Besides keyed hashes, its only personal data are those that the lists
 * publish, and refused wallet addresses.
 */
export function kycEvidence(
  evidence: Pick<KycEvidence, 'subject' | 'clientId' | 'at' | 'decidedBy' | 'inputs'>,
  { facts, decision }: KycDecided,
): KycEvidence {
  return { ...evidence, kind: 'kyc', findings: { ...facts }, decision: { ...decision } };
}
