import * as z from 'zod';
import { getDefined } from '../../domain/get.ts';
import type { Needs } from '../../domain/ports.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../entry/endpoint.ts';
import { VendorKeyAnswer } from '../../entry/partner-answers.ts';
import { Jwk } from '../../entry/vendor-key-fields.ts';
import { addProposedKey as propose, VENDOR_KEY_NEEDS } from '../../logic/partners/vendor-keys.ts';
import { routeOf } from '../../routes.ts';

const Request = z.strictObject({ jwk: Jwk });

export const needs = [...POST_NEEDS, ...VENDOR_KEY_NEEDS] as const;

/** Proposes a public key of the partner's KYC vendor: docs/decisions.md, "Partner KYC tokens (Model 2)". */
export function proposeVendorKey(
  { jwk }: z.output<typeof Request>,
  { partner, keyId, ids }: Caller,
  ports: Needs<typeof needs>,
) {
  const by = getDefined(keyId, 'key of the request');
  return propose(partner, { jwk, by, request: ids.request() }, ports);
}

export const handler = endpoint(
  routeOf('ProposeVendorKey'),
  { request: Request, answer: VendorKeyAnswer, errors: ['VENDOR_KEY_LIMIT'], needs },
  proposeVendorKey,
);
