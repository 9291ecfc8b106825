import { Unavailable } from '../../domain/errors.ts';
import type { Needs } from '../../domain/ports.ts';

export const HOLD_NEEDS = ['holds:read'] as const;

/** Before money leaves. `Unavailable`, so that whoever repeats it does it once money may leave again. */
export async function requireNotHeld({ holds }: Needs<typeof HOLD_NEEDS>): Promise<void> {
  const hold = await holds.findHold();
  if (hold) throw new Unavailable(`leave to move money (${hold})`);
}
