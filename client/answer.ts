import { ConnectionError, errorOf, type OnrampError, type RateLimit } from './errors.ts';
import { parseRetryAfter } from './retry.ts';

/** The facts in the headers of an answer. `metaOf(result)` reads them. */
export type ResponseMeta = {
  status: number;
  /** Quote this id when you ask the service's support. */
  requestId: string | undefined;
  rateLimit: RateLimit | undefined;
  /** True when the service had answered this idempotency key before. */
  replayed: boolean;
};

export type Answer = { body: unknown; meta: ResponseMeta; retryAfterSeconds: number | undefined };

export function readAnswer(response: Response, text: string, nowMs: number): Answer {
  return {
    body: parseJson(text),
    meta: readMeta(response),
    retryAfterSeconds: parseRetryAfter(response.headers.get('retry-after'), nowMs),
  };
}

/** Takes `data` out of the envelope. Throws `UNEXPECTED_RESPONSE` when the body is not the envelope of a success. */
export function parse<Data extends object>({ body, meta }: Answer): Data {
  if (!isRecord(body) || body.success !== true || !isRecord(body.data)) throw unexpectedResponse(meta);
  metaByResult.set(body.data, meta);
  return body.data as Data;
}

/** The headers' facts are kept beside the results. A result is therefore exactly the data that the service sent. */
const metaByResult = new WeakMap<object, ResponseMeta>();

/**
 * Returns the request id and the rate limit of a result, or undefined for an object that this library did not return.
 */
export function metaOf(result: object): ResponseMeta | undefined {
  return metaByResult.get(result);
}

/** Makes the error of a refusal from the envelope's code, message and details. */
export function toError({ body, meta, retryAfterSeconds }: Answer): OnrampError {
  const error = isRecord(body) && body.success === false && isRecord(body.error) ? body.error : {};
  if (typeof error.code !== 'string') return unexpectedResponse(meta, retryAfterSeconds);

  const message = typeof error.message === 'string' ? error.message : error.code;
  const details = isRecord(error.details) ? error.details : {};
  return errorOf(error.code, message, { ...meta, details, retryAfterSeconds });
}

function readMeta({ status, headers }: Response): ResponseMeta {
  return {
    status,
    requestId: headers.get('x-request-id') ?? headers.get('x-amzn-requestid') ?? undefined,
    rateLimit: readRateLimit(headers),
    replayed: headers.get('idempotent-replayed') === 'true',
  };
}

function readRateLimit(headers: Headers): RateLimit | undefined {
  const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) =>
    Number.parseInt(headers.get(`ratelimit-${name}`) ?? '', 10),
  ) as [number, number, number];
  if (Number.isNaN(limit + remaining + resetSeconds)) return undefined;
  return { limit, remaining, resetSeconds };
}

/** The message does not contain the body, because the body may hold anything. */
function unexpectedResponse(meta: ResponseMeta, retryAfterSeconds?: number): OnrampError {
  const message = `The answer (HTTP ${meta.status}) is not the service's envelope`;
  return new ConnectionError('UNEXPECTED_RESPONSE', message, { ...meta, retryAfterSeconds });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
