/**
 * `npm run ops -- <command>` is the operators' command: docs/operations.md. It works on the sandbox that runs on this
 * machine or, with `--outputs`, on a stack in AWS.
 */
import { keepCompiledCode } from './code-cache.ts';

if (import.meta.main) {
  keepCompiledCode();
  const { main } = await import('./ops-main.ts');
  process.exitCode = await main(process.argv.slice(2));
}
