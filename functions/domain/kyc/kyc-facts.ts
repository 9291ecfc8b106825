import { LIST_EFFECTS, type ListEffects } from '../screening/lists.ts';
import type { Screening } from '../screening/screening.ts';
import type { CrossCheck } from './cross-check.ts';
import type { DocumentHolder, IdentityReview } from './identity.ts';
import type {
  ClientVerdict,
  ClosedEntry,
  CompanyEntry,
  KeyedInputs,
  KycModel,
  RegistryEntry,
} from './kyc.ts';
import type { KycSource } from './kyc-reasons.ts';
import { isOfPerson } from './person-name.ts';

/** The provider's review, with a keyed hash in place of the biometric hash. Only keyed hashes are compared. */
export type KeyedReview = Omit<IdentityReview, 'biometricHash'> & { keyedBiometric?: string };

/**
 * The company registry's answer. Without `entry` the registry does not know the CNPJ. `NO_CNPJ`: the partner gave none.
 */
type CompanyFinding = 'NO_CNPJ' | { entry?: CompanyEntry };

/**
 * All answers of the sources about a client, with personal data. A field is absent if the service did not
 * ask its source, or if the partner did not give the data. It is also absent if its source did not answer
 * (`unavailable`).
 */
export type Findings = KeyedInputs & {
  model: KycModel;
  /** A keyed hash of the CPF, name and birth date for which the sanctions and PEP lists were searched. */
  personHash?: string;
  /** A keyed hash of the CNPJ and company name for which the sanctions and PEP lists were searched. */
  companyHash?: string;
  /** Present only for a legal entity. */
  company?: CompanyFinding;
  /** Without `entry` the registry does not know the CPF. */
  registry?: { entry?: RegistryEntry | ClosedEntry };
  screening?: Screening;
  review?: KeyedReview;
  /** The client's known wallets to which nothing may be sent. */
  refusedWallets: string[];
  /** Present only if the partner gave data to compare. */
  crossCheck?: CrossCheck;
  /** The sources that did not answer. */
  unavailable: KycSource[];
};

/**
 * `UNKNOWN`: the registry does not know the CPF. `MINOR`: the person is a minor, about whom the registry says nothing
 * more.
 */
type RegistryFacts =
  | { situation: RegistryEntry['situation']; isAdult: boolean }
  | { situation: 'UNKNOWN' | 'MINOR'; isAdult?: undefined };

/**
 * The facts of a KYC decision, without personal data. They are stored as evidence, so that `decideKyc` can decide again
 * in the same way.
 */
export type KycFacts = Pick<
  Findings,
  'model' | 'personHash' | 'companyHash' | 'screening' | 'refusedWallets' | 'crossCheck' | 'unavailable'
> & {
  company?: { situation: CompanyEntry['situation'] | 'UNKNOWN' | 'NO_CNPJ' };
  registry?: RegistryFacts;
  review?: Pick<IdentityReview, 'applicantId' | 'status'> & {
    /**
     * Whether the document belongs to the client. `UNKNOWN`: the CPF registry gave no data to compare. Absent until the
     * document was read.
     */
    holder?: 'SAME' | 'OTHER' | 'UNKNOWN';
    /** Present only if both the provider and the partner gave a biometric hash. */
    biometric?: 'SAME' | 'OTHER';
  };
  effects: ListEffects;
  /** A later decision that refused the client: docs/decisions.md, "Screening again". */
  overruledBy?: Pick<ClientVerdict, 'rejectedAt' | 'rejectedFor'>;
};

const ADULT_YEARS = 18;

/** Computes the facts and leaves out the personal data. `today` is an ISO date. */
export function kycFacts(
  findings: Findings,
  { today, effects = LIST_EFFECTS }: { today: string; effects?: ListEffects },
): KycFacts {
  const { model, personHash, companyHash, screening, refusedWallets, unavailable } = findings;
  const { registry, company, review, keyedBiometric, crossCheck } = findings;
  return {
    model,
    personHash,
    companyHash,
    screening,
    refusedWallets,
    crossCheck,
    unavailable,
    effects,
    company: company && companyFacts(company),
    registry: registry && registryFacts(registry.entry, today),
    review: review && {
      applicantId: review.applicantId,
      status: review.status,
      holder: review.holder && holderFact(review.holder, registry?.entry),
      biometric: biometricFact(review.keyedBiometric, keyedBiometric),
    },
  };
}

function companyFacts(company: CompanyFinding): KycFacts['company'] {
  return { situation: company === 'NO_CNPJ' ? company : (company.entry?.situation ?? 'UNKNOWN') };
}

function registryFacts(entry: RegistryEntry | ClosedEntry | undefined, today: string): RegistryFacts {
  if (!entry) return { situation: 'UNKNOWN' };
  if (entry.situation === 'MINOR') return { situation: 'MINOR' };
  return { situation: entry.situation, isAdult: ageAt(entry.birthDate, today) >= ADULT_YEARS };
}

function holderFact(holder: DocumentHolder, entry: RegistryEntry | ClosedEntry | undefined) {
  if (!entry || entry.situation === 'MINOR') return 'UNKNOWN';
  return isOfPerson(holder, entry) ? 'SAME' : 'OTHER';
}

function biometricFact(held: string | undefined, given: string | undefined) {
  if (held === undefined || given === undefined) return undefined;
  return held === given ? 'SAME' : 'OTHER';
}

/** The whole years from one ISO date to another. */
function ageAt(birthDate: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return today.slice(5) < birthDate.slice(5) ? years - 1 : years;
}
