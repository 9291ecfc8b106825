import type { Needs } from '../domain/ports.ts';
import { driveDue } from '../edge/drive-due.ts';
import { schedule } from '../edge/schedule.ts';
import { driveStray, STRAY_NEEDS } from '../edge/strays.ts';

export const needs = STRAY_NEEDS;
type Ports = Needs<typeof needs>;

const BATCH = 100;
const AT_ONCE = 5;
const BUSY_MS = 30_000;

/** Each minute: every Pix that must go back is driven until it is `REFUNDED`, or `FAILED` and a person's. */
export async function returnStrays(ports: Ports) {
  const pace = { batch: BATCH, atOnce: AT_ONCE, busyMs: BUSY_MS, clock: ports.clock };
  return { looked: await driveDue(ports.strays.listDue, (id) => look(id, ports), pace) };
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
