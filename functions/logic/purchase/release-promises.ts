import type { Needs } from '../../domain/ports.ts';
import { isPromiseOver } from '../../domain/purchase/open-promise.ts';

export const RELEASE_NEEDS = ['openPromises', 'openPurchases', 'clock'] as const;

/**
 * Releases promises whose price can no longer be used. The promises are read before their purchases, so that each
 * purchase that is used is found.
 */
export async function releasePromises({ openPromises, openPurchases, clock }: Needs<typeof RELEASE_NEEDS>) {
  const open = await openPromises.listOpen();
  const ids = [...new Set(open.flatMap(({ usedBy = [] }) => usedBy))];
  const purchases = new Map((await openPurchases.listByIds(ids)).map((each) => [each.id, each]));
  const now = clock.now();
  for (const promise of open) {
    const purchase = purchases.get(promise.usedBy ?? '');
    if (isPromiseOver(promise, purchase, now)) await openPromises.release(promise, now);
  }
}
