import { Unavailable } from '../../domain/errors.ts';
import type { Needs } from '../../domain/ports.ts';

export const HOLD_NEEDS = ['holds:read'] as const;

/**
 * Throws `Unavailable` while all movements of money are stopped, so that the caller tries again later. An operator can
 * stop them, and tables that were restored from a backup do: `domain/treasury/hold.ts`.
 */
export async function requireNotHeld({ holds }: Needs<typeof HOLD_NEEDS>): Promise<void> {
  const hold = await holds.findHold();
  if (hold) throw new Unavailable(`leave to move money (${hold})`);
}
