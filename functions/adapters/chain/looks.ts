/**
 * Decides how long a visit waits between its looks at the chain, and when a visit ends because its transfer needs
 * longer.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { DoingWait } from '../../domain/treasury/doing.ts';
import type { Chain } from './chain.ts';

/** The longest wait of a visit before its first look, because the running time of the function costs money. */
const LONGEST_WAIT_MS = 2500;
/** The further waits on a quick chain. There are few, because each look calls every node. */
const LATER_WAITS_MS = [600, 1000];

/**
 * The waits between the looks of one visit. On a quick chain the first wait lasts until the transfer is deep
 * enough. On a slow chain the only wait lasts 1.2 blocks, but at most `LONGEST_WAIT_MS`.
 */
export function waitsOf({ confirmations, blockSeconds }: Chain): number[] {
  const depthMs = (confirmations + 1) * blockSeconds * 1000;
  if (depthMs <= LONGEST_WAIT_MS) return [depthMs, ...LATER_WAITS_MS];
  return [Math.min(LONGEST_WAIT_MS, blockSeconds * 1200)];
}

/** Waits before the next look at the chain. If the visit should end instead, returns the reason. */
export async function rest(
  chain: Chain,
  { blocksLeft }: { blocksLeft?: number },
  waits: number[],
): Promise<DoingWait | undefined> {
  if (isDepthFar(chain, blocksLeft, waits)) return 'awaiting depth';
  const waitMs = waits.shift();
  if (waitMs === undefined) return 'awaiting confirmations';
  await wait(waitMs);
  return undefined;
}

/**
 * Whether the visit should end because the transfer is deep enough only later. That is so if half of the
 * depth or more is missing, and the visit's remaining waits are too short for the missing blocks.
 */
function isDepthFar(chain: Chain, blocksLeft = 0, waits: readonly number[]): boolean {
  const waitsLeftMs = waits.reduce((sum, waitMs) => sum + waitMs, 0);
  return blocksLeft * 2 >= chain.confirmations && blocksLeft * chain.blockSeconds * 1000 > waitsLeftMs;
}
