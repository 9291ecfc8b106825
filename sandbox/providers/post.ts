import type { World } from './world.ts';

type Message = { url: string; headers?: Record<string, string>; body: string };

/** Three tries must end before the caller's own time-out: `sandbox/simulators.ts`. */
const TIMEOUT_MS = 7_000;

/** Posts JSON as a provider would. Answers the status, or the name of the error where there is no answer. */
export async function postTo(world: World, { url, headers, body }: Message): Promise<number | string> {
  try {
    const response = await world.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS * world.settings.patience),
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    return error instanceof Error ? error.name : 'Error';
  }
}
