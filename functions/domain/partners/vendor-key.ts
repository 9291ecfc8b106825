/** Rules for the public keys of a partner's KYC vendor: docs/decisions.md, "Partner KYC tokens (Model 2)". */
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

/** The most keys of a partner's vendor. A vendor usually has one key, and two while it replaces a key. */
const MOST_VENDOR_KEYS = 5;

type Holder = Pick<Partner, 'kycTokens' | 'proposedKeys' | 'withdrawnKids'>;

/** The private parts of a JWK (RFC 7518), which only the key's owner may have. */
export const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const;
const MEMBERS_OF: Readonly<Record<string, readonly (keyof PublicJwk)[]>> = {
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
  RSA: ['n', 'e'],
};

/**
 * Requires a key of the kind that its `alg` needs, and keeps only the parts of that kind. The values may still be
 * invalid.
 */
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

/** All keys of the vendor, whatever their status. */
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

/** The keys with which tokens are verified. */
export const activeKeys = (holder: Holder): PublicJwk[] =>
  vendorKeysOf(holder)
    .filter(({ status }) => status === 'ACTIVE')
    .map(({ jwk }) => jwk);

export function requireVendorKey(holder: Holder, kid: string): VendorKey {
  return vendorKeysOf(holder).find(({ jwk }) => jwk.kid === kid) ?? refuse('VENDOR_KEY_NOT_FOUND');
}

/**
 * The proposals after this one was added. If the same request has already proposed a key, that key is replaced, because
 * the request is repeated.
 */
export function withProposed(holder: Holder, proposed: ProposedKey): ProposedKey[] {
  const others = (holder.proposedKeys ?? []).filter(({ request }) => request !== proposed.request);
  const keys = vendorKeysOf({ ...holder, proposedKeys: others });
  const { kid } = proposed.jwk;
  if (keys.some(({ jwk }) => jwk.kid === kid)) refuseField('jwk.kid', 'is the name of another key of yours');
  const live = keys.filter(({ status }) => status !== 'WITHDRAWN');
  if (live.length >= MOST_VENDOR_KEYS) refuse('VENDOR_KEY_LIMIT', { maximum: MOST_VENDOR_KEYS });
  return [...others, proposed];
}

/**
 * The partner's fields after a key was withdrawn. A proposal disappears. The id of an active key stays recorded, so
 * that no later key can use it.
 */
export function withoutVendorKey(holder: Holder, kid: string) {
  const { proposedKeys = [], withdrawnKids = [] } = holder;
  const { status } = requireVendorKey(holder, kid);
  return {
    proposedKeys: proposedKeys.filter(({ jwk }) => jwk.kid !== kid),
    withdrawnKids: status === 'ACTIVE' ? [...withdrawnKids, kid] : withdrawnKids,
  };
}

/**
 * The partner's keys after an operator has approved a proposal. Undefined if the proposal no longer exists.
 * A later proposal with the same `kid` comes from another request, so this approval is not valid for it.
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
