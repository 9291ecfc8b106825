import * as z from 'zod';
import { kycAnswer, requireKycRecord } from '../domain/kyc/kyc.ts';
import type { Needs } from '../domain/ports.ts';
import { type Caller, endpoint, GET_NEEDS } from '../entry/endpoint.ts';
import { getClient } from '../logic/rows.ts';
import { routeOf } from '../routes.ts';

const Request = z.object({ kycToken: z.string() });

export const needs = [...GET_NEEDS, 'kycRecords:read', 'clients:read'] as const;

/** The partner's own KYC record, judged as initiate would judge it: spec, endpoint 2. */
export async function getKycStatus(
  { kycToken }: z.output<typeof Request>,
  { partner }: Caller,
  { kycRecords, clients, clock }: Needs<typeof needs>,
) {
  const record = requireKycRecord(await kycRecords.findRecord(kycToken), partner.id);
  // The submission that made the token has stored the client.
  const client = await getClient(clients, record.clientId);
  return kycAnswer(record, client, clock.now());
}

export const handler = endpoint(routeOf('GetKycStatus'), { request: Request, needs }, getKycStatus);
