import { enableCompileCache } from 'node:module';

/**
 * The folder of V8's compiled code, for this process and for the functions. A later start does not compile the same
 * code again.
 */
export const CODE_CACHE = new URL('../.cache/code', import.meta.url).pathname;

/** Turns on the cache for modules that are imported after this call. */
export function keepCompiledCode(): void {
  enableCompileCache(CODE_CACHE);
}
