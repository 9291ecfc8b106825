import type { Needs } from '../domain/ports.ts';
import { raiseOrWarn } from '../domain/watching/raise-or-warn.ts';
import { driveDue } from '../entry/drive-due.ts';
import { schedule } from '../entry/schedule.ts';

export const needs = ['transfers', 'clock', 'log'] as const;

const BATCH = 100;
const AT_ONCE = 10;
const BUSY_MS = 30_000;

/** Runs each minute. It looks at completed transfers until no reorganisation can undo them. */
export async function watchTransfers({ transfers, clock, log }: Needs<typeof needs>) {
  const looked = await driveDue(transfers.listDue, {
    look: transfers.look,
    report: (id, error) => raiseOrWarn(log, 'TransferWatchFailed', { error, fields: { transactionId: id } }),
    batch: BATCH,
    atOnce: AT_ONCE,
    busyMs: BUSY_MS,
    clock,
  });
  return { looked };
}

export const handler = schedule({ needs }, watchTransfers);
