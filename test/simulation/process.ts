/**
 * Makes the time and the dice of this process the scheduler's: modules that import node's are given its own in their
 * place. For a process that does nothing but simulate.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import type { Kernel } from './kernel.ts';

let current: Kernel | undefined;

const randomBytes = crypto.randomBytes.bind(crypto) as (length: number) => Buffer;

/** Once, before anything is simulated. */
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
