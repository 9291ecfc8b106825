/**
 * `npm start`. The sandbox itself is in `serve.ts`. That file is imported after the code cache is on, so that its
 * compiled code is kept.
 */
import { keepCompiledCode } from './code-cache.ts';

/**
 * Settings of glibc's allocator, which reads them at the start of a process. Each function instance has its
 * own heap, which is freed when the instance ends. By default glibc keeps much of the freed memory, and a
 * laptop's sandbox grows to twice the size.
 */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
};

if (process.platform === 'linux' && process.execve && process.env.MALLOC_ARENA_MAX === undefined) {
  // The process replaces itself, so its id and its terminal stay the same.
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, command, { ...process.env, ...ALLOCATOR });
}
keepCompiledCode();
await import('./serve.ts');
