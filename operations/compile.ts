/** Compiles the operators' command after an installation, so that its first call is as quick as the next ones. */
import { keepCompiledCode } from './code-cache.ts';

keepCompiledCode();
await import('./ops-main.ts');
const [{ listCommands }, { loadDesk }] = await Promise.all([
  import('./commands.ts'),
  import('./desk.ts'),
  import('./run.ts'),
]);
await Promise.all([listCommands(), loadDesk()]);
