import * as z from 'zod';
import { getDefined } from '../../functions/domain/get.ts';
import { cpfDigits } from '../../functions/domain/kyc/cpf.ts';
import type { Needs } from '../../functions/domain/ports.ts';
import { CPF_FORM } from '../../functions/entry/client-fields.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../functions/entry/endpoint.ts';
import { vouchFor } from '../partner-keys.ts';
import { sandboxRouteOf } from '../routes.ts';

const Request = z.object({
  cpf: z.string().refine((text) => cpfDigits(text) !== undefined, CPF_FORM),
});

const Answer = () => z.object({ partnerKycToken: z.string() });

export const needs = [...POST_NEEDS] as const;

/**
 * Makes a KYC token for Model 2, as the partner's own KYC vendor would. The token is valid once, for ten
 * minutes.
 */
export async function issuePartnerKycToken(
  { cpf }: z.output<typeof Request>,
  { ids }: Caller,
  { clock }: Needs<typeof needs>,
) {
  return {
    partnerKycToken: await vouchFor(getDefined(cpfDigits(cpf), 'CPF'), {
      id: ids.request(),
      now: clock.now(),
    }),
  };
}

export const handler = endpoint(
  sandboxRouteOf('IssuePartnerKycToken'),
  { request: Request, answer: Answer, errors: [], needs },
  issuePartnerKycToken,
);
