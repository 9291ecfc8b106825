/** The public keys of a partner's KYC vendor: docs/decisions.md, "Keys of the vendor". */
import { refuse, refuseField } from '../errors.ts';
import type { Partner } from './partner.ts';
import {
  type PartnerTokenIssuer,
  type ProposedKey,
  type PublicJwk,
  TOKEN_ALGORITHMS,
  type VendorJwk,
} from './partner-token.ts';

export const VENDOR_KEY_STATUSES = ['PENDING', 'ACTIVE', 'WITHDRAWN'] as const;
export type VendorKeyStatus = (typeof VENDOR_KEY_STATUSES)[number];
export type VendorKey = { jwk: PublicJwk; status: VendorKeyStatus; proposedAt?: number };

/** A vendor has one key, and two while it changes them. */
export const MOST_VENDOR_KEYS = 5;

type Holder = Pick<Partner, 'kycTokens' | 'proposedKeys' | 'withdrawnKids'>;

/** The members of a JWK that only its owner may have (RFC 7518). */
export const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;
const MEMBERS_OF: Readonly<Record<string, readonly (keyof PublicJwk)[]>> = {
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
  RSA: ['n', 'e'],
};

/** The members that count, if the key is of the kind that its `alg` needs. The values may still be no key. */
export function requireVendorJwk(jwk: VendorJwk): VendorJwk {
  const { kty, kid, alg } = jwk;
  const wanted = TOKEN_ALGORITHMS[alg];
  if (!wanted || wanted.kty !== kty || (wanted.crv ?? jwk.crv) !== jwk.crv)
    refuseField(
      'jwk',
      `must be of kty ${wanted?.kty} ${wanted?.crv ?? ''} for alg ${alg}`.replace('  ', ' '),
    );
  const members = (MEMBERS_OF[kty] ?? []).map((name) => [name, jwk[name]]);
  return { kty, kid, alg, ...(Object.fromEntries(members) as Partial<PublicJwk>) };
}

/** Each key, whatever its status. */
export function vendorKeysOf({ kycTokens, proposedKeys = [], withdrawnKids = [] }: Holder): VendorKey[] {
  const isWithdrawn = ({ kid }: PublicJwk) => kid !== undefined && withdrawnKids.includes(kid);
  const registered = kycTokens?.jwks.keys ?? [];
  return [
    ...registered.map((jwk) => ({
      jwk,
      status: isWithdrawn(jwk) ? ('WITHDRAWN' as const) : ('ACTIVE' as const),
    })),
    ...proposedKeys.map(({ jwk, proposedAt }) => ({ jwk, status: 'PENDING' as const, proposedAt })),
  ];
}

/** The keys that tokens are checked against. */
export const activeKeys = (holder: Holder): PublicJwk[] =>
  vendorKeysOf(holder)
    .filter(({ status }) => status === 'ACTIVE')
    .map(({ jwk }) => jwk);

export function requireVendorKey(holder: Holder, kid: string): VendorKey {
  return vendorKeysOf(holder).find(({ jwk }) => jwk.kid === kid) ?? refuse('VENDOR_KEY_NOT_FOUND');
}

/** The proposals with this one. One of the same request is replaced, because the request is repeated. */
export function withProposed(holder: Holder, proposed: ProposedKey): ProposedKey[] {
  const others = (holder.proposedKeys ?? []).filter(({ request }) => request !== proposed.request);
  const keys = vendorKeysOf({ ...holder, proposedKeys: others });
  const { kid } = proposed.jwk;
  if (keys.some(({ jwk }) => jwk.kid === kid)) refuseField('jwk.kid', 'is the name of another key of yours');
  const live = keys.filter(({ status }) => status !== 'WITHDRAWN');
  if (live.length >= MOST_VENDOR_KEYS) refuse('VENDOR_KEY_LIMIT', { maximum: MOST_VENDOR_KEYS });
  return [...others, proposed];
}

/** A withdrawn proposal is gone. A withdrawn active key stays named, so that no later key takes its name. */
export function withoutVendorKey(holder: Holder, kid: string) {
  const { proposedKeys = [], withdrawnKids = [] } = holder;
  const { status } = requireVendorKey(holder, kid);
  return {
    proposedKeys: proposedKeys.filter(({ jwk }) => jwk.kid !== kid),
    withdrawnKids: status === 'ACTIVE' ? [...withdrawnKids, kid] : withdrawnKids,
  };
}

/**
 * The partner’s keys once an operator has approved a proposal. Undefined if it is gone: another one of the same kid
 * comes from another request.
 */
export function withApproved(
  holder: Holder,
  approved: ProposedKey,
  vendor: Omit<PartnerTokenIssuer, 'jwks'>,
) {
  const { kycTokens, proposedKeys = [] } = holder;
  const others = proposedKeys.filter(({ request }) => request !== approved.request);
  if (others.length === proposedKeys.length) return undefined;
  const keys = [...(kycTokens?.jwks.keys ?? []), approved.jwk];
  return { kycTokens: { ...vendor, jwks: { keys } }, proposedKeys: others };
}
