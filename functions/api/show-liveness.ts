import { displayNameOf } from '../domain/partners/settings.ts';
import type { Needs } from '../domain/ports.ts';
import { type LinkPage, linkPage } from '../entry/link-page.ts';
import { findLinked, isLinkOpen } from '../logic/purchase/liveness-link.ts';
import { deadPage, failedPage, LIVENESS_STYLE, livenessPage } from '../logic/purchase/liveness-page.ts';
import { getPartner } from '../logic/rows.ts';

export const needs = ['stage', 'clock', 'transactions:read', 'partners:read'] as const;

/**
 * Shows the service's own page, to which a client's link leads before the identity provider's page. A wrong
 * link costs only one read.
 */
export async function showLiveness(
  { id = '', token = '' }: { id?: string; token?: string },
  { stage, clock, transactions, partners }: Needs<typeof needs>,
): Promise<LinkPage> {
  const now = clock.now();
  const transaction = await findLinked({ id, token }, { transactions });
  if (!transaction) return { statusCode: 404, body: deadPage('unknown') };
  if (!isLinkOpen(transaction, now)) return { statusCode: 410, body: deadPage('over') };
  const merchant = displayNameOf(await getPartner(partners, transaction.partnerId));
  return { statusCode: 200, body: livenessPage({ transaction, merchant, stage, now }) };
}

export const handler = linkPage({ needs, style: LIVENESS_STYLE, failed: failedPage() }, showLiveness);
