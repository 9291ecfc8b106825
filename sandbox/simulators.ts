import { Unavailable } from '../functions/domain/errors.ts';

/** Asks the simulators' control interface; what they refuse is handed on as it is. */
export async function askSimulators(
  path: string,
  body?: Record<string, unknown>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const url = process.env.SIMULATORS_URL;
  if (!url) throw new Error('the environment lacks SIMULATORS_URL');
  const response = await fetch(`${url}/control${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', 'x-control-key': process.env.CONTROL_KEY ?? '' },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  }).catch((cause) => {
    throw new Unavailable('the simulators', { cause });
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
