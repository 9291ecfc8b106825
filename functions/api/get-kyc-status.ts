import * as z from 'zod';
import type { Client } from '../domain/kyc/client.ts';
import { type KycRecord, laterFacts, requireKycRecord } from '../domain/kyc/kyc.ts';
import { kycAnswer } from '../domain/kyc/kyc-answer.ts';
import type { Needs } from '../domain/ports.ts';
import { KycRecord as Answer } from '../entry/answer-parts.ts';
import { type Asking, type Caller, endpoint, GET_NEEDS } from '../entry/endpoint.ts';
import { getClient } from '../logic/rows.ts';
import { routeOf } from '../routes.ts';

const Request = z.object({ kycToken: z.string() });

export const needs = [...GET_NEEDS, 'kycRecords:read', 'clients:read'] as const;

type Request = z.output<typeof Request>;
type Ports = Needs<typeof needs>;
type RecordAndClient = { record: KycRecord; client: Client };

async function read({ kycToken }: Request, { partner }: Asking, ports: Ports): Promise<RecordAndClient> {
  const record = requireKycRecord(await ports.kycRecords.findRecord(kycToken), (await partner).id);
  // This client always exists, because the submission that made the token has stored it.
  return { record, client: await getClient(ports.clients, record.clientId) };
}

/** Answers the partner's own KYC record, with the status that a new purchase would see: spec, endpoint 2. */
export async function getKycStatus(request: Request, caller: Caller<RecordAndClient>, ports: Ports) {
  const { record, client } = await (caller.early ?? read(request, caller, ports));
  return kycAnswer(record, laterFacts(client, caller.partner), ports.clock.now());
}

export const handler = endpoint(
  routeOf('GetKycStatus'),
  { request: Request, answer: Answer, errors: ['KYC_TOKEN_NOT_FOUND'], needs, read },
  getKycStatus,
);
