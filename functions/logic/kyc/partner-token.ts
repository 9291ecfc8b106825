import { refuse } from '../../domain/errors.ts';
import type { TokenUse } from '../../domain/kyc/kyc-ports.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import { type JudgedToken, judgeClaims, type TokenFault } from '../../domain/partners/partner-token.ts';
import { activeKeys } from '../../domain/partners/vendor-key.ts';
import type { Needs } from '../../domain/ports.ts';

export const PARTNER_TOKEN_NEEDS = ['partnerTokens', 'lookup', 'clock', 'log'] as const;
type Ports = Needs<typeof PARTNER_TOKEN_NEEDS>;

/**
 * A Model 2 request: the partner's KYC token, the client's CPF, and all fields by which a repetition of the
 * request is recognised.
 */
type Vouched = { token: string; cpf: string; request: Record<string, unknown> };

/**
 * Verifies a partner's KYC token, and refuses a bad one with `KYC_REJECTED`: docs/decisions.md, "Partner KYC
 * tokens (Model 2)". For a good token it returns the `TokenUse`, which marks the token as used. The caller
 * saves it together with the KYC record, so that the token cannot be used again.
 */
export async function requirePartnerToken(
  vouched: Vouched,
  partner: Partner,
  ports: Ports,
): Promise<TokenUse> {
  const judged = await judgeToken(vouched, partner, ports);
  if ('fault' in judged) return refuseToken(judged.fault, partner, ports);
  const [tokenIdHash, requestHash] = await Promise.all([
    ports.lookup.fingerprint(`partner token ${partner.id} ${judged.id}`),
    ports.lookup.fingerprint(JSON.stringify(vouched.request)),
  ]);
  return { partnerId: partner.id, kid: judged.kid, tokenIdHash, requestHash };
}

async function judgeToken(
  { token, cpf }: Vouched,
  partner: Partner,
  { partnerTokens, clock }: Ports,
): Promise<JudgedToken<{ id: string; kid: string }>> {
  if (!partner.kycTokens) return { fault: 'NOT_REGISTERED' };
  const { issuer, audience } = partner.kycTokens;
  const opened = await partnerTokens.open(token, activeKeys(partner));
  if ('fault' in opened) return opened;
  const judged = judgeClaims(opened.claims, { issuer, audience, cpf, now: clock.now() });
  return 'fault' in judged ? judged : { ...judged, kid: opened.kid };
}

/** Refuses a token, and names its fault: docs/decisions.md, "Partner KYC tokens (Model 2)". */
export function refuseToken(fault: TokenFault, partner: Partner, { log }: Pick<Ports, 'log'>): never {
  log.info('partner KYC token refused', { partnerId: partner.id, fault });
  refuse('KYC_REJECTED', { reason: 'PARTNER_TOKEN_INVALID', fault });
}
