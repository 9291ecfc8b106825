import type { Template } from './template.ts';
import { type Throttle, throttleOf } from './throttle.ts';
import { type Fields, fields, list, text } from './wire.ts';

export type Route = {
  method: string;
  path: string;
  segments: string[];
  resourceId: string;
  integration: Fields;
  throttle?: Throttle;
};
type GatewayResponse = { status?: number; parameters: Fields; template?: string };
export type Api = {
  id: string;
  stage: string | undefined;
  stageVariables: Fields | null;
  routes: Route[];
  responses: Map<string, GatewayResponse>;
  binaryTypes: string[];
  /** API Gateway compresses a body of at least this many bytes. Undefined: it compresses none. */
  compressedFrom?: number;
};

export function readApi(template: Template, apiId: string): Api {
  const id = template.ref(apiId);
  const belongs = ({ RestApiId }: Fields) => RestApiId === id;
  const all = (type: string) =>
    template
      .ofType(type)
      .map(({ logicalId }) => ({ logicalId, ...template.properties(logicalId) }) as Fields);
  const parents = new Map(
    all('AWS::ApiGateway::Resource')
      .filter(belongs)
      .map(({ logicalId, ParentId, PathPart }) => [
        template.ref(text(logicalId)),
        { parent: text(ParentId), part: text(PathPart) },
      ]),
  );
  const segmentsOf = (resourceId: string): string[] => {
    const at = parents.get(resourceId);
    return at ? [...segmentsOf(at.parent), at.part] : [];
  };
  const stage = all('AWS::ApiGateway::Stage').find(belongs);
  const routes = all('AWS::ApiGateway::Method')
    .filter(belongs)
    .map((method) => routeOf(method, segmentsOf(text(method.ResourceId))))
    .map((route) => ({ ...route, throttle: throttleOf(stage, route.method, route.path) }));
  const responses = all('AWS::ApiGateway::GatewayResponse')
    .filter(belongs)
    .map(({ ResponseType, StatusCode, ResponseParameters, ResponseTemplates }): [string, GatewayResponse] => [
      text(ResponseType),
      {
        ...(StatusCode === undefined ? {} : { status: Number(StatusCode) }),
        parameters: fields(ResponseParameters),
        ...(fields(ResponseTemplates)['application/json'] === undefined
          ? {}
          : { template: text(fields(ResponseTemplates)['application/json']) }),
      },
    ]);
  const { BinaryMediaTypes, MinimumCompressionSize: compressedFrom } = template.properties(apiId);
  return {
    id,
    stage: stage && text(stage.StageName),
    stageVariables: stage?.Variables ? fields(stage.Variables) : null,
    routes,
    responses: new Map(responses),
    binaryTypes: list(BinaryMediaTypes).map(text),
    ...(compressedFrom !== undefined && { compressedFrom: Number(compressedFrom) }),
  };
}

function routeOf(method: Fields, segments: string[]): Route {
  const path = `/${segments.join('/')}`;
  const auth = text(method.AuthorizationType);
  if (auth && auth !== 'NONE') throw new Error(`${path}: authorization ${auth} is not simulated`);
  if (method.ApiKeyRequired === true) throw new Error(`${path}: API keys of API Gateway are not simulated`);
  const integration = fields(method.Integration);
  if (integration.Type !== 'AWS_PROXY' && integration.Type !== 'MOCK') {
    throw new Error(`${path}: the integration ${text(integration.Type)} is not simulated`);
  }
  return {
    method: text(method.HttpMethod),
    path,
    segments,
    resourceId: text(method.ResourceId),
    integration,
  };
}

export type FoundRoute = { route: Route; parameters: Record<string, string> | null };

/**
 * Finds the most exact route for the path. A literal segment goes before `{name}`, and `{name}` before
 * `{name+}`. A route for the method goes before one for `ANY`.
 */
export function findRoute(routes: Route[], method: string, path: string): FoundRoute | undefined {
  const wanted = path.split('/').slice(1);
  if (wanted.at(-1) === '') wanted.pop();
  const found = routes
    .filter((route) => route.method === method || route.method === 'ANY')
    .map((route) => ({ route, match: matchSegments(route.segments, wanted) }))
    .filter(({ match }) => match !== undefined)
    .sort(
      (a, b) =>
        (a.match?.rank ?? '').localeCompare(b.match?.rank ?? '') || (a.route.method === 'ANY' ? 1 : -1),
    )[0];
  if (!found?.match) return undefined;
  const { parameters } = found.match;
  return { route: found.route, parameters: Object.keys(parameters).length > 0 ? parameters : null };
}

function matchSegments(pattern: string[], wanted: string[]) {
  const parameters: Record<string, string> = {};
  let rank = '';
  for (const [index, part] of pattern.entries()) {
    const name = /^\{(.+?)(\+?)\}$/.exec(part);
    if (name?.[2]) {
      if (index >= wanted.length) return undefined;
      parameters[name[1] ?? ''] = decode(wanted.slice(index).join('/'));
      return { parameters, rank: `${rank}2` };
    }
    const actual = wanted[index];
    if (actual === undefined || (name ? actual === '' : decode(actual) !== part)) return undefined;
    if (name) parameters[name[1] ?? ''] = decode(actual);
    rank += name ? '1' : '0';
  }
  return pattern.length === wanted.length ? { parameters, rank } : undefined;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
