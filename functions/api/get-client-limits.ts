import * as z from 'zod';
import { kycStanding, requireKycRecord } from '../domain/kyc/kyc.ts';
import type { Needs } from '../domain/ports.ts';
import { LIMIT_NAMES } from '../domain/purchase/usage.ts';
import { isoInstant } from '../domain/time.ts';
import { Instant } from '../entry/answer-parts.ts';
import { type Caller, endpoint, GET_NEEDS } from '../entry/endpoint.ts';
import { readUsage, usageLimits } from '../logic/purchase/claim-charge.ts';
import { getClient } from '../logic/rows.ts';
import { routeOf } from '../routes.ts';

const Request = z.object({ kycToken: z.string() });

const Answer = () =>
  z.object({
    limits: z.array(
      z.object({
        limit: z.enum(LIMIT_NAMES),
        maximum: z.number(),
        used: z.number(),
        remaining: z.number(),
        resetsAt: Instant(),
      }),
    ),
  });

export const needs = [
  ...GET_NEEDS,
  'kycRecords:read',
  'clients:read',
  'usages:read',
  'chargeLimits',
  'clock',
] as const;

/**
 * The limits of a client at this partner, as they apply to the next purchase: docs/decisions.md, "Charge
 * limits of a client". An expired KYC token is also accepted, because the limits belong to the client and not
 * to the token.
 */
export async function getClientLimits(
  { kycToken }: z.output<typeof Request>,
  { partner }: Caller,
  ports: Needs<typeof needs>,
) {
  const record = requireKycRecord(await ports.kycRecords.findRecord(kycToken), partner.id);
  const [client, usage] = await Promise.all([
    getClient(ports.clients, record.clientId),
    readUsage(record.clientId, ports),
  ]);
  const { riskTier } = kycStanding(record, client);
  const states = usageLimits({ riskTier, client, partner }, usage, ports);
  return { limits: states.map((state) => ({ ...state, resetsAt: isoInstant(state.resetsAt) })) };
}

export const handler = endpoint(
  routeOf('GetClientLimits'),
  { request: Request, answer: Answer, errors: ['KYC_TOKEN_NOT_FOUND'], needs },
  getClientLimits,
);
