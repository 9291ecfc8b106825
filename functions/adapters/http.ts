/** Sends JSON over HTTP to a provider. Its errors may be logged, because they contain no URL, header, body or CPF. */
import http from 'node:http';
import https from 'node:https';
import { Unavailable } from '../domain/errors.ts';
import { parsedJson } from '../domain/json.ts';
import type { Clock } from '../domain/ports.ts';
import { agentFor, isOfDeadConnection } from './kept-connections.ts';

/**
 * A client certificate in PEM. A payment provider accepts an access token only over a connection with the
 * certificate for which it issued the token. Therefore all requests to the provider use the same certificate.
 */
export type Certificate = { cert: string; key: string; ca?: string };

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  url: string;
  headers?: Record<string, string>;
  /** The body is sent as JSON, or as a form if it is a `URLSearchParams`. */
  body?: object;
};

/**
 * `body` is the parsed JSON. It is undefined if there was no body, or if a redirect or an error had a body that is not
 * JSON.
 */
export type HttpAnswer = { status: number; headers: http.IncomingHttpHeaders; body: unknown };
export type Send = (request: HttpRequest) => Promise<HttpAnswer>;
/** The request as it is sent: the path with its query, and the body as text. The text is empty if there is no body. */
export type SentRequest = { method: string; path: string; text: string };

type ClientOptions = {
  /** The provider's name in errors, such as "the Pix provider". */
  provider: string;
  certificate?: Certificate;
  /**
   * Computes further headers, such as a signature of the request. It is called again for a repeated request,
   * because a signature contains the current second.
   */
  sign?: (sent: SentRequest) => Record<string, string>;
  /**
   * The time-out of one request, until its whole answer is read. With the default of 8 seconds, three
   * requests in a row end before API Gateway's time-out of 29 seconds.
   */
  timeoutMs?: number;
  maxBytes?: number;
  /** Sends the request. By default it uses Node's own sockets. */
  transport?: Transport;
};

type RawAnswer = { status: number; headers: http.IncomingHttpHeaders; text: string };
type Limits = Pick<ClientOptions, 'certificate' | 'sign'> & { timeoutMs: number; maxBytes: number };
/**
 * Sends a request and returns the whole answer. Throws an error with a `code` if no answer comes, or only a
 * part of it.
 */
export type Transport = (request: HttpRequest, limits: Limits) => Promise<RawAnswer>;

const RETRY_LATER = [408, 425, 429];
const MAX_RETRY_AFTER_SECONDS = 300;

/**
 * Returns each answer that the provider has decided: success, redirect or 4xx. Throws `Unavailable` if no
 * whole answer arrives, if the JSON of a 2xx is invalid, for a 5xx, and for the statuses `RETRY_LATER`. The
 * caller then does not know whether the provider has done anything.
 */
export function jsonClient(options: ClientOptions): Send {
  const { provider, certificate, sign, timeoutMs = 8_000, maxBytes = 1_000_000 } = options;
  const { transport = exchange } = options;
  const unavailable = (reason: string, retryAfterSeconds?: number) =>
    new Unavailable(provider, { retryAfterSeconds, cause: new Error(reason) });

  return async (request) => {
    const { status, headers, text } = await transport(request, {
      certificate,
      sign,
      timeoutMs,
      maxBytes,
    }).catch((error: unknown) => {
      throw unavailable(errorCodeOf(error));
    });
    if (status >= 500 || RETRY_LATER.includes(status)) {
      throw unavailable(`HTTP ${status}`, retryAfterSeconds(headers));
    }
    const body = parsedJson(text);
    if (body === undefined && text !== '' && status < 300) throw unavailable('INVALID_JSON');
    return { status, headers, body };
  };
}

/**
 * Lambda freezes the process between two invocations, so a connection that was kept open may be dead. A read
 * (GET) is then repeated on a new connection. A write always uses a new connection. On a dead connection it
 * would be unknown whether the write arrived.
 */
async function exchange(request: HttpRequest, limits: Limits): Promise<RawAnswer> {
  const isRead = request.method === 'GET';
  try {
    return await exchangeOnce(request, limits, isRead);
  } catch (error) {
    if (!isDeadConnection(error)) throw error;
    return exchangeOnce(request, limits, false);
  }
}

async function exchangeOnce(request: HttpRequest, limits: Limits, reuse: boolean): Promise<RawAnswer> {
  const signal = AbortSignal.timeout(limits.timeoutMs);
  const url = new URL(request.url);
  const body = encoded(request.body);
  const { method } = request;
  const signature = limits.sign?.({ method, path: url.pathname + url.search, text: body.text ?? '' });
  const accept = 'application/json, application/problem+json';
  const options = {
    method,
    headers: { accept, ...body.headers, ...request.headers, ...signature },
    agent: reuse && agentFor(url),
    signal,
    ...limits.certificate,
  };
  try {
    const response = await responseTo(url, options, body.text);
    const text = await readLimitedText(response, limits.maxBytes);
    return { status: response.statusCode ?? 0, headers: response.headers, text };
  } catch (error) {
    throw signal.aborted ? fault('TIMEOUT') : error;
  }
}

function responseTo(url: URL, options: https.RequestOptions, text: string | undefined) {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise<http.IncomingMessage>((resolve, reject) => {
    const sent = request(url, options, resolve);
    sent.on('error', (error) => reject(sent.reusedSocket ? Object.assign(error, { reused: true }) : error));
    sent.end(text);
  });
}

async function readLimitedText(response: http.IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw fault('ANSWER_TOO_LARGE');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function encoded(body: object | undefined): { headers?: Record<string, string | number>; text?: string } {
  if (body === undefined) return {};
  const isForm = body instanceof URLSearchParams;
  const text = isForm ? body.toString() : JSON.stringify(body);
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  return { headers: { 'content-type': type, 'content-length': Buffer.byteLength(text) }, text };
}

function retryAfterSeconds(headers: http.IncomingHttpHeaders): number | undefined {
  const text = headers['retry-after'] ?? '';
  return /^\d{1,6}$/.test(text) ? Math.min(Number(text), MAX_RETRY_AFTER_SECONDS) : undefined;
}

const fault = (code: string) => Object.assign(new Error(code), { code });

const isDeadConnection = (error: unknown) =>
  error instanceof Error && 'reused' in error && isOfDeadConnection(error);

/** Returns an error's code, such as ECONNREFUSED. Its message is not used, because it may contain the URL. */
function errorCodeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^[A-Z][A-Z0-9_]+$/.test(code) ? code : 'NETWORK_ERROR';
}

export type Credentials = {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  scope?: string;
  /**
   * The form of the token request's body. OAuth 2.0 (RFC 6749, section 4.4.2) requires a form. Some providers
   * require JSON.
   */
  tokenBody?: 'form' | 'json';
};
/** `onGranted` gets the scopes of each new token, if the provider names them. */
type BearerOptions = { provider: string; clock: Clock; onGranted?: (scope: string) => void };

type BearerToken = { header: string; usableUntil: number };

const TOKEN_MARGIN_MS = 30_000;
/**
 * The life of a token in seconds if the answer has no `expires_in`. It is the shortest life that a known
 * provider gives.
 */
const DEFAULT_TOKEN_SECONDS = 300;

/**
 * Adds an access token (OAuth 2.0 client credentials) to every request. If the provider answers 401, the
 * client gets a new token and repeats the request once.
 */
export function bearerClient(send: Send, credentials: Credentials, options: BearerOptions): Send {
  let current: Promise<BearerToken> | undefined;

  function renew(): Promise<BearerToken> {
    const asked = requestToken(send, credentials, options);
    current = asked;
    asked.catch(() => {
      if (current === asked) current = undefined;
    });
    return asked;
  }

  // Concurrent requests share one token request, because providers block a client that sends too many of
  // these.
  async function token(refused?: BearerToken): Promise<BearerToken> {
    const asked = current ?? renew();
    const found = await asked;
    if (found !== refused && options.clock.now() < found.usableUntil) return found;
    return current === asked ? renew() : token(refused);
  }

  const sendWith = ({ header }: BearerToken, request: HttpRequest) =>
    send({ ...request, headers: { ...request.headers, authorization: header } });

  return async (request) => {
    const first = await token();
    const answer = await sendWith(first, request);
    return answer.status === 401 ? sendWith(await token(first), request) : answer;
  };
}

async function requestToken(
  send: Send,
  credentials: Credentials,
  options: BearerOptions,
): Promise<BearerToken> {
  const { tokenUrl, clientId, clientSecret, scope, tokenBody } = credentials;
  const grant = { grant_type: 'client_credentials', ...(scope !== undefined && { scope }) };
  const { status, body } = await send({
    method: 'POST',
    url: tokenUrl,
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: tokenBody === 'json' ? grant : new URLSearchParams(grant),
  });
  const answer = Object(body) as { access_token?: unknown; expires_in?: unknown; scope?: unknown };
  if (status >= 300 || typeof answer.access_token !== 'string') {
    throw new Error(`${options.provider} gave no token for our credentials: HTTP ${status}`);
  }
  if (typeof answer.scope === 'string') options.onGranted?.(answer.scope);
  const lifeMs = (Number(answer.expires_in) || DEFAULT_TOKEN_SECONDS) * 1000;
  return {
    header: `Bearer ${answer.access_token}`,
    usableUntil: options.clock.now() + lifeMs - Math.min(TOKEN_MARGIN_MS, lifeMs / 2),
  };
}

/**
 * Keeps the session that `open` makes from the settings. If `load` returns other settings, a new session with
 * new tokens replaces it.
 */
export function reopening<Settings, Opened>(
  load: () => Promise<Settings>,
  open: (settings: Settings) => Opened,
): () => Promise<Opened> {
  let current: { key: string; opened: Opened } | undefined;
  return async () => {
    const settings = await load();
    const key = JSON.stringify(settings);
    if (current?.key !== key) current = { key, opened: open(settings) };
    return current.opened;
  };
}
