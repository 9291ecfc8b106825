import { enableCompileCache } from 'node:module';

/**
 * The folder for V8's compiled code of the operators' command, of the sandbox and of its functions. With it a later
 * start need not strip types or compile the same code again.
 */
export const CODE_CACHE = new URL('../.cache/code', import.meta.url).pathname;

/** Turns on the cache for the modules that are imported after this call. */
export function keepCompiledCode(): void {
  enableCompileCache(CODE_CACHE);
}
