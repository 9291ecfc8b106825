/**
 * A process of the service, as a Lambda function is one: it imports a function's file, hands its handler one event after
 * another, and meets the outside through `live` alone. It knows nothing of its death, which comes by SIGKILL.
 */
type Command = { id: number } & ({ file: string; event: unknown } | { laterMs: number });
type Handler = (event: unknown, context: unknown) => Promise<unknown>;

const realNow = Date.now;
let ahead = 0;
Date.now = () => realNow() + ahead;

async function run(command: Command): Promise<object> {
  if ('laterMs' in command) {
    ahead += command.laterMs;
    return {};
  }
  try {
    const { handler } = (await import(`../../functions/${command.file}.ts`)) as { handler: Handler };
    return { result: await handler(command.event, { getRemainingTimeInMillis: () => 60_000 }) };
  } catch (error) {
    const { name, message } = error as Error;
    return { error: { name, message } };
  }
}

process.on('message', async (command: Command) => {
  process.send?.({ id: command.id, ...(await run(command)) });
});
// Whoever started it is gone, and so is everything that it could talk to.
process.on('disconnect', () => process.exit());
