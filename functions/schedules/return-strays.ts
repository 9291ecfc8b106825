import type { Needs } from '../domain/ports.ts';
import { driveDue } from '../entry/drive-due.ts';
import { schedule } from '../entry/schedule.ts';
import { tellIfReturnStuck } from '../logic/money/money-cases.ts';
import { driveStray, STRAY_NEEDS } from '../logic/money/strays.ts';

export const needs = STRAY_NEEDS;

const BATCH = 100;
const AT_ONCE = 5;
const BUSY_MS = 30_000;

/**
 * Each minute: every Pix that must go back is driven until it is `REFUNDED`, or `FAILED` and a person's. One that takes a
 * day becomes a case, and is driven on.
 */
export async function returnStrays(ports: Needs<typeof needs>) {
  const { strays, clock, log } = ports;
  const looked = await driveDue(strays.listDue, {
    async look(id) {
      const stray = await strays.findStray(id);
      if (!stray) return;
      await tellIfReturnStuck(stray, ports);
      await driveStray(stray, ports);
    },
    report: (id, error) => log.error('return of strays failed', error, { endToEndId: id }),
    ...{ batch: BATCH, atOnce: AT_ONCE, busyMs: BUSY_MS, clock },
  });
  return { looked };
}

export const handler = schedule({ needs }, returnStrays);
