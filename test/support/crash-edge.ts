import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that leaves a process. */
export type Request = { url: string; method: string; headers: Record<string, string>; body: string };
export type Outside = (request: Request) => Promise<{ status: number; body: string }>;

/**
 * The point at which a process is killed: at its `nth` request with the name `at`. `before`: the request reaches
 * nothing. `after`: the request takes effect, but the process does not get the answer.
 */
export type Fate = { when: 'before' | 'after'; at: string; nth?: number };

export type Edge = { url: string; seen: string[]; stop(): Promise<void> };

/**
 * Holds the process before its requests with the name `at` until `until` settles. `reached` is called when the
 * process waits.
 */
export type Gate = { at: string; reached(): void; until: Promise<unknown> };

type Guards = { fate?: Fate; gate?: Gate; strike(): void };

/**
 * The only way from a process to the outside. Every effect is a request through it. A process that is killed here is
 * therefore killed exactly between two effects, whatever code runs.
 */
export async function openEdge(outside: Outside, { fate, gate, strike }: Guards): Promise<Edge> {
  const seen: string[] = [];
  let left = fate?.nth ?? 1;
  const isFated = (names: string[]) => fate !== undefined && names.includes(fate.at) && --left === 0;

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(incoming);
    const names = namesOf(request);
    if (gate && names.includes(gate.at)) {
      gate.reached();
      await gate.until;
    }
    const isLast = isFated(names);
    if (isLast && fate?.when === 'before') return strike();
    seen.push(...names);
    const { status, body } = await outside(request);
    if (isLast) return strike();
    response.writeHead(status, { 'content-type': typeOf(request) }).end(body);
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const typeOf = ({ headers }: Request) =>
  headers['x-amz-target'] ? 'application/x-amz-json-1.0' : 'application/json';

const KEPT_HEADERS = ['x-amz-target', 'x-amz-date', 'authorization', 'content-type'];

async function read(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const given = KEPT_HEADERS.map((name) => [name, incoming.headers[name]]);
  const headers = given.filter(([, value]) => value !== undefined);
  return {
    url: incoming.url ?? '/',
    method: incoming.method ?? 'GET',
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: Buffer.concat(chunks).toString(),
  };
}

type Fields = Record<string, unknown>;
type Value = { S?: string; L?: unknown[] };

/**
 * The meaning of a request in the words of the service's tables and providers, such as `settlement SIGNED` or `KMS
 * Sign`.
 */
export function namesOf({ url, method, headers, body }: Request): string[] {
  const [service = '', operation = ''] = (headers['x-amz-target'] ?? '').split('.');
  if (service === 'DynamoDB_20120810') return writesOf(operation, JSON.parse(body) as Fields);
  if (service !== '') return [`${SERVICES[service] ?? service} ${operation}`];
  if (/^\/(node|honest)/.test(url)) return [`node ${(JSON.parse(body) as { method: string }).method}`];
  return [`PSP ${method} ${RESOURCES.find((each) => url.includes(`/${each}`))}`];
}

/** The resources of the payment provider. A path may contain several of them, and the first in this list counts. */
const RESOURCES = ['devolucao', 'cob', 'token', 'webhook', 'pix'];

const SERVICES: Record<string, string> = {
  TrentService: 'KMS',
  AWSStepFunctions: 'machine',
  AmazonSQS: 'queue',
  secretsmanager: 'secrets',
};

function writesOf(operation: string, input: Fields): string[] {
  if (operation === 'PutItem') return [nameOfWrite('Put', input)];
  if (operation === 'UpdateItem') return [nameOfWrite('Update', input)];
  if (operation !== 'TransactWriteItems') return [`table ${operation}`];
  const items = input.TransactItems as Record<string, Fields>[];
  return items.flatMap((item) => Object.entries(item).map(([kind, write]) => nameOfWrite(kind, write)));
}

function nameOfWrite(kind: string, { TableName, Item, ExpressionAttributeValues }: Fields): string {
  const row = (Item ?? {}) as Record<string, Value>;
  const set = (ExpressionAttributeValues ?? {}) as Record<string, Value>;
  if (TableName === 'settlements' && row.state?.S) return `settlement ${stateOf(row)}`;
  if (TableName === 'transactions' && set[':status']?.S) return `purchase ${set[':status'].S}`;
  if (TableName === 'transactions' && set[':refund']) return 'purchase refund';
  return `${String(TableName)} ${kind}`;
}

function stateOf({ state, tries }: Record<string, Value>): string {
  const failed = tries?.L?.length ?? 0;
  const isOver = state?.S === 'REQUESTED' || state?.S === 'FAILED';
  if (failed > 0 && isOver) return `try ${failed} failed`;
  // On a quick chain a transfer may be final when the service first sees it. Both states therefore have one name.
  return state?.S === 'FINAL' ? 'CONFIRMED' : String(state?.S);
}
