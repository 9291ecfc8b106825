/**
 * `npm start` runs this file. `serve.ts` starts the sandbox. It is imported after the code cache was turned
 * on, so that the cache also keeps its compiled code.
 */
import { keepCompiledCode } from '../operations/code-cache.ts';

/**
 * Settings of the memory allocator of glibc, which reads them when a process starts. Each function instance
 * has its own heap, which is freed when the instance ends. With its default settings glibc keeps much of the
 * freed memory, and the process grows to twice the size.
 */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
};

if (process.platform === 'linux' && process.execve && process.env.MALLOC_ARENA_MAX === undefined) {
  // `execve` replaces this process by a new one with the same process id and terminal.
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, command, { ...process.env, ...ALLOCATOR });
}
keepCompiledCode();
await import('./serve.ts');
