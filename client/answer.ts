import { ConnectionError, errorOf, type OnrampError, type RateLimit } from './errors.ts';
import { parseRetryAfter } from './retry.ts';

/**
 * The HTTP status of an answer, and the values of its headers. `metaOf(result)` returns them for a result.
 */
export type ResponseMeta = {
  status: number;
  /** Quote this id when you ask the service's support. */
  requestId: string | undefined;
  rateLimit: RateLimit | undefined;
  /**
   * True if the service had already answered an earlier request with this idempotency key. The service then
   * answers again, without a second effect (header `Idempotent-Replayed`).
   */
  replayed: boolean;
};

export type Answer = {
  /** The parsed JSON of the body. Undefined if the body is not JSON. */
  body: unknown;
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string | null;
  meta: ResponseMeta;
  retryAfterSeconds: number | undefined;
};

export function readAnswer(response: Response, bytes: Uint8Array<ArrayBuffer>, nowMs: number): Answer {
  return {
    body: parseJson(new TextDecoder().decode(bytes)),
    bytes,
    contentType: response.headers.get('content-type'),
    meta: readMeta(response),
    retryAfterSeconds: parseRetryAfter(response.headers.get('retry-after'), nowMs),
  };
}

/**
 * Returns the field `data` of a successful answer, `{ success: true, data }`. Throws `UNEXPECTED_RESPONSE` if
 * the body has another form.
 */
export function parse<Data extends object>(answer: Answer): Data {
  const { body, meta } = answer;
  if (!isRecord(body) || body.success !== true || !isRecord(body.data)) throw unexpectedResponse(answer);
  metaByResult.set(body.data, meta);
  return body.data as Data;
}

/**
 * Returns the bytes of an answer that is a document, such as a PDF. Throws `UNEXPECTED_RESPONSE` if its media
 * type is not `type`.
 */
export function documentOf(answer: Answer, type: string): Uint8Array<ArrayBuffer> {
  const { bytes, contentType, meta } = answer;
  if (contentType?.split(';')[0] !== type) throw unexpectedResponse(answer, type);
  metaByResult.set(bytes, meta);
  return bytes;
}

/**
 * Maps each result to the status and the header values of its answer. The map is separate, so that a result
 * has exactly the fields that the service sent.
 */
const metaByResult = new WeakMap<object, ResponseMeta>();

/**
 * Returns the HTTP status and the header values of the answer that gave a result. Undefined for an object
 * that this library did not return.
 */
export function metaOf(result: object): ResponseMeta | undefined {
  return metaByResult.get(result);
}

/**
 * Makes the error for an answer in which the service refuses the request. It takes `code`, `message` and
 * `details` from the body. A body of another form gives `UNEXPECTED_RESPONSE`.
 */
export function toError(answer: Answer): OnrampError {
  const { body, meta, retryAfterSeconds } = answer;
  const error = isRecord(body) && body.success === false && isRecord(body.error) ? body.error : {};
  if (typeof error.code !== 'string') return unexpectedResponse(answer);

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

/**
 * The error's message does not contain the answer's body, because a body of unknown form may hold anything.
 */
function unexpectedResponse(
  { meta, retryAfterSeconds }: Answer,
  expected = "the service's envelope",
): OnrampError {
  const message = `The answer (HTTP ${meta.status}) is not ${expected}`;
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
