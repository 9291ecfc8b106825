import { refuseField } from '../../domain/errors.ts';
import { vendorKeyEvent } from '../../domain/partners/account-events.ts';
import type { Partner } from '../../domain/partners/partner.ts';
import type { VendorJwk } from '../../domain/partners/partner-token.ts';
import {
  requireVendorJwk,
  requireVendorKey,
  type VendorKey,
  type VendorKeyStatus,
  withoutVendorKey,
  withProposed,
} from '../../domain/partners/vendor-key.ts';
import type { Needs } from '../../domain/ports.ts';
import { isoInstant } from '../../domain/time.ts';
import { changePartner } from './change-partner.ts';

export const VENDOR_KEY_NEEDS = ['vendorKeys', 'partnerTokens', 'clock'] as const;
type Ports = Needs<typeof VENDOR_KEY_NEEDS>;

/** `by` is the id of the API key that asks for the change. `request` is the id of its request. */
type AskedBy = { by: string; request: string };

const NO_KEY = 'is no usable key: a point must lie on its curve, RSA keys have 2048 to 4096 bits and e AQAB';

/** Stores a vendor's key until an operator approves it. An event tells the partner's endpoints. */
export async function addProposedKey(
  partner: Partner,
  { jwk: given, by, request }: AskedBy & { jwk: VendorJwk },
  ports: Ports,
) {
  const jwk = requireVendorJwk(given);
  const thumbprint = await ports.partnerTokens.thumbprintOf(jwk);
  if (thumbprint === undefined) refuseField('jwk', NO_KEY);
  const proposed = { jwk, proposedAt: ports.clock.now(), by, request };
  const news = { kid: jwk.kid, thumbprint, status: 'PENDING', by, request } as const;
  await changeVendorKeys(partner.id, (row) => ({ proposedKeys: withProposed(row, proposed) }), {
    ...ports,
    news,
  });
  return vendorKeyView({ ...proposed, status: 'PENDING' }, thumbprint);
}

/**
 * Withdraws a proposed key, or an active key. The service then refuses the next token that the key has
 * signed.
 */
export async function markWithdrawn(
  partner: Partner,
  { kid, by, request }: AskedBy & { kid: string },
  ports: Ports,
) {
  const { jwk } = requireVendorKey(partner, kid);
  const thumbprint = await ports.partnerTokens.thumbprintOf(jwk);
  const news = { kid, thumbprint, status: 'WITHDRAWN', by, request } as const;
  await changeVendorKeys(partner.id, (row) => withoutVendorKey(row, kid), { ...ports, news });
  return { kid, status: 'WITHDRAWN' as const };
}

type KeyNews = AskedBy & { kid: string; thumbprint: string | undefined; status: VendorKeyStatus };

/** Changes the partner's row and writes the event in one transaction. */
async function changeVendorKeys(
  partnerId: string,
  set: (row: Partner) => Pick<Partial<Partner>, 'proposedKeys' | 'withdrawnKids'>,
  { vendorKeys, clock, news }: Pick<Ports, 'vendorKeys' | 'clock'> & { news: KeyNews },
) {
  await changePartner(partnerId, set, {
    findPartner: vendorKeys.findPartner,
    save: (row, changes) => vendorKeys.save(row, changes, vendorKeyEvent(row, { ...news, now: clock.now() })),
  });
}

/** A key as its partner sees it. Vendor and operators can compute the same thumbprint (RFC 7638) to compare keys. */
export function vendorKeyView({ jwk, status, proposedAt }: VendorKey, thumbprint: string | undefined) {
  return {
    kid: jwk.kid ?? '',
    status,
    ...(jwk.alg !== undefined && { alg: jwk.alg }),
    ...(thumbprint !== undefined && { thumbprint }),
    ...(proposedAt !== undefined && { proposedAt: isoInstant(proposedAt) }),
  };
}
