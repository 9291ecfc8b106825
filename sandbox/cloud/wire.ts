import type { IncomingMessage } from 'node:http';

/** The fields of a JSON object, whose values have any type. */
export type Fields = Record<string, unknown>;

/** The region of the local cloud. The CDK app must be synthesized for it. */
export const REGION = 'us-east-1';
export const ACCOUNT = '000000000000';
export const PARTITION = 'aws';
export const URL_SUFFIX = 'amazonaws.com';

export type AwsError = Error & { status: number; fields: Fields };

/** An error as AWS answers it. The AWS SDK throws an exception with this `name`. */
export function awsError(name: string, message: string, status = 400, fields: Fields = {}): AwsError {
  return Object.assign(new Error(message), { name, status, fields });
}

export function isAwsError(error: unknown): error is AwsError {
  return error instanceof Error && 'status' in error && 'fields' in error;
}

/** One call of an AWS API. A function, a test, or a part of the local cloud such as a pipe makes it. */
export type Call = {
  service: string;
  operation: string;
  input: Fields;
  functionName?: string;
};

/** The failures of AWS that a test injects. */
export type Faults = {
  /**
   * Called before each call. It may name an error, with which the call then fails without an effect. After
   * `drop-answer` the call has its effect, but its caller gets no answer.
   */
  before?(call: Call): Promise<
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook that injects nothing returns nothing
    | void
    | undefined
    | { error: { name: string; message: string; status?: number; fields?: Fields } }
    | 'drop-answer'
  >;
  /** Receives the capacity units that the emulator of DynamoDB computes for each call. */
  metered?(call: Call, units: number): void;
};

export async function readBody(
  request: IncomingMessage,
  limitBytes = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size <= limitBytes) chunks.push(chunk as Buffer);
  }
  // The check comes after the whole body was read. If the answer came earlier, most clients would still be
  // sending and would lose it.
  if (size > limitBytes) throw awsError('RequestTooLarge', 'Request Too Long', 413);
  return Buffer.concat(chunks);
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function list(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** The JSON value of a text. The text itself if it is not JSON. */
export function parsed(body: unknown): unknown {
  try {
    return JSON.parse(text(body));
  } catch {
    return body;
  }
}

/** The value at a path such as ['dynamodb', 'NewImage', 'id', 'S']. Undefined if there is none. */
export function dig(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (at === undefined || at === null ? undefined : (at as Fields)[key]),
    value,
  );
}

/** True if the value matches a pattern of IAM, in which `*` stands for any text and `?` for one character. */
export function matchesWildcard(pattern: string, value: string): boolean {
  const known = WILDCARDS.get(pattern) ?? wildcard(pattern);
  WILDCARDS.set(pattern, known);
  return known.test(value);
}

/** The patterns of the policies, which every call is compared with. */
const WILDCARDS = new Map<string, RegExp>();

function wildcard(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.');
  return new RegExp(`^${source}$`, 's');
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
  });
}
