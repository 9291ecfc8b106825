import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import {
  commonLogTime,
  type Exchange,
  type Headers,
  isBinaryType,
  proxyEvent,
  readReply,
} from './api-event.ts';
import { type Api, type FoundRoute, findRoute, type Route, readApi } from './api-routes.ts';
import type { Identity } from './certificates.ts';
import { encoded } from './compression.ts';
import { type Domain, domainOf, serverOf } from './domains.ts';
import { closeServer, listen } from './http-server.ts';
import type { Iam } from './iam.ts';
import type { Lambdas } from './lambda.ts';
import type { Template } from './template.ts';
import {
  ACCOUNT,
  type Faults,
  fields,
  isAwsError,
  list,
  PARTITION,
  REGION,
  readBody,
  text,
  URL_SUFFIX,
} from './wire.ts';

/** The REST APIs of API Gateway, with Lambda proxy integrations, mock integrations and gateway responses. */
type Apis = {
  urls: Record<string, string>;
  /**
   * Starts to serve. `readObject` reads the text of an S3 object, because custom domains keep their trust
   * stores in a bucket.
   */
  open(parts: Omit<Serving, 'api'>, readObject: ReadObject): Promise<void>;
  stop(): Promise<void>;
};

export type ReadObject = (place: { bucket: string; key: string }) => Promise<string>;
/**
 * A local server that answers all calls below one path of an API. It exists only here: the API on AWS does
 * not have the path.
 */
export type Beside = { api: string; path: string; listener: RequestListener };
type ApiOptions = { ports?: Record<string, number>; identity?: Identity; beside?: Beside };

const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
const LONGEST_INTEGRATION_MS = 29_000;

/**
 * Opens the ports before the functions start, because functions get the address of their API from the
 * template. `identity` is the server certificate of custom domains that require client certificates.
 */
export async function startApis(template: Template, options: ApiOptions): Promise<Apis> {
  const { ports = {}, identity, beside } = options;
  const servers: (ReturnType<typeof serverOf> & { domain?: Domain })[] = [];
  const urls: Record<string, string> = {};
  let parts: Parameters<Apis['open']>[0] | undefined;
  for (const { logicalId, properties } of template.ofType('AWS::ApiGateway::RestApi')) {
    const name = text(template.resolve(properties.Name)) || logicalId;
    if (properties.Body || properties.BodyS3Location)
      throw new Error(`${logicalId} is made from OpenAPI: unsupported`);
    let api: Api | undefined;
    const domain = domainOf(template, logicalId);
    const made = serverOf(domain, identity, (request, response) => {
      if (beside?.api === name && isBelow(beside.path, request)) return beside.listener(request, response);
      if (!parts) return void response.writeHead(503).end();
      api ??= readApi(template, logicalId);
      serve(request, response, { api, ...parts }).catch(() => response.destroy());
    });
    servers.push({ ...made, domain });
    const address = await listen(made.server, ports[logicalId] ?? ports[name] ?? 0);
    const url = address.replace('http', made.scheme);
    urls[name] = url;
    const stage = `(?:/${stagesOf(template, logicalId).join('|')})?`;
    const remote = new RegExp(
      `https://${template.ref(logicalId)}\\.execute-api\\.${REGION}\\.${URL_SUFFIX}${stage}`,
      'g',
    );
    // An API may switch off its `execute-api` address. That address is not replaced by the local one, and so
    // no function can use it here either.
    if (properties.DisableExecuteApiEndpoint !== true)
      template.rewrite((value) => value.replace(remote, url));
    if (domain) template.rewrite((value) => value.replaceAll(`https://${domain.name}`, url));
  }
  return {
    urls,
    async open(given, readObject) {
      for (const { domain, trust } of servers)
        if (domain?.trustStore) trust(await readObject(domain.trustStore));
      parts = given;
    },
    stop: async () => {
      await Promise.all(servers.map(({ server }) => closeServer(server)));
    },
  };
}

const isBelow = (path: string, { url = '' }: IncomingMessage) =>
  url.startsWith(path) && /^($|[/?])/.test(url.slice(path.length));

function stagesOf(template: Template, apiId: string): string[] {
  const ref = template.ref(apiId);
  const stages = template.ofType('AWS::ApiGateway::Stage').map(({ properties }) => properties);
  const own = stages.filter(({ RestApiId }) => template.resolve(RestApiId) === ref);
  return own.map(({ StageName }) => text(template.resolve(StageName)));
}

type Serving = { api: Api; iam: Iam; lambdas: Lambdas; patience: number; faults?: Faults };
async function serve(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { api, faults } = serving;
  const [rawPath = '/', rawQuery = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const exchange: Exchange = {
    request,
    response,
    requestId: randomUUID(),
    method: request.method ?? 'GET',
    path: rawPath,
    query: new URLSearchParams(rawQuery),
  };
  let body: Buffer;
  try {
    body = await readBody(request, BODY_LIMIT_BYTES);
  } catch (error) {
    if (isAwsError(error)) return answer(exchange, 413, {}, '{"message":"Request Too Long"}');
    throw error;
  }
  const found = findStagedRoute(api, exchange);
  if (!found)
    return refuse(exchange, api, 'MISSING_AUTHENTICATION_TOKEN', 403, 'Missing Authentication Token');
  if (found.route.throttle?.(performance.now()) === false)
    return refuse(exchange, api, 'THROTTLED', 429, 'Too Many Requests');
  const operation = `${found.route.method} ${found.route.path}`;
  const fault = await faults?.before?.({ service: 'apigateway', operation, input: { path: exchange.path } });
  if (fault && fault !== 'drop-answer') {
    return refuse(exchange, api, fault.error.name, fault.error.status ?? 500, fault.error.message);
  }
  if (found.route.integration.Type === 'MOCK') return answerMock(exchange, found.route);
  await integrate(exchange, serving, found, body);
  if (fault === 'drop-answer') response.destroy();
}

/**
 * Finds the route of a path, whose first segment may be the stage. The local base URL has no stage, but
 * callers may add it as on AWS.
 */
function findStagedRoute(api: Api, exchange: Exchange): FoundRoute | undefined {
  if (api.stage === undefined) return undefined;
  const [, first] = exchange.path.split('/');
  if (first === api.stage) exchange.path = exchange.path.slice(api.stage.length + 1) || '/';
  return findRoute(api.routes, exchange.method, exchange.path);
}

async function integrate(
  exchange: Exchange,
  { api, iam, lambdas, patience }: Serving,
  found: FoundRoute,
  body: Buffer,
): Promise<void> {
  const { route } = found;
  const functionArn = /functions\/(.+)\/invocations/.exec(text(route.integration.Uri))?.[1] ?? '';
  const config = lambdas.find(functionArn);
  const place = `arn:${PARTITION}:execute-api:${REGION}:${ACCOUNT}`;
  const source = `${place}:${api.id}/${api.stage}/${exchange.method}${route.path}`;
  const role = text(route.integration.Credentials);
  const allowed = role
    ? iam.isAllowed({ roleArn: role }, { action: 'lambda:InvokeFunction', resource: functionArn })
    : iam.mayInvoke(functionArn, 'apigateway.amazonaws.com', source);
  if (!config || !allowed)
    return refuse(exchange, api, 'API_CONFIGURATION_ERROR', 500, 'Internal server error');

  const limit = Math.min(
    Number(route.integration.TimeoutInMillis ?? LONGEST_INTEGRATION_MS),
    LONGEST_INTEGRATION_MS,
  );
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(resolve, limit * patience, 'timeout');
  });
  const invocation = lambdas
    .invoke(functionArn, proxyEvent(exchange, api, found, body))
    .catch(() => undefined);
  const result = await Promise.race([invocation, tooLate]);
  clearTimeout(timer);

  if (result === 'timeout')
    return refuse(exchange, api, 'INTEGRATION_TIMEOUT', 504, 'Endpoint request timed out');
  const reply =
    result && !result.functionError
      ? readReply(result.payload, isBinaryType(api, exchange.request.headers.accept))
      : undefined;
  if (!reply) return refuse(exchange, api, 'INTEGRATION_FAILURE', 502, 'Internal server error');
  const accepted = exchange.request.headers['accept-encoding']?.toString();
  const sent = encoded(reply, { minimum: api.compressedFrom, accepted });
  answer(exchange, reply.status, sent.headers, sent.body);
}

function answerMock(exchange: Exchange, { integration }: Route): void {
  const reply = fields(list(integration.IntegrationResponses)[0]);
  const headers: Headers = {};
  for (const [name, value] of Object.entries(fields(reply.ResponseParameters))) {
    headers[name.replace('method.response.header.', '')] = text(value).replace(/^'|'$/g, '');
  }
  answer(
    exchange,
    Number(reply.StatusCode ?? 200),
    headers,
    text(fields(reply.ResponseTemplates)['application/json']),
  );
}

/**
 * Answers with an error of API Gateway itself. Uses the template's gateway response for `type`. Without one
 * it uses the template's `DEFAULT_4XX` or `DEFAULT_5XX`, and without these AWS's default.
 */
function refuse(exchange: Exchange, api: Api, type: string, status: number, message: string): void {
  const fallback = status >= 500 ? 'DEFAULT_5XX' : 'DEFAULT_4XX';
  const custom = api.responses.get(type) ?? api.responses.get(fallback);
  const context: Record<string, string> = {
    'error.messageString': JSON.stringify(message),
    'error.message': message,
    'error.responseType': type,
    'error.validationErrorString': message,
    requestId: exchange.requestId,
    extendedRequestId: exchange.requestId.slice(0, 15),
    httpMethod: exchange.method,
    path: `/${api.stage}${exchange.path}`,
    stage: api.stage ?? '',
    requestTimeEpoch: String(Date.now()),
    requestTime: commonLogTime(new Date()),
    'identity.sourceIp': '127.0.0.1',
    apiId: api.id,
  };
  const headers: Headers = { 'Content-Type': 'application/json', 'x-amzn-ErrorType': errorType(type) };
  for (const [name, value] of Object.entries(custom?.parameters ?? {})) {
    headers[name.replace('gatewayresponse.header.', '')] = parameterValue(
      text(value),
      context,
      exchange.request,
    );
  }
  const body = (custom?.template ?? '{"message":$context.error.messageString}').replace(
    /\$context\.((?:error\.|identity\.)?\w+)/g,
    (_, name: string) => context[name] ?? '',
  );
  answer(exchange, custom?.status ?? status, headers, body);
}

function errorType(type: string): string {
  const words = type
    .toLowerCase()
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Exception`;
}

function parameterValue(source: string, context: Record<string, string>, request: IncomingMessage): string {
  if (source.startsWith("'")) return source.slice(1, -1);
  if (source.startsWith('context.')) return context[source.slice('context.'.length)] ?? '';
  const header = source.replace('method.request.header.', '').toLowerCase();
  return String(request.headers[header] ?? '');
}

function answer(
  { response, requestId }: Exchange,
  status: number,
  headers: Headers,
  body: string | Buffer,
): void {
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  response.writeHead(status, {
    ...(hasType ? {} : { 'Content-Type': 'application/json' }),
    'x-amzn-RequestId': requestId,
    'x-amz-apigw-id': requestId.slice(0, 15),
    ...headers,
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
