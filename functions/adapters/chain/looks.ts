/** The times at which a visit looks at the chain, and the end of a visit whose transfer needs longer. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Waiting } from '../../domain/treasury/doing.ts';
import type { Chain } from './chain.ts';

/** A visit waits at most so long for a first look, because the function's time costs money. */
const LONGEST_WAIT_MS = 2500;
/** The further waits on a quick chain. They are few, because each look costs calls of every node. */
const LATER_WAITS_MS = [600, 1000];

/** The waits between the looks of a visit: until the depth if it comes soon, otherwise until the first block. */
export function waitsOf({ confirmations, blockSeconds }: Chain): number[] {
  const depthMs = (confirmations + 1) * blockSeconds * 1000;
  if (depthMs <= LONGEST_WAIT_MS) return [depthMs, ...LATER_WAITS_MS];
  return [Math.min(LONGEST_WAIT_MS, blockSeconds * 1200)];
}

/** Waits before the next look. Answers why the visit ends instead, if it does. */
export async function rest(
  chain: Chain,
  { blocksLeft }: { blocksLeft?: number },
  waits: number[],
): Promise<Waiting | undefined> {
  if (isDepthFar(chain, blocksLeft, waits)) return 'awaiting depth';
  const waitMs = waits.shift();
  if (waitMs === undefined) return 'awaiting confirmations';
  await wait(waitMs);
  return undefined;
}

/**
 * Whether this visit should end, and a later one look when the depth can be there. More than half of the depth is
 * missing, and the waits of this visit are too short for it.
 */
function isDepthFar(chain: Chain, blocksLeft = 0, waits: readonly number[]): boolean {
  const waitsLeftMs = waits.reduce((sum, waitMs) => sum + waitMs, 0);
  return blocksLeft * 2 >= chain.confirmations && blocksLeft * chain.blockSeconds * 1000 > waitsLeftMs;
}
