import { Unavailable } from '../../domain/errors.ts';
import type { Needs } from '../../domain/ports.ts';

export const HOLD_NEEDS = ['holds:read'] as const;

/**
 * Refuses to move money while money is held. It throws `Unavailable`, so that the caller tries again after the hold.
 */
export async function requireNotHeld({ holds }: Needs<typeof HOLD_NEEDS>): Promise<void> {
  const hold = await holds.findHold();
  if (hold) throw new Unavailable(`leave to move money (${hold})`);
}
