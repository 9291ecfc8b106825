import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Api, FoundRoute } from './api-routes.ts';
import { ACCOUNT, type Fields, fields, list } from './wire.ts';

export type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  method: string;
  path: string;
  query: URLSearchParams;
};

export type Headers = Record<string, string | string[]>;

/**
 * Reads the answer that a function gives to API Gateway. Returns undefined if `statusCode` or `body` is
 * wrong, because API Gateway then answers 502. `isBinary` says whether the API treats the first media type in
 * the request's `Accept` as binary. Without it a Base64 body is not decoded.
 */
export function readReply(
  payload: string,
  isBinary: boolean,
): { status: number; headers: Headers; body: Buffer } | undefined {
  const reply = fields(JSON.parse(payload));
  const status = Number(reply.statusCode);
  if (!Number.isInteger(status) || status < 100 || status > 599) return undefined;
  const body = reply.body ?? '';
  if (typeof body !== 'string') return undefined;
  const headers: Headers = {};
  for (const [name, value] of Object.entries(fields(reply.headers))) headers[name] = String(value);
  for (const [name, values] of Object.entries(fields(reply.multiValueHeaders))) {
    const existing = Object.keys(headers).find((known) => known.toLowerCase() === name.toLowerCase());
    if (existing) delete headers[existing];
    headers[name] = list(values).map(String);
  }
  const isDecoded = isBinary && reply.isBase64Encoded === true;
  return { status, headers, body: Buffer.from(body, isDecoded ? 'base64' : 'utf8') };
}

/** True if the API treats the first media type in the header's value as binary. */
export function isBinaryType({ binaryTypes }: Api, header = ''): boolean {
  const first = header.replace(/[,;].*$/s, '').trim();
  return binaryTypes.some((type) => type === '*/*' || type === first);
}

export function proxyEvent(
  exchange: Exchange,
  api: Api,
  { route, parameters }: FoundRoute,
  body: Buffer,
): Fields {
  const { request, path, query, requestId, method } = exchange;
  const names = [...new Set(query.keys())];
  const now = new Date();
  const headers = receivedHeaders(request);
  const isBinary = isBinaryType(api, request.headers['content-type']);
  return {
    resource: route.path,
    path,
    httpMethod: method,
    headers: Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values.at(-1)])),
    multiValueHeaders: headers,
    queryStringParameters:
      names.length > 0 ? Object.fromEntries(names.map((name) => [name, query.getAll(name).at(-1)])) : null,
    multiValueQueryStringParameters:
      names.length > 0 ? Object.fromEntries(names.map((name) => [name, query.getAll(name)])) : null,
    pathParameters: parameters,
    stageVariables: api.stageVariables,
    requestContext: {
      accountId: ACCOUNT,
      apiId: api.id,
      domainName: request.headers.host,
      domainPrefix: api.id,
      extendedRequestId: requestId.slice(0, 15),
      httpMethod: method,
      identity: {
        ...EMPTY_IDENTITY,
        sourceIp: '127.0.0.1',
        userAgent: request.headers['user-agent'] ?? null,
      },
      path: `/${api.stage}${path}`,
      protocol: 'HTTP/1.1',
      requestId,
      requestTime: commonLogTime(now),
      requestTimeEpoch: now.getTime(),
      resourceId: route.resourceId,
      resourcePath: route.path,
      stage: api.stage,
    },
    body: body.length > 0 ? body.toString(isBinary ? 'base64' : 'utf8') : null,
    isBase64Encoded: isBinary && body.length > 0,
  };
}

const EMPTY_IDENTITY = {
  accessKey: null,
  accountId: null,
  caller: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};

function receivedHeaders(request: IncomingMessage): Record<string, string[]> {
  const headers: Record<string, string[]> = {};
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const [name, value] = [request.rawHeaders[index] ?? '', request.rawHeaders[index + 1] ?? ''];
    if (name.toLowerCase() === 'connection') continue;
    headers[name] = [...(headers[name] ?? []), value];
  }
  headers['X-Forwarded-For'] = [[...(headers['X-Forwarded-For'] ?? []), '127.0.0.1'].join(', ')];
  headers['X-Forwarded-Port'] = [String(request.socket.localPort)];
  headers['X-Forwarded-Proto'] = ['http'];
  headers['X-Amzn-Trace-Id'] = [
    `Root=1-${Date.now().toString(16).slice(0, 8)}-${randomUUID().replaceAll('-', '').slice(8)}`,
  ];
  return headers;
}

export function commonLogTime(date: Date): string {
  const [, day, month, year, time] = /, (\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}
