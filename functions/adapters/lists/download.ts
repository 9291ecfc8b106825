/** Downloads files over HTTP from the publishers of the lists. An incomplete file is an error. */
import { Unavailable } from '../../domain/errors.ts';
import { ListRefused } from '../../domain/screening/list-refresh.ts';

export type DownloadOptions = {
  fetch: typeof fetch;
  /** The time-out for one file, including redirects and the whole body. */
  timeoutMs: number;
  /** Aborts the download when the signal fires, even before `timeoutMs` is over. */
  until?: AbortSignal;
};

export type WantedFile = {
  url: string;
  /** The file's name in errors. It is our own name, because a publisher's URL may contain anything. */
  name: string;
  /**
   * The media type in the header `Accept`. Portal da Transparência sends an archive whole only if the request
   * names its type.
   */
  accept: string;
  maxBytes?: number;
};

/** OFAC's service answers 403 to a request without this header. */
const USER_AGENT = 'stablecoin-onramp (refresh of sanctions lists)';
const MAX_REDIRECTS = 5;
const MAX_BYTES = 64 * 1024 * 1024;
const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Returns the file's bytes. Undefined if the publisher does not have the file. Throws `Unavailable` if the
 * publisher does not answer. Throws `ListRefused` if the answer is something else than the file.
 */
export async function download(
  wanted: WantedFile,
  options: DownloadOptions,
): Promise<Uint8Array | undefined> {
  const { timeoutMs, until } = options;
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(until ? [until] : [])]);
  try {
    const response = await followRedirects(wanted, options.fetch, signal);
    if (isMissing(response.status)) return void (await response.body?.cancel());
    requireFile(wanted, response);
    return await bytesOf(wanted, response);
  } catch (error) {
    if (error instanceof ListRefused || error instanceof Unavailable) throw error;
    // The error of `fetch` gives the reason only in its `cause`. Therefore `cause` is passed on in place of
    // the error.
    const { cause = error } = error as Error;
    throw new Unavailable(wanted.name, { cause: signal.aborted ? new Error('it takes too long') : cause });
  }
}

// The statuses with which a publisher says that it does not have the file. The file store of Portal da
// Transparência answers 403 for days that it no longer keeps.
const isMissing = (status: number) => [403, 404, 410].includes(status);

/** Follows redirects itself, because each URL on the way must use https, except in a sandbox. */
async function followRedirects({ url, name, accept }: WantedFile, get: typeof fetch, signal: AbortSignal) {
  const isPlain = new URL(url).protocol === 'http:';
  let place = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const headers = { accept, 'user-agent': USER_AGENT, 'accept-encoding': 'identity' };
    const response = await get(place, { headers, redirect: 'manual', signal });
    const next = REDIRECTS.includes(response.status) && response.headers.get('location');
    if (!next) return response;
    await response.body?.cancel();
    const { protocol, href } = new URL(next, place);
    // In a sandbox the publishers are simulators on the same machine. If the first URL has plain http, a
    // redirect may have it as well.
    if (protocol !== 'https:' && !(isPlain && protocol === 'http:')) {
      throw new ListRefused(`${name} is redirected to ${protocol.slice(0, 10)}`);
    }
    place = href;
  }
  throw new ListRefused(`${name} is redirected more than ${MAX_REDIRECTS} times`);
}

function requireFile({ name, accept }: WantedFile, { status, headers }: Response): void {
  if (status >= 500 || status === 429 || status === 408) {
    throw new Unavailable(name, { cause: new Error(`HTTP ${status}`) });
  }
  if (status !== 200) throw new ListRefused(`${name} is answered with HTTP ${status}`);
  // A web page in place of the file is an error page, or a check that the visitor is human.
  const isPage = headers.get('content-type')?.startsWith('text/html') ?? false;
  if (isPage && accept !== 'text/html') throw new ListRefused(`${name} is a page, not the file`);
}

async function bytesOf({ name, maxBytes = MAX_BYTES }: WantedFile, response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new ListRefused(`${name} is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const promised = response.headers.get('content-length');
  const isEncoded = response.headers.has('content-encoding');
  if (promised !== null && !isEncoded && Number(promised) !== size) {
    throw new ListRefused(`${name} has ${size} bytes of ${Number(promised)}`);
  }
  if (size === 0) throw new ListRefused(`${name} is empty`);
  return Buffer.concat(chunks);
}
