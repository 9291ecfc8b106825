import { type Answer, readAnswer, toError } from './answer.ts';
import { OnrampError } from './errors.ts';
import { retryDelayMs } from './retry.ts';

export type OnrampClientOptions = {
  /** The partner's key. It is a secret: keep it out of pages that others open. */
  apiKey: string;
  /** Without `/v1`: `https://…` in production, `http://127.0.0.1:4000` for `npm start`. */
  baseUrl: string;
  fetch?: Fetch;
  /** For one attempt, the answer's body included. 30 seconds when absent, one more than the service takes. */
  timeoutMs?: number;
  /** After the first attempt. 3 when absent; 0 never retries. */
  maxRetries?: number;
  sleep?: Sleep;
  /** Makes idempotency keys; a UUID when absent. */
  randomId?: () => string;
  /** Jitter, from 0 up to 1. */
  random?: () => number;
  /** Milliseconds since 1970. */
  now?: () => number;
};

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export type CallOptions = {
  /** Ends the call, its waits and retries; the call then rejects with the signal's reason. */
  signal?: AbortSignal;
};

/** For a call that changes something: POST and DELETE. */
export type PostOptions = CallOptions & {
  /** Your own, if a repetition may come from another process; 1 to 255 printable ASCII, not only spaces; kept for 24 hours. */
  idempotencyKey?: string;
};

type ServiceRequest = CallOptions & {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** JSON from birth, so that a retry sends the same bytes whatever became of the caller's object. */
  body?: string;
  idempotencyKey?: string;
};

type Settings = Required<OnrampClientOptions>;

export type Transport = ReturnType<typeof createTransport>;

/** Makes requests and sends them. A request has its idempotency key from birth, so retries share it. */
export function createTransport(options: OnrampClientOptions) {
  const settings = withDefaults(options);

  /** Never without a key: a repetition after a lost answer must not do the thing again. */
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

/** One part of a path. Dots are refused because a URL resolves them: another endpoint would be called. */
export function segment(name: string, value: string): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
    throw new TypeError(`${name} must be an identifier`);
  return encodeURIComponent(value);
}

function withDefaults(options: OnrampClientOptions): Settings {
  // Wrapped: a browser's fetch refuses to run as a method of another object.
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
 * Checked here, because fetch would repeat a bad header's value, the key, in its message; and an absent variable
 * of the environment would be a key of nine letters.
 */
function requireApiKey(apiKey: string): string {
  if (typeof apiKey === 'string' && /^[\x21-\x7e]{1,255}$/.test(apiKey)) return apiKey;
  throw new TypeError('apiKey must be 1 to 255 printable ASCII characters without spaces');
}

/** The service's own form. A header's value loses the spaces around it, so a key of spaces would be none. */
function requireIdempotencyKey(key: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(key) && key.trim() !== '') return key;
  throw new TypeError('idempotencyKey must be 1 to 255 printable ASCII characters, not only spaces');
}

/** Timers take no more than 31 bits: beyond, they end at once. NaN would never wait between two reads. */
export function requireMs(name: string, ms: number): number {
  if (Number.isInteger(ms) && ms >= 1 && ms < 2 ** 31) return ms;
  throw new TypeError(`${name} must be a whole number of milliseconds from 1 to ${2 ** 31 - 1}`);
}

/** NaN would be no limit at all. */
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
  // Otherwise every call would be NOT_FOUND, and nothing would say why.
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
  const { response, text } = await exchange(request, settings);
  const answer = readAnswer(response, text, settings.now());
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
      redirect: 'manual', // a redirect that is followed takes the key along
    });
    return { response, text: await response.text() };
  } catch (cause) {
    request.signal?.throwIfAborted();
    if (timeout.aborted) throw new OnrampError('TIMEOUT', `No answer in ${settings.timeoutMs} ms`, { cause });
    throw new OnrampError('NETWORK_ERROR', 'The service could not be reached', { cause });
  }
}

function headersOf({ body, idempotencyKey }: ServiceRequest, apiKey: string): Record<string, string> {
  return {
    Accept: 'application/json',
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
