import { enableCompileCache } from 'node:module';

/** The folder for V8's compiled code, so that the next start need not strip types or compile again. */
const FOLDER = new URL('../.cache/ops-code', import.meta.url).pathname;

/** Keeps the compiled code of each module that is loaded after this call. */
export const keepCompiledCode = () => enableCompileCache(FOLDER);
