import { ConnectionError, errorOf, type OnrampError, type RateLimit } from './errors.ts';
import { parseRetryAfter } from './retry.ts';

/** The status of an answer, and the facts in its headers. `metaOf(result)` reads them. */
export type ResponseMeta = {
  status: number;
  /** Quote this id when you ask the service's support. */
  requestId: string | undefined;
  rateLimit: RateLimit | undefined;
  /** True when the service had answered this idempotency key before. */
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

/** Returns `data` of the envelope. Throws `UNEXPECTED_RESPONSE` if the body is not the envelope of a success. */
export function parse<Data extends object>(answer: Answer): Data {
  const { body, meta } = answer;
  if (!isRecord(body) || body.success !== true || !isRecord(body.data)) throw unexpectedResponse(answer);
  metaByResult.set(body.data, meta);
  return body.data as Data;
}

/**
 * Returns the bytes of an answer that is a document. Throws `UNEXPECTED_RESPONSE` if the answer has another media type.
 */
export function documentOf(answer: Answer, type: string): Uint8Array<ArrayBuffer> {
  const { bytes, contentType, meta } = answer;
  if (contentType?.split(';')[0] !== type) throw unexpectedResponse(answer, type);
  metaByResult.set(bytes, meta);
  return bytes;
}

/** The facts from the headers, by result. A separate map leaves each result exactly the data that the service sent. */
const metaByResult = new WeakMap<object, ResponseMeta>();

/**
 * Returns the facts from the headers of a result, such as the request id. Undefined for an object that this
 * library did not return.
 */
export function metaOf(result: object): ResponseMeta | undefined {
  return metaByResult.get(result);
}

/** Makes an error from a refusal: from the code, the message and the details of the envelope. */
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

/** The message does not contain the body, because the body may hold anything. */
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
