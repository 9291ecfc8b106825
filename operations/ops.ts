/**
 * `npm run ops -- <command>` is the operators' command: docs/operations.md. It works on the sandbox that runs on this
 * machine or, with `--outputs`, on a stack in AWS.
 */
import { enableCompileCache } from 'node:module';

/** The folder for V8's compiled code, so that the next start need not strip types or compile again. */
const CODE_CACHE = new URL('../.cache/ops-code', import.meta.url).pathname;

if (import.meta.main) {
  enableCompileCache(CODE_CACHE);
  // The cache keeps only what is loaded after this line.
  const { main } = await import('./ops-main.ts');
  process.exitCode = await main(process.argv.slice(2));
}
