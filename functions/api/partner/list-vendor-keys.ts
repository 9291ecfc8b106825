import * as z from 'zod';
import { vendorKeysOf } from '../../domain/partners/vendor-key.ts';
import type { Needs } from '../../domain/ports.ts';
import { type Caller, endpoint, GET_NEEDS } from '../../entry/endpoint.ts';
import { VendorKeyAnswer } from '../../entry/partner-answers.ts';
import { vendorKeyView } from '../../logic/partners/vendor-keys.ts';
import { routeOf } from '../../routes.ts';

const Answer = () => z.object({ keys: z.array(VendorKeyAnswer()) });

export const needs = [...GET_NEEDS, 'partnerTokens'] as const;

/** Lists the keys of the partner's KYC vendor: docs/decisions.md, "Partner KYC tokens (Model 2)". */
export async function listVendorKeys(
  _: unknown,
  { partner }: Caller,
  { partnerTokens }: Needs<typeof needs>,
) {
  const views = vendorKeysOf(partner).map(async (key) =>
    vendorKeyView(key, await partnerTokens.thumbprintOf(key.jwk)),
  );
  return { keys: await Promise.all(views) };
}

export const handler = endpoint(
  routeOf('ListVendorKeys'),
  { request: z.object({}), answer: Answer, errors: [], needs },
  listVendorKeys,
);
