import * as z from 'zod';
import { getDefined } from '../../domain/get.ts';
import type { Needs } from '../../domain/ports.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../entry/endpoint.ts';
import { VENDOR_KEY_NEEDS, markWithdrawn as withdraw } from '../../logic/partners/vendor-keys.ts';
import { routeOf } from '../../routes.ts';

const Request = z.object({ kid: z.string().max(256) });

const Answer = () => z.object({ kid: z.string(), status: z.literal('WITHDRAWN') });

export const needs = [...POST_NEEDS, ...VENDOR_KEY_NEEDS] as const;

/** Withdraws an active key of the vendor, or a proposed one: docs/decisions.md, "Partner KYC tokens (Model 2)". */
export function withdrawVendorKey(
  { kid }: z.output<typeof Request>,
  { partner, keyId, ids }: Caller,
  ports: Needs<typeof needs>,
) {
  const by = getDefined(keyId, 'key of the request');
  return withdraw(partner, { kid, by, request: ids.request() }, ports);
}

export const handler = endpoint(
  routeOf('WithdrawVendorKey'),
  { request: Request, answer: Answer, errors: ['VENDOR_KEY_NOT_FOUND'], needs },
  withdrawVendorKey,
);
