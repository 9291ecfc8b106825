import type { Needs } from '../../domain/ports.ts';
import { isPromiseOver } from '../../domain/purchase/open-promise.ts';
import { tryEach } from '../../domain/try-each.ts';

export const RELEASE_NEEDS = ['openPromises', 'openPurchases', 'clock'] as const;

/**
 * Releases the promises at whose price nobody can buy any more: `domain/purchase/open-promise.ts`. Promises
 * are read before purchases, so every purchase that a promise names already exists.
 */
export async function releasePromises({ openPromises, openPurchases, clock }: Needs<typeof RELEASE_NEEDS>) {
  const open = await openPromises.listOpen();
  const ids = [...new Set(open.flatMap(({ usedBy = [] }) => usedBy))];
  const purchases = new Map((await openPurchases.listByIds(ids)).map((each) => [each.id, each]));
  const now = clock.now();
  const over = open.filter((promise) => isPromiseOver(promise, purchases.get(promise.usedBy ?? ''), now));
  await tryEach(over, (promise) => openPromises.release(promise, now));
}
