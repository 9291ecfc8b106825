import { type Call, call } from './partner-api.ts';
import { eventually } from './sandbox.ts';

/**
 * One recorded answer of the service. Each value that changes from run to run is replaced by the name of its kind.
 */
export type Recorded = {
  title: string;
  request: string;
  body?: unknown;
  status: number;
  headers: string[];
  answer: unknown;
};

type Value = string | number | boolean | null | Value[] | { [name: string]: Value };

/** The headers that are recorded. The others belong to the gateway, the transport or the moment. */
const HEADERS = ['content-type', 'idempotent-replayed', 'ratelimit-limit', 'retry-after', 'x-request-id'];

/** The forms of values that differ between two runs. The name of the first form that fits replaces the whole text. */
const KINDS: readonly [RegExp, string][] = [
  [/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, '<instant>'],
  [/^data:image\/png;base64,/, '<png>'],
  [/^otpauth:\/\//, '<otpauth uri>'],
  [/^000201/, '<pix payload>'],
  [/^0x[0-9a-f]{64}$/, '<transaction hash>'],
  [/^https?:\/\//, '<url>'],
  [/^_act-|^ey[\w-]+\.|^token-/, '<token>'],
  [/^whsec_/, '<secret>'],
  [/^[ED]\d{8}\d{12}\w{11}$/i, '<end-to-end id>'],
];
const IDS: readonly [RegExp, string][] = [
  [/\b0[0-9A-HJKMNP-TV-Z]{25}\b/g, '<transaction>'],
  [/\bkyc_[0-9A-Z]{32}\b/g, '<kyc token>'],
  [/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '<uuid>'],
  [/^[0-9A-HJKMNP-TV-Z]{16}$/g, '<id>'],
];

export function normalized(value: Value, ids: ReadonlyMap<string, string>): Value {
  if (typeof value === 'string') return normalizedText(value, ids);
  if (Array.isArray(value)) return value.map((each) => normalized(each, ids));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [
    name,
    name.endsWith('Seconds') ? '<seconds>' : normalized(each, ids),
  ]);
  return Object.fromEntries(entries.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)));
}

function normalizedText(text: string, ids: ReadonlyMap<string, string>): string {
  const known = ids.get(text);
  if (known) return `<${known}>`;
  const kind = KINDS.find(([form]) => form.test(text));
  if (kind) return kind[1];
  return IDS.reduce((rest, [form, name]) => rest.replace(form, name), text);
}

/** Calls the service and records each request and answer. `ids` holds the names of values that this run has made. */
export function contractRecorder() {
  const recorded: Recorded[] = [];
  const ids = new Map<string, string>();

  async function record(title: string, method: string, path: string, { apiKey, body, headers }: Call = {}) {
    const { status, headers: answered, text, data } = await call(method, path, { apiKey, body, headers });
    recorded.push({
      title,
      request: `${method} ${normalizedText(path, ids)}`,
      ...(body !== undefined && { body: normalized(body as Value, ids) }),
      status,
      headers: HEADERS.filter((name) => answered.has(name)),
      answer: normalized(JSON.parse(text) as Value, ids),
    });
    return data as Record<string, Value>;
  }

  return {
    recorded,
    record,
    name: (value: string, name: string) => void ids.set(value, name),
    normalized: (value: unknown) => normalized(value as Value, ids),
    /** Reads until the answer satisfies `isIt`, and records only the last answer. */
    async recordOnce(
      title: string,
      path: string,
      apiKey: string,
      isIt: (data: Record<string, Value>) => boolean,
    ) {
      await eventually(
        () => call('GET', path, { apiKey }),
        ({ data }) => data !== undefined && isIt(data as Record<string, Value>),
      );
      return record(title, 'GET', path, { apiKey });
    },
  };
}
