/**
 * A process of the service, comparable to a Lambda instance. It imports the built file of a function and passes one
 * event after another to its handler. Its environment alone decides where it finds other services. It knows nothing
 * of its death, which is a SIGKILL from outside.
 */
import { join } from 'node:path';

type Command = { id: number } & ({ file: string; event: unknown } | { laterMs: number });
type Handler = (event: unknown, context: unknown) => Promise<unknown>;

const [, , folder = ''] = process.argv;
const realNow = Date.now;
let ahead = 0;
Date.now = () => realNow() + ahead;

async function run(command: Command): Promise<object> {
  if ('laterMs' in command) {
    ahead += command.laterMs;
    return {};
  }
  try {
    const { handler } = (await import(join(folder, `${command.file}.mjs`))) as { handler: Handler };
    return { result: await handler(command.event, { getRemainingTimeInMillis: () => 60_000 }) };
  } catch (error) {
    const { name, message } = error as Error;
    return { error: { name, message } };
  }
}

process.on('message', async (command: Command) => {
  process.send?.({ id: command.id, ...(await run(command)) });
});
// The parent process is gone, and with it all services that this process could call.
process.on('disconnect', () => process.exit());
