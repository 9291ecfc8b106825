/**
 * Replaces node's timers and random bytes by those of the scheduler, for all modules that import them. Use it only in
 * a process that does nothing but simulate.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { Kernel } from './kernel.ts';

let current: Kernel | undefined;

const randomBytes = crypto.randomBytes.bind(crypto) as (length: number) => Buffer;

/** Call this function once, before the first simulation. */
export function takeOverProcess(): void {
  const mutable = { crypto, timers } as unknown as {
    crypto: { randomBytes(length: number): Buffer };
    timers: { setTimeout(ms?: number): Promise<void> };
  };
  mutable.crypto.randomBytes = (length) =>
    current ? Buffer.from(current.bytes(length)) : randomBytes(length);
  mutable.timers.setTimeout = (ms = 0) => (current ? current.wait(ms) : Promise.resolve());
  syncBuiltinESMExports();
}

export function useKernel(kernel: Kernel | undefined): void {
  current = kernel;
}
