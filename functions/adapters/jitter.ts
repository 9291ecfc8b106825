import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../domain/ports.ts';

/** Waits a random part of `maxMs`, so that two conflicting writers seldom conflict again. */
export function jitter(random: Random, maxMs: number): Promise<void> {
  const [dice = 0] = random.bytes(1);
  return wait((maxMs * (dice + 1)) / 256);
}
