import { Unavailable } from '../../domain/errors.ts';
import type { Needs } from '../../domain/ports.ts';

export const HOLD_NEEDS = ['holds:read'] as const;

/** Refuses before money leaves, while money is held. `Unavailable`, so that the caller repeats it after the hold. */
export async function requireNotHeld({ holds }: Needs<typeof HOLD_NEEDS>): Promise<void> {
  const hold = await holds.findHold();
  if (hold) throw new Unavailable(`leave to move money (${hold})`);
}
