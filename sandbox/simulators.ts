import { Unavailable } from '../functions/domain/errors.ts';

/**
 * The time-out of a call in milliseconds, a little less than that of the calling function. Paying a charge
 * takes long, because the PSP tries its callback up to three times.
 */
const LIMIT_MS = 23_000;

/** In a local sandbox this is `PATIENCE` of `sandbox.ts`. */
const patience = () => Number(process.env.PATIENCE ?? 1);

/**
 * Calls a control path of the simulators. Returns their answer with any HTTP status. Throws `Unavailable` if
 * no answer comes.
 */
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
    signal: AbortSignal.timeout(LIMIT_MS * patience()),
  }).catch((cause) => {
    throw new Unavailable('the simulators', { cause });
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
