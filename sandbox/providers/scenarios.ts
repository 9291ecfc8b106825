import { getDefined } from '../../functions/domain/get.ts';

/** A person in an official register or on a document. The birth date is ISO 8601. */
export type Persona = { name: string; birthDate: string };

/** The CPF registry's answer for a CPF that is not simply regular. `obito` is the year of death. */
export type RegistryAnswer = {
  situacao?: { codigo: string; descricao: string };
  status?: 206 | 422 | 451;
  obito?: string;
};

type Scenario = {
  cpf: string;
  /** The effect of the CPF, in a few words. */
  forces: string;
  persona: Persona;
  /** The person on the client's document. Absent if it is the person in the CPF registry. */
  document?: Persona;
  /** The client's data that approve the client in Model 3, where the partner collects them. */
  collected?: Persona & { documentNumber: string };
  /** The number on the client's document. Absent if `persona.ts` makes it from the CPF. */
  documentNumber?: string;
  /**
   * The result of the identity review, and the minutes until it ends. Absent: the review has already ended
   * with GREEN when the client is submitted.
   */
  review?: { answer: 'GREEN' | 'RED'; minutes: number };
  /**
   * How many calls about this CPF the registry answers with 503, before its usual answer. A later submission
   * of the client starts this again.
   */
  registryOutageCalls?: number;
  /** The CPF of another person, who pays this client's Pix unless the payment names a payer. */
  paidBy?: string;
  /** This client's KYC tokens expire at once. `sandbox/instead/api/submit-kyc.ts` makes them. */
  endsAtOnce?: true;
  /**
   * How many tries of the client's transfer revert on the chain. 4 means all tries: the first one and its
   * three retries.
   */
  revertedTransfers?: 3 | 4;
};

const ANOTHER_PAYER = '70000000159';

/**
 * All scenarios of people. Most act through the simulators' lists, the CPF registry's answers or the identity
 * reviews. Some act through the payer or on the chain. A KYC token that expires at once is made in
 * `sandbox/instead`, which replaces the product's endpoint.
 */
export const scenarios: readonly Scenario[] = [
  {
    cpf: '11144477735',
    forces: 'riskTier HIGH',
    persona: { name: 'Benedito Arruda Falquimar', birthDate: '1974-06-21' },
  },
  {
    cpf: '90000000175',
    forces: 'PEP',
    persona: { name: 'Otávia Brandt Quixalins', birthDate: '1968-04-12' },
  },
  {
    cpf: '90000000256',
    forces: 'SANCTIONS_HIT',
    persona: { name: 'Radomir Veltranov Quessandi', birthDate: '1971-09-03' },
  },
  {
    cpf: '90000000337',
    forces: 'PENDING, approved within two minutes',
    review: { answer: 'GREEN', minutes: 1 },
    persona: { name: 'Jandira Peixoto Serravale', birthDate: '1990-01-30' },
  },
  {
    cpf: '90000000418',
    forces: 'PENDING, rejected within two minutes',
    review: { answer: 'RED', minutes: 1 },
    persona: { name: 'Clóvis Amarante Bittenval', birthDate: '1985-11-08' },
  },
  {
    cpf: '90000000507',
    forces: 'IDENTITY_MISMATCH',
    persona: { name: 'Marisol Trindade Acioverde', birthDate: '1993-03-17' },
    document: { name: 'Hortência Galvani Prudêncio', birthDate: '1979-12-02' },
  },
  {
    cpf: '90000000680',
    forces: 'CPF registry down for 3 calls, then up',
    persona: { name: 'Anselmo Quintão Ribalta', birthDate: '1982-07-25' },
    registryOutageCalls: 3,
  },
  {
    cpf: '90000000760',
    forces: 'Pix paid by another CPF',
    persona: { name: 'Dalva Monteiro Estrelacruz', birthDate: '1988-02-14' },
    paidBy: ANOTHER_PAYER,
  },
  {
    cpf: '90000000841',
    forces: 'settlement fails 3 times, then succeeds',
    revertedTransfers: 3,
    persona: { name: 'Evandro Salgueiro Montalvar', birthDate: '1977-10-05' },
  },
  {
    cpf: '90000000922',
    forces: 'settlement never succeeds, refund',
    revertedTransfers: 4,
    persona: { name: 'Filomena Duarte Vasconcerra', birthDate: '1981-05-19' },
  },
  {
    cpf: '90000001066',
    forces: 'the KYC token has expired when it is answered',
    endsAtOnce: true,
    persona: { name: 'Genésio Portela Marquimar', birthDate: '1995-08-11' },
  },
  {
    cpf: '90000001147',
    forces: 'PENDING for a review case',
    // OFAC's simulated list has a person with this name, but with another birth date.
    persona: { name: 'Radomir Veltranov Quessandi', birthDate: '1974-01-17' },
  },
  {
    cpf: '90000001228',
    forces: 'Model 3: approved for the data in `collected`, DATA_MISMATCH for other data',
    persona: { name: 'Iolanda Tavares Brancaforte', birthDate: '1987-09-23' },
    collected: {
      name: 'Iolanda Tavares Brancaforte',
      birthDate: '1987-09-23',
      documentNumber: '12.345.678-X',
    },
    documentNumber: '12345678X',
  },
  {
    cpf: '90000001309',
    forces: 'Model 3: PENDING for the data in `collected`, DATA_MISMATCH within two minutes',
    review: { answer: 'GREEN', minutes: 1 },
    persona: { name: 'Joaquim Ferraz Montesserra', birthDate: '1992-12-06' },
    collected: {
      name: 'Joaquim Ferraz Montesserra',
      birthDate: '1992-12-06',
      documentNumber: '98.765.432-1',
    },
    documentNumber: '98765432X',
  },
];

/** Test CPFs of Serpro's own trial environment. Source: "API Consulta CPF", page of the trial CPFs. */
export const registryTrialCpfs: Readonly<Record<string, RegistryAnswer>> = {
  '40532176871': { situacao: { codigo: '2', descricao: 'SUSPENSA' } },
  '47123586964': { situacao: { codigo: '2', descricao: 'SUSPENSA' } },
  '05137518743': { situacao: { codigo: '3', descricao: 'TITULAR FALECIDO' }, obito: '2023' },
  '08849979878': { situacao: { codigo: '3', descricao: 'TITULAR FALECIDO' }, obito: '2023' },
  '07691852312': { situacao: { codigo: '4', descricao: 'PENDENTE DE REGULARIZAÇÃO' } },
  '10975384600': { situacao: { codigo: '4', descricao: 'PENDENTE DE REGULARIZAÇÃO' } },
  '01648527949': { situacao: { codigo: '5', descricao: 'CANCELADA POR MULTIPLICIDADE' } },
  '47893062592': { situacao: { codigo: '5', descricao: 'CANCELADA POR MULTIPLICIDADE' } },
  '98302514705': { situacao: { codigo: '8', descricao: 'NULA' } },
  '18025346790': { situacao: { codigo: '8', descricao: 'NULA' } },
  '64913872591': { situacao: { codigo: '9', descricao: 'CANCELADA DE OFÍCIO' } },
  '52389071686': { situacao: { codigo: '9', descricao: 'CANCELADA DE OFÍCIO' } },
  '30272095079': { status: 422 },
  '14898746071': { status: 422 },
  '20803407009': { status: 451 },
  '78411139000': { status: 451 },
  '88373571094': { status: 206 },
  '47460609080': { status: 206 },
};

/** The company registry's answer about a company, where it differs from that of an active company. */
export type CompanyAnswer = {
  name?: string;
  /** The code of the company's situation in the registry: see `company-registry.ts`. */
  situacao?: string;
  status?: 206 | 500 | 503;
  missing?: boolean;
};

type CompanyScenario = {
  cnpj: string;
  /** The effect of the CNPJ, in a few words. */
  forces: string;
  answer: CompanyAnswer;
  /**
   * How many calls about this company the registry answers with 503. The next call succeeds, and then the
   * outage begins again.
   */
  outageCalls?: number;
};

/** All scenarios of companies. The simulated lists in `lists/ofac.ts` contain the names of two of them. */
export const companyScenarios: readonly CompanyScenario[] = [
  {
    cnpj: '90000001000129',
    forces: 'SANCTIONS_HIT, by its name',
    answer: { name: 'Crimson Tidewater Group Ltda' },
  },
  {
    cnpj: '90000002000173',
    forces: 'PENDING for a review case, by its name',
    answer: { name: 'Northlight Freight do Brasil Ltda' },
  },
  { cnpj: '90000003000118', forces: 'CNPJ_IRREGULAR: closed', answer: { situacao: '8' } },
  { cnpj: '90000004000162', forces: 'CNPJ_IRREGULAR: unknown', answer: { missing: true } },
  {
    cnpj: '90000005000107',
    forces: 'company registry down for 3 calls, then up',
    answer: {},
    outageCalls: 3,
  },
];

export const findCompanyScenario = (cnpj: string): CompanyScenario | undefined =>
  companyScenarios.find((one) => one.cnpj === cnpj);

/** Test CNPJs of Serpro's own trial environment. Source: "API Consulta CNPJ". */
export const companyTrialCnpjs: Readonly<Record<string, CompanyAnswer>> = {
  '34238864000168': { situacao: '2' },
  '54447820000155': { situacao: '3' },
  '46768703000165': { situacao: '4' },
  '31151791000184': { situacao: '8' },
  '34428654000132': { situacao: '1' },
};

/** The scenario of a CPF. Throws if the CPF has none. */
export const getScenario = (cpf: string): Scenario => getDefined(findScenario(cpf), `scenario of ${cpf}`);

export const findScenario = (cpf: string): Scenario | undefined => scenarios.find((one) => one.cpf === cpf);

/**
 * The payer of a payment that names none: the charge's debtor, or another person if the debtor's scenario
 * says so. Without a charge it is an invented person.
 */
export function paidBy(debtorCpf: string | undefined): string {
  if (debtorCpf === undefined) return ANOTHER_PAYER;
  return findScenario(debtorCpf)?.paidBy ?? debtorCpf;
}
