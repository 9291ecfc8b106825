import { type Answer, readAnswer, toError } from './answer.ts';
import { ConnectionError } from './errors.ts';
import { retryDelayMs } from './retry.ts';

export type OnrampClientOptions = {
  /** The partner's API key. It is a secret: do not put it into a web page. */
  apiKey: string;
  /**
   * The service's URL without `/v1`. It is `https://…` in production, and `http://127.0.0.1:4000` for `npm
   * start`.
   */
  baseUrl: string;
  fetch?: Fetch;
  /**
   * The limit of one attempt, including the answer's body. The default is 30,000 ms. The service itself ends
   * a request one second earlier.
   */
  timeoutMs?: number;
  /** Retries after the first attempt. The default is 3. With 0 the client never retries. */
  maxRetries?: number;
  sleep?: Sleep;
  /** Makes idempotency keys. The default makes a UUID. */
  randomId?: () => string;
  /** Gives the jitter of the retries: a number from 0 up to, but not including, 1. */
  random?: () => number;
  /** Milliseconds since 1970. */
  now?: () => number;
};

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export type CallOptions = {
  /** Aborts the call, its waits and its retries. The call then rejects with the signal's reason. */
  signal?: AbortSignal;
};

/** Options of a call that changes something: POST and DELETE. */
export type PostOptions = CallOptions & {
  /**
   * The idempotency key of the request. Give your own key if another process may repeat the call. The default
   * is a new key for each call. A key has 1 to 255 printable ASCII characters, not only spaces. The service
   * keeps it for 24 hours.
   */
  idempotencyKey?: string;
};

type ServiceRequest = CallOptions & {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /**
   * The body as JSON text, which is made once. A retry therefore sends the same bytes, even if the caller has
   * changed the object meanwhile.
   */
  body?: string;
  idempotencyKey?: string;
  /** The media type that the answer must have. Absent for JSON. */
  accept?: string;
};

type Settings = Required<OnrampClientOptions>;

export type Transport = ReturnType<typeof createTransport>;

/**
 * Makes requests and sends them. Each request gets its idempotency key when it is made, so its retries share the key.
 */
export function createTransport(options: OnrampClientOptions) {
  const settings = withDefaults(options);

  /**
   * Makes a POST or DELETE request with an idempotency key. If its answer is lost, a repetition with the same
   * key has no second effect.
   */
  function change(method: 'POST' | 'DELETE', path: string, call?: PostOptions): ServiceRequest {
    const idempotencyKey = requireIdempotencyKey(call?.idempotencyKey ?? settings.randomId());
    return { method, path, idempotencyKey, signal: call?.signal };
  }

  return {
    get: (path: string, call?: CallOptions): ServiceRequest => ({
      method: 'GET',
      path,
      signal: call?.signal,
    }),
    post: (path: string, body: object, call?: PostOptions): ServiceRequest => ({
      ...change('POST', path, call),
      body: JSON.stringify(body),
    }),
    remove: (path: string, call?: PostOptions) => change('DELETE', path, call),
    send: (request: ServiceRequest) => send(request, settings),
    sleep: settings.sleep,
    now: settings.now,
  };
}

/**
 * Encodes `value` as one segment of a path. Throws a `TypeError` for an empty text, `.` and `..`, because the
 * call would reach another endpoint.
 */
export function segment(name: string, value: string): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
    throw new TypeError(`${name} must be an identifier`);
  return encodeURIComponent(value);
}

/** Appends the parameters to the path as a query. Leaves out each parameter that is undefined. */
export function withQuery(path: string, parameters: { readonly [name: string]: unknown }): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return query.size > 0 ? `${path}?${query}` : path;
}

function withDefaults(options: OnrampClientOptions): Settings {
  // A browser's fetch fails when it is called as a method of another object, so it is called through a function.
  const fetch = options.fetch ?? globalThis.fetch;
  return {
    apiKey: requireApiKey(options.apiKey),
    baseUrl: requireBaseUrl(options.baseUrl),
    fetch: (url, init) => fetch(url, init),
    timeoutMs: requireMs('timeoutMs', options.timeoutMs ?? 30_000),
    maxRetries: requireRetries(options.maxRetries ?? 3),
    sleep: options.sleep ?? pause,
    randomId: options.randomId ?? (() => crypto.randomUUID()),
    random: options.random ?? Math.random,
    now: options.now ?? Date.now,
  };
}

/**
 * Checks the key before its first use, and throws a `TypeError`. Without the check, an unset variable would
 * become the key "undefined". If a header value is not allowed, fetch throws an error that contains the
 * value, here the secret key.
 */
function requireApiKey(apiKey: string): string {
  if (typeof apiKey === 'string' && /^[\x21-\x7e]{1,255}$/.test(apiKey)) return apiKey;
  throw new TypeError('apiKey must be 1 to 255 printable ASCII characters without spaces');
}

/**
 * Throws a `TypeError` for a key that the service would not accept. A key of only spaces would reach the
 * service as no key, because fetch trims the values of headers.
 */
function requireIdempotencyKey(key: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(key) && key.trim() !== '') return key;
  throw new TypeError('idempotencyKey must be 1 to 255 printable ASCII characters, not only spaces');
}

/**
 * Throws a `TypeError` for any other number. A timer of JavaScript fires at once if its delay is NaN or needs
 * more than 31 bits.
 */
export function requireMs(name: string, ms: number): number {
  if (Number.isInteger(ms) && ms >= 1 && ms < 2 ** 31) return ms;
  throw new TypeError(`${name} must be a whole number of milliseconds from 1 to ${2 ** 31 - 1}`);
}

/**
 * Throws a `TypeError` unless the number is whole and not negative. NaN would mean retries without limit.
 */
function requireRetries(maxRetries: number): number {
  if (Number.isInteger(maxRetries) && maxRetries >= 0) return maxRetries;
  throw new TypeError('maxRetries must be a whole number, 0 for none');
}

function requireBaseUrl(baseUrl: string): string {
  if (!/^https?:\/\/[^?#]+$/.test(baseUrl)) {
    throw new TypeError('baseUrl must be an http(s) URL without query or fragment');
  }
  const base = baseUrl.replace(/\/+$/, '');
  const [added] = /(?<=[^/]\/)(v1|v1\/laas|laas\/partner)$/i.exec(base) ?? [];
  if (!added) return base;
  // If the base URL contained this path, the service would answer every call with `NOT_FOUND`, and would not
  // say why.
  throw new TypeError(`baseUrl must end before /${added}, which this library adds itself`);
}

async function send(request: ServiceRequest, settings: Settings): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendOnce(request, settings);
    } catch (error) {
      const delayMs = retryDelayMs(error, attempt, settings);
      if (delayMs === undefined) throw error;
      await settings.sleep(delayMs, request.signal);
    }
  }
}

async function sendOnce(request: ServiceRequest, settings: Settings): Promise<Answer> {
  const { response, bytes } = await exchange(request, settings);
  const answer = readAnswer(response, bytes, settings.now());
  if (!response.ok) throw toError(answer);
  return answer;
}

async function exchange(request: ServiceRequest, settings: Settings) {
  request.signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(settings.timeoutMs);
  try {
    const response = await settings.fetch(`${settings.baseUrl}${request.path}`, {
      method: request.method,
      headers: headersOf(request, settings.apiKey),
      body: request.body,
      signal: request.signal ? AbortSignal.any([timeout, request.signal]) : timeout,
      redirect: 'manual', // otherwise fetch would send the API key to the redirect's address
    });
    return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
  } catch (cause) {
    request.signal?.throwIfAborted();
    if (timeout.aborted)
      throw new ConnectionError('TIMEOUT', `No answer in ${settings.timeoutMs} ms`, { cause });
    throw new ConnectionError('NETWORK_ERROR', 'The service could not be reached', { cause });
  }
}

function headersOf(
  { body, idempotencyKey, accept = 'application/json' }: ServiceRequest,
  apiKey: string,
): Record<string, string> {
  return {
    Accept: accept,
    'X-Service-API-Key': apiKey,
    ...(body && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
  };
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
