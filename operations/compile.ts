/** Compiles the operators' command after an installation, so that its first call is as quick as the next ones. */
import { keepCompiledCode } from './code-cache.ts';

async function loadAll(): Promise<void> {
  const [, { readAllCommands }, { loadDesk }] = await Promise.all([
    import('./ops-main.ts'),
    import('./commands.ts'),
    import('./desk.ts'),
    import('./run.ts'),
  ]);
  await Promise.all([readAllCommands(), loadDesk()]);
}

keepCompiledCode();
// Without the compiled code the command is slower, but an installation must not fail for that.
await loadAll().catch(({ message }: Error) =>
  console.warn(`The operators' command is not compiled: ${message}`),
);
