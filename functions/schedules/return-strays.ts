import type { Needs } from '../domain/ports.ts';
import { schedule } from '../edge/schedule.ts';
import { driveStray, STRAY_NEEDS } from '../edge/strays.ts';

export const needs = STRAY_NEEDS;
type Ports = Needs<typeof needs>;

const BATCH = 100;
const AT_ONCE = 5;
/** Real time, well below the function's: what is left is due in the next minute. */
const BUSY_MS = 30_000;

/** Each minute: every Pix that must go back is driven until it is `REFUNDED`, or `FAILED` and a person's. */
export async function returnStrays(ports: Ports) {
  const until = ports.clock.now() + BUSY_MS;
  const seen = new Set<string>();
  while (ports.clock.now() < until) {
    // The index may be stale: what was looked at in this run may still be in it.
    const due = (await ports.strays.listDue(ports.clock.now(), BATCH)).filter((id) => !seen.has(id));
    if (due.length === 0) break;
    for (let from = 0; from < due.length && ports.clock.now() < until; from += AT_ONCE) {
      const some = due.slice(from, from + AT_ONCE);
      await Promise.all(some.map((id) => look(id, ports)));
      for (const id of some) seen.add(id);
    }
  }
  return { looked: seen.size };
}

async function look(id: string, ports: Ports): Promise<void> {
  try {
    const stray = await ports.strays.findStray(id);
    if (stray) await driveStray(stray, ports);
  } catch (error) {
    // One row that cannot be read or written must not keep the others waiting.
    ports.log.error('return of strays failed', error, { endToEndId: id });
  }
}

export const handler = schedule({ needs }, returnStrays);
