import { createInterface } from 'node:readline';
import type { Terminal } from './run.ts';
import { refuseOrder } from './words.ts';

/**
 * The operator's terminal. Results go to the standard output, all other text to the standard error. A script can
 * therefore store a result, such as a new key.
 */
export function openTerminal(): Terminal & { close(): void } {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endQuietly);
  let lines: ReturnType<typeof createInterface> | undefined;
  let answers: AsyncIterator<string> | undefined;
  return {
    say: (line) => process.stdout.write(`${line}\n`),
    tell: (line) => process.stderr.write(`${line}\n`),
    async ask(question) {
      process.stderr.write(question);
      lines ??= createInterface({ input: process.stdin });
      answers ??= lines[Symbol.asyncIterator]();
      const { value, done } = await answers.next();
      return done ? refuseOrder('Nobody answered. Nothing was changed.') : value;
    },
    close: () => lines?.close(),
  };
}

/**
 * Ignores that nobody reads the output any more, as in `ops tx show … | head -1`. The command goes on, because an act
 * must also record its end.
 */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
