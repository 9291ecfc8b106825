import * as z from 'zod';
import { cnpjCharacters, cpfDigits } from '../domain/cpf.ts';
import { refuse } from '../domain/errors.ts';
import { decideKyc, KYC_LIFE_MS, type KycDecision, type KycRecord } from '../domain/kyc.ts';
import type { Needs } from '../domain/ports.ts';
import type { Evidence, Screening } from '../domain/screening.ts';
import { type Caller, endpoint, POST_NEEDS } from '../edge/endpoint.ts';
import { newTotpSecret } from '../edge/totp.ts';
import { routeOf } from '../routes.ts';
import { kycAnswer } from './get-kyc-status.ts';

const Cpf = z.string().transform((text, context) => {
  const digits = cpfDigits(text);
  if (digits === undefined) context.addIssue('must be a CPF with valid check digits');
  return digits ?? z.NEVER;
});

const Cnpj = z.string().transform((text, context) => {
  const characters = cnpjCharacters(text);
  if (characters === undefined) context.addIssue('must be a CNPJ with valid check digits');
  return characters ?? z.NEVER;
});

const Fields = z.object({
  cpf: Cpf,
  biometricHash: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/i, 'must be sha256:<64 hex digits>')
    .optional(),
  personType: z.enum(['PF', 'PJ']).default('PF'),
  cnpj: Cnpj.optional(),
  partnerKycToken: z.string().min(1).max(8192).optional(),
  mode: z.literal('shared').optional(),
});

const Request = Fields.refine((fields) => fields.biometricHash ?? fields.partnerKycToken, {
  path: ['biometricHash'],
  message: 'is required without partnerKycToken',
}).refine((fields) => !(fields.mode && fields.partnerKycToken), {
  path: ['mode'],
  message: 'shared cannot be combined with partnerKycToken',
});
type Request = z.output<typeof Request>;

export const needs = [
  ...POST_NEEDS,
  'cpfRegistry',
  'sanctions',
  // Grants the table: the evidence is written together with the record.
  'evidence',
  'clients',
  'kycRecords',
] as const;
type Ports = Needs<typeof needs>;

/**
 * Screens a client and issues a KYC token: spec, endpoint 1. A retried request finds the record of its first try.
 */
export async function submitKyc(request: Request, { partner, ids }: Caller, ports: Ports) {
  // Nothing vouches for the token: docs/decisions.md, "Partner KYC tokens (Model 2)".
  if (request.partnerKycToken) refuse('KYC_REJECTED', { reason: 'PARTNER_TOKEN_INVALID' });
  const clientId = await ports.vault.fingerprint(`${partner.id}:${request.cpf}`);
  const { decision, screening } = await screen(request, ports);

  const issued = newRecord(request, { partner, ids }, clientId, decision, ports);
  const record = await ports.kycRecords.create(issued, evidenceOf(issued, request, { decision, screening }));
  await enrol(record, request.cpf, ports);
  if (record.status === 'REJECTED') refuse('KYC_REJECTED', { reason: record.reason });
  return kycAnswer(record, ports.clock.now());
}

const NOTHING_SEARCHED: Screening = { lists: [], candidates: [], hits: [] };

async function screen({ cpf, cnpj }: Request, { cpfRegistry, sanctions, clock }: Ports) {
  const entry = await cpfRegistry.findCpf(cpf);
  const screening = entry ? await sanctions.search({ ...entry, cnpj }) : NOTHING_SEARCHED;
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  return { screening, decision: decideKyc(entry, screening, today) };
}

function newRecord(
  request: Request,
  { partner, ids }: Caller,
  clientId: string,
  decision: KycDecision,
  { clock }: Ports,
): KycRecord {
  const issuedAt = clock.now();
  return {
    token: ids.kycToken(),
    partnerId: partner.id,
    clientId,
    model: request.mode === 'shared' ? 3 : 1,
    personType: request.personType,
    status: decision.status,
    riskTier: decision.riskTier,
    reason: decision.reason,
    issuedAt,
    expiresAt: issuedAt + KYC_LIFE_MS,
  };
}

function evidenceOf(
  record: KycRecord,
  request: Request,
  found: { decision: KycDecision; screening: Screening },
): Evidence {
  return {
    subject: record.token,
    kind: 'kyc',
    at: record.issuedAt,
    decidedBy: 'SubmitKyc',
    inputs: { clientId: record.clientId, biometricHash: request.biometricHash, model: record.model },
    findings: { ...found.screening },
    decision: { ...found.decision },
  };
}

/** The client's TOTP secret is made with the first submission and stays: put-if-absent. */
async function enrol(record: KycRecord, cpf: string, { clients, vault, random }: Ports): Promise<void> {
  if (await clients.findClient(record.clientId)) return;
  await clients.create({
    id: record.clientId,
    partnerId: record.partnerId,
    cpfCipher: await vault.encrypt(cpf, record.clientId),
    totpCipher: await vault.encrypt(newTotpSecret(random), record.clientId),
    wrongCodes: 0,
  });
}

export const handler = endpoint(routeOf('SubmitKyc'), { request: Request, needs }, submitKyc);
