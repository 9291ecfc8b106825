import { enableCompileCache } from 'node:module';

/**
 * The directory for V8's compiled code of this process and of the functions. With it a later start need not
 * compile the same code again.
 */
export const CODE_CACHE = new URL('../.cache/code', import.meta.url).pathname;

/** Turns on the cache for the modules that are imported after this call. */
export function keepCompiledCode(): void {
  enableCompileCache(CODE_CACHE);
}
