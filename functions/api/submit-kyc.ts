import * as z from 'zod';
import { allEnded, begun } from '../domain/begun.ts';
import { refuse, Unavailable } from '../domain/errors.ts';
import { type Client, requireWelcome } from '../domain/kyc/client.ts';
import { COLLECTED } from '../domain/kyc/cross-check.ts';
import {
  KYC_LIFE_MS,
  type KycModel,
  type KycRecord,
  laterFacts,
  nextCheckOf,
  verdictOf,
} from '../domain/kyc/kyc.ts';
import { kycAnswer } from '../domain/kyc/kyc-answer.ts';
import type { Findings } from '../domain/kyc/kyc-facts.ts';
import type { TokenUse } from '../domain/kyc/kyc-ports.ts';
import type { Partner } from '../domain/partners/partner.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { kycFields } from '../entry/answer-parts.ts';
import { BirthDate, Cnpj, Cpf, DocumentNumber, PersonName } from '../entry/client-fields.ts';
import { type Asking, type Caller, endpoint, POST_NEEDS } from '../entry/endpoint.ts';
import { withRules } from '../entry/field-rules.ts';
import { clientIdOf } from '../logic/kyc/client-id.ts';
import { keyedInputsOf } from '../logic/kyc/keyed-inputs.ts';
import {
  decideOnFindings,
  findOut,
  type KycDecided,
  kycEvidence,
  SOURCE_NEEDS,
  screenedOf,
} from '../logic/kyc/know-client.ts';
import { PARTNER_TOKEN_NEEDS, refuseToken, requirePartnerToken } from '../logic/kyc/partner-token.ts';
import { isBlockedEverywhere, personIdOf } from '../logic/kyc/person-blocks.ts';
import { findPlenty, QUOTA_NEEDS, requireQuota } from '../logic/kyc/registry-quota.ts';
import { openPairsOf, reportHits, reviewCasesOf } from '../logic/kyc/review-cases.ts';
import { newTotpSecret } from '../logic/purchase/totp.ts';
import { getClient, getKycRecord } from '../logic/rows.ts';
import { routeOf } from '../routes.ts';

const Fields = z.object({
  cpf: Cpf,
  biometricHash: z
    .string()
    .regex(/^sha256:[0-9a-fA-F]{64}$/, 'must be sha256:<64 hex digits>')
    .optional(),
  personType: z.enum(['PF', 'PJ']).default('PF'),
  cnpj: Cnpj.optional(),
  partnerKycToken: z.string().min(1).max(8192).optional(),
  mode: z.literal('shared').optional(),
  name: PersonName.optional(),
  birthDate: BirthDate.optional(),
  documentNumber: DocumentNumber.optional(),
});

const Request = withRules(
  Fields,
  {
    path: 'biometricHash',
    message: 'is required without partnerKycToken',
    holds: ({ biometricHash, partnerKycToken }) => (biometricHash ?? partnerKycToken) !== undefined,
  },
  {
    path: 'mode',
    message: 'shared cannot be combined with partnerKycToken',
    holds: ({ mode, partnerKycToken }) => !(mode && partnerKycToken),
  },
  // Only a legal entity has a CNPJ: docs/decisions.md, "Data that the partner collected".
  {
    path: 'cnpj',
    message: 'goes with personType PJ only',
    holds: ({ cnpj, personType }) => !(cnpj && personType === 'PF'),
  },
  // Only `mode: shared` may carry these fields: docs/decisions.md, "Data that the partner collected".
  ...COLLECTED.map((path) => ({
    path,
    message: 'goes with mode shared only',
    holds: (fields: Partial<z.output<typeof Fields>>) => !(fields[path] && fields.mode !== 'shared'),
  })),
);
type Request = z.output<typeof Request>;

const Answer = () =>
  z.object({
    ...kycFields(),
    verificationUrl: z.url().optional(),
    widgetToken: z.string().optional(),
  });

export const needs = [
  ...POST_NEEDS,
  ...SOURCE_NEEDS,
  ...PARTNER_TOKEN_NEEDS,
  ...QUOTA_NEEDS,
  // Grants writes of evidence, which is written in one transaction with the record.
  'evidence',
  ...(['clients', 'newClients', 'personBlocks:read', 'totpSealer', 'kycRecords'] as const),
] as const;
type Ports = Needs<typeof needs>;

/** A link to the provider's page lives as long as the KYC token. A widget token lives for one session. */
const LINK_SECONDS = KYC_LIFE_MS / 1000;
const WIDGET_SECONDS = 60 * 60;

/** The client's row is absent at its first submission. `hasPlenty`: the partner has many look-ups left today. */
export type SubmissionBasis = {
  issuedAt: number;
  clientId: string;
  personId: string;
  known?: Client;
  isBlocked: boolean;
  hasPlenty: boolean;
};

async function read({ cpf }: Request, { partner }: Asking, ports: Ports): Promise<SubmissionBasis> {
  const { clients, clock, lookup } = ports;
  const proven = await partner;
  // The instant is taken before the client is read. A decision that is made after this reading is then later
  // than the token, and also applies to it.
  const issuedAt = clock.now();
  const [clientId, personId] = await Promise.all([
    clientIdOf({ partnerId: proven.id, cpf }, lookup),
    personIdOf(cpf, lookup),
  ]);
  const [known, isBlocked, hasPlenty] = await Promise.all([
    clients.findClient(clientId),
    isBlockedEverywhere(personId, ports),
    findPlenty(proven, ports),
  ]);
  return { issuedAt, clientId, personId, known, isBlocked, hasPlenty };
}

/** Screens a client and issues a KYC token: spec, endpoint 1. A repeated request gets the record of its first try. */
export async function submitKyc(request: Request, caller: Caller<SubmissionBasis>, ports: Ports) {
  const { partner, ids } = caller;
  const early = await (caller.early ?? read(request, caller, ports));
  const { issuedAt, clientId, personId, known } = early;
  const use = await tokenUseOf(request, partner, ports);
  // This check comes before the service asks any source, because each answer costs money.
  requireWelcome(!early.isBlocked);
  const counted = begun(requireQuota(request, partner, ports));
  // If many look-ups are left, they are counted while they are made: docs/decisions.md, "Limits of a partner".
  if (!early.hasPlenty) await counted;
  const keyed = await keyedInputsOf(request, clientId, ports.lookup);
  // A client without a row has no wallets yet, and no reviewer has decided about the client.
  const { wallets, clearedPairs, confirmedPairs } = known ?? {};
  const before = { wallets, clearedPairs, confirmedPairs };
  const { cpf, personType, cnpj } = request;
  const who = { cpf, personType, cnpj, clientId, isNew: known === undefined };
  const subject = { ...who, ...keyed, ...before, model: modelOf(request) };
  const enrolling = enrolled(cpf, { ...early, partnerId: partner.id }, ports);
  const [, client, findings] = await allEnded([counted, enrolling, findOut(subject, ports)]);
  const decided = decideOnFindings(findings, ports);
  // The decision against the client is saved first. It then applies to older tokens even if a later call
  // fails.
  const verdict = verdictOf(decided.decision, ports.clock.now());
  if (verdict) await ports.clients.noteVerdict(client.id, verdict);

  const made = { token: ids.kycToken(), issuedAt, client, personId, findings, decided, use };
  const issued = await newRecord(request, made, ports);
  const evidence = evidenceOfRequest(issued, findings, { use, decided });
  const cases = await reviewCasesOf(issued, decided, ports);
  // Reads the client again, because an operator may have decided about it while this submission asked its sources.
  const [record, present] = await Promise.all([
    ports.kycRecords.create(issued, evidence, { use, cases }),
    getClient(ports.clients, clientId),
  ]);
  if (!record) return refuseToken('USED', partner, ports);
  reportHits(cases, ports.log);
  const told = kycAnswer(record, present, ports.clock.now());
  // The vendor's token gave a record that has ended, so the token counts as used.
  if (use && told.status === 'EXPIRED') return refuseToken('USED', partner, ports);
  if (told.status === 'REJECTED') refuse('KYC_REJECTED', { reason: told.reason });
  return { ...told, ...(await wayToVerify(record, findings, ports)) };
}

function modelOf({ partnerKycToken, mode }: Request): KycModel {
  if (partnerKycToken !== undefined) return 2;
  return mode === 'shared' ? 3 : 1;
}

async function tokenUseOf(request: Request, partner: Partner, ports: Ports): Promise<TokenUse | undefined> {
  const { partnerKycToken: token, cpf } = request;
  return token === undefined ? undefined : requirePartnerToken({ token, cpf, request }, partner, ports);
}

/** The client's row. It lives at least as long as the KYC token. The first submission creates it, with its secret. */
async function enrolled(
  cpf: string,
  { clientId: id, partnerId, known, issuedAt }: SubmissionBasis & { partnerId: string },
  { clients, newClients, vault, totpSealer, random }: Ports,
): Promise<Client> {
  const until = issuedAt + KYC_LIFE_MS;
  if (known) {
    await clients.keep(id, until);
    return known;
  }
  const [cpfCipher, totpCipher] = await Promise.all([
    vault.encrypt(cpf, id),
    totpSealer.encrypt(newTotpSecret(random), id),
  ]);
  const client = { id, partnerId, cpfCipher, totpCipher, wrongCodes: 0, createdAt: issuedAt };
  return newClients.create(client, until);
}

type New = Pick<SubmissionBasis, 'issuedAt' | 'personId'> & {
  token: string;
  client: Client;
  findings: Findings;
  decided: KycDecided;
  use?: TokenUse;
};

async function newRecord(
  request: Request,
  { token, issuedAt, client, personId, findings, use, decided: { facts, decision } }: New,
  { clock, vault }: Ports,
): Promise<KycRecord> {
  const { personType, cnpj } = request;
  const { rules: _, ...outcome } = decision;
  const submission = {
    token,
    partnerId: client.partnerId,
    clientId: client.id,
    personId,
    model: modelOf(request),
    ...(use && { vendorKid: use.kid }),
    personType,
    issuedAt,
    expiresAt: issuedAt + KYC_LIFE_MS,
    ...(await screenedOf({ clientId: client.id, cnpj }, findings, { vault })),
  };
  if (outcome.status !== 'PENDING') return { ...submission, ...outcome };
  return {
    ...submission,
    ...outcome,
    nextCheckAt: nextCheckOf(0, instantOf(clock)),
    checks: 0,
    unanswered: findings.unavailable,
    openPairs: openPairsOf(facts),
    keyedBiometric: findings.keyedBiometric,
    keyedCollected: findings.keyedCollected,
    cnpjCipher: cnpj && (await vault.encrypt(cnpj, client.id)),
  };
}

function evidenceOfRequest(
  { token, issuedAt, clientId, model }: KycRecord,
  { keyedBiometric, keyedCollected }: Findings,
  { use, decided }: { use?: TokenUse; decided: KycDecided },
) {
  const inputs = { clientId, keyedBiometric, keyedCollected, model, partnerTokenHash: use?.tokenIdHash };
  return kycEvidence({ subject: token, clientId, at: issuedAt, decidedBy: 'SubmitKyc', inputs }, decided);
}

/**
 * How the client of a PENDING record can show documents and face: by a link, or by a widget token. If the provider
 * gives neither now, the submission succeeds nevertheless. See docs/decisions.md, "Documents and face are verified by
 * the identity provider".
 */
async function wayToVerify(
  { status, model, clientId }: KycRecord,
  { review }: Findings,
  { identity, log }: Ports,
) {
  if (status !== 'PENDING' || review?.status !== 'PENDING') return {};
  try {
    return model === 3
      ? { widgetToken: await identity.widgetToken(clientId, WIDGET_SECONDS) }
      : { verificationUrl: await identity.verificationLink(clientId, LINK_SECONDS) };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.warn('no link to the verification', error);
    return {};
  }
}

type Answer = z.output<ReturnType<typeof Answer>>;

/** The answer to a repeated request, within a day. Like that of `getKycStatus`, it includes later decisions. */
async function replay(answer: Answer, ports: Ports, partner: Partner): Promise<Answer> {
  const record = await getKycRecord(ports.kycRecords, answer.token);
  const client = await getClient(ports.clients, record.clientId);
  const told = kycAnswer(record, laterFacts(client, partner), ports.clock.now());
  const isOver = told.status === 'REJECTED' || told.status === 'EXPIRED';
  return isOver ? told : { ...answer, riskTier: told.riskTier };
}

export const handler = endpoint(
  routeOf('SubmitKyc'),
  {
    request: Request,
    answer: Answer,
    errors: ['KYC_QUOTA_EXCEEDED', 'KYC_REJECTED', 'CLIENT_BLOCKED'],
    needs,
    read,
    replay,
  },
  submitKyc,
);
