import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Need, Principal } from './access.ts';
import { refuse } from './error-answer.ts';
import type { Gate, Service } from './gate.ts';
import { closeServer, listen } from './http-server.ts';
import type { Storage } from './storage.ts';
import { answerSts, operatorOf } from './sts.ts';
import { awsError, type Call, type Faults, type Fields, fields, list, readBody, text } from './wire.ts';

export type S3 = {
  needs(method: string, url: string, headers: IncomingMessage['headers']): Need[];
  forward: Storage['forward'];
};

type Parts = { gate: Gate; services: Map<string, Service>; s3: S3; principals: Map<string, Principal> };

type Front = {
  endpoint: string;
  /** Starts to serve. `principals` are the functions' roles, by access key. */
  open(parts: Parts): void;
  stop(): Promise<void>;
};

const SERVICE_OF_TARGET: Record<string, string> = {
  DynamoDB_20120810: 'dynamodb',
  DynamoDBStreams_20120810: 'streams',
  AWSStepFunctions: 'states',
  AmazonSQS: 'sqs',
  TrentService: 'kms',
  secretsmanager: 'secretsmanager',
  AmazonSSM: 'ssm',
};

/**
 * Services that receive metrics, logs and traces. Their calls are accepted and dropped, because the product
 * must not depend on the answers.
 */
const TELEMETRY = new Set(['monitoring', 'logs', 'xray']);

/**
 * Opens the one address of all AWS services. It must listen before the services exist, because functions get
 * its URL. It uses `port` if that is free, and otherwise any free port, because two sandboxes may run at
 * once.
 */
export async function startFront(port = 0): Promise<Front> {
  let parts: Parts | undefined;
  const server = createServer((request, response) => {
    if (!parts) return void response.writeHead(503).end();
    handle(request, response, parts).catch((error: unknown) => refuse(request, response, error));
  });
  const endpoint = await listen(server, port).catch(() => listen(server, 0));
  return {
    endpoint,
    open: (given) => {
      parts = given;
    },
    stop: () => closeServer(server),
  };
}

async function handle(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  const [body, { principal, service: scope }] = [
    await readBody(request),
    identify(request, parts.principals),
  ];
  const target = text(request.headers['x-amz-target']);
  const url = request.url ?? '/';
  if (target) return answerJson(response, parts, principal, target, body);
  const lambda = /^\/2015-03-31\/functions\/([^/]+)\/invocations/.exec(url);
  if (lambda)
    return answerInvoke(request, response, parts, principal, decodeURIComponent(lambda[1] ?? ''), body);
  if (scope === 'sts') return answerSts(response, principal, body);
  if (TELEMETRY.has(scope)) return acceptTelemetry(request, response);
  if (scope === 's3') return answerS3(request, response, parts, principal, body);
  throw awsError('UnknownOperationException', `No service here answers ${request.method} ${url} (${scope})`);
}

/** Identifies the caller by its access key. Does not check the signature, because only this machine can connect. */
function identify(request: IncomingMessage, principals: Map<string, Principal>) {
  const scope = /Credential=([^/]+)\/\d+\/[^/]+\/([^/]+)\//.exec(text(request.headers.authorization));
  const query = new URL(request.url ?? '/', 'http://front').searchParams.get('X-Amz-Credential')?.split('/');
  const accessKey = scope?.[1] ?? query?.[0] ?? '';
  const principal = operatorOf(accessKey) ?? principals.get(accessKey);
  if (!principal) {
    throw awsError(
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
      403,
    );
  }
  return { principal, service: scope?.[2] ?? query?.[3] ?? '' };
}

async function answerJson(
  response: ServerResponse,
  { gate, services }: Parts,
  principal: Principal,
  target: string,
  body: Buffer,
): Promise<void> {
  const [prefix = '', operation = ''] = target.split('.');
  const name = SERVICE_OF_TARGET[prefix] ?? prefix;
  const service = services.get(name);
  if (!service) throw awsError('UnknownOperationException', `${prefix} is not simulated`);
  const input = fields(JSON.parse(body.toString() || '{}'));
  const call = { service: name, operation, input, ...nameOf(principal) };
  const verdict = await gate.check(principal, call, service.needs(operation, input));
  const answer = service.forward
    ? await forward(service.forward, body, { call, metered: gate.metered })
    : { status: 200, body: Buffer.from(JSON.stringify(await service.call(operation, input, principal))) };
  if (verdict === 'drop-answer') return void response.destroy();
  response
    .writeHead(answer.status, {
      'content-type': 'application/x-amz-json-1.0',
      'x-amzn-requestid': randomUUID(),
    })
    .end(answer.body);
}

/** Passes the bytes on unchanged, unless somebody counts units. Then the emulator is also asked for them. */
async function forward(
  send: NonNullable<Service['forward']>,
  body: Buffer,
  { call, metered }: { call: Call; metered: Faults['metered'] },
): Promise<{ status: number; body: Buffer }> {
  const { service, operation, input } = call;
  if (!metered || service !== 'dynamodb') return send(operation, body);
  const asking = Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }));
  const answer = await send(operation, asking);
  metered(call, unitsIn(fields(JSON.parse(answer.body.toString()))));
  return answer;
}

/** A refused write has no units in its answer, but AWS bills at least one. */
function unitsIn({ ConsumedCapacity }: Fields): number {
  const units = list(ConsumedCapacity).map((of) => Number(fields(of).CapacityUnits));
  return units.length > 0 ? units.reduce((sum, each) => sum + each, 0) : 1;
}

async function answerInvoke(
  request: IncomingMessage,
  response: ServerResponse,
  { gate, services }: Parts,
  principal: Principal,
  functionName: string,
  body: Buffer,
): Promise<void> {
  const lambda = services.get('lambda');
  const input = {
    FunctionName: functionName,
    InvocationType: text(request.headers['x-amz-invocation-type']) || 'RequestResponse',
    Payload: body.length > 0 ? (JSON.parse(body.toString()) as unknown) : {},
  };
  const call = { service: 'lambda', operation: 'Invoke', input, ...nameOf(principal) };
  const verdict = await gate.check(principal, call, lambda?.needs('Invoke', input) ?? []);
  const { StatusCode, FunctionError, Payload } = (await lambda?.call('Invoke', input)) ?? {};
  if (verdict === 'drop-answer') return void response.destroy();
  response
    .writeHead(Number(StatusCode), {
      'content-type': 'application/json',
      'x-amzn-requestid': randomUUID(),
      ...(FunctionError ? { 'x-amz-function-error': text(FunctionError) } : {}),
    })
    .end(text(Payload));
}

async function answerS3(
  request: IncomingMessage,
  response: ServerResponse,
  { gate, s3 }: Parts,
  principal: Principal,
  body: Buffer,
): Promise<void> {
  const [method, url] = [request.method ?? 'GET', request.url ?? '/'];
  const needs = s3.needs(method, url, request.headers);
  const call = {
    service: 's3',
    operation: needs[0]?.action.slice(3) ?? '',
    input: { method, url },
    ...nameOf(principal),
  };
  const verdict = await gate.check(principal, call, needs);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([key, value]) => [key, String(value)]),
  );
  const answer = await s3.forward({ method, url, headers, body });
  if (verdict === 'drop-answer') return void response.destroy();
  const { connection: _, 'transfer-encoding': __, ...kept } = answer.headers;
  response.writeHead(answer.status, kept).end(method === 'HEAD' ? undefined : answer.body);
}

function nameOf({ functionName }: Principal): { functionName?: string } {
  return functionName ? { functionName } : {};
}

function acceptTelemetry(request: IncomingMessage, response: ServerResponse): void {
  const cbor = request.headers['smithy-protocol'] === 'rpc-v2-cbor';
  if (cbor)
    response.setHeader('smithy-protocol', 'rpc-v2-cbor').setHeader('content-type', 'application/cbor');
  response.writeHead(200).end(cbor ? Buffer.from([0xa0]) : '{}');
}
