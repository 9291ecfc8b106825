import type { World } from './world.ts';

type Message = { url: string; headers?: Record<string, string>; body: string };

/** Three tries of it end before who waits for them: `sandbox/simulators.ts`. */
const TIMEOUT_MS = 7_000;

/** Posts JSON as a provider would: the status that it got, or the name of what kept it from one. */
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
