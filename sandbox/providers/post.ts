import https from 'node:https';
import type { Certificate, World } from './world.ts';

/**
 * A request that a simulated provider sends. `certificate` is the client certificate for an https address
 * that requires one.
 */
type Message = { url: string; headers?: Record<string, string>; body: string; certificate?: Certificate };

/**
 * The time-out of one try, in milliseconds. Three tries end before the time-out of `sandbox/simulators.ts`,
 * whose call waits for them.
 */
const TIMEOUT_MS = 7_000;

/** Posts JSON as a provider would. Returns the HTTP status, or the name of the error if no answer came. */
export async function postTo(world: World, message: Message): Promise<number | string> {
  const { url, body, certificate } = message;
  const headers = { 'content-type': 'application/json', ...message.headers };
  const signal = AbortSignal.timeout(TIMEOUT_MS * world.settings.patience);
  try {
    if (certificate && url.startsWith('https:'))
      return await postWith(certificate, { url, headers, body, signal });
    const response = await world.fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal,
    });
    await response.arrayBuffer();
    return response.status;
  } catch (error) {
    return error instanceof Error ? error.name : 'Error';
  }
}

type Post = { url: string; headers: Record<string, string>; body: string; signal: AbortSignal };

// Posts with Node's `https`, because `fetch` cannot present a client certificate.
function postWith(certificate: Certificate, { url, headers, body, signal }: Post): Promise<number> {
  const options = { method: 'POST', headers, signal, agent: false, ...certificate };
  return new Promise((resolve, reject) => {
    const request = https.request(url, options, (response) => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode ?? 0))
        .on('error', reject);
    });
    request.on('error', reject).end(body);
  });
}
