import type { Route } from '../../functions/routes.ts';
import { json } from './errors.ts';
import type { Schema } from './schemas.ts';

/**
 * Divides the fields of a request by the place where the caller sends them: the path, the query or the body.
 */
export function requestParts({ method, path }: Route, { properties = {}, required = [], ...more }: Schema) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const others = Object.keys(properties).filter((name) => !inPath.includes(name));
  const parameterOf = (name: string) => ({
    name,
    in: inPath.includes(name) ? 'path' : 'query',
    required: inPath.includes(name) || required.includes(name),
    schema: properties[name] ?? { type: 'string' },
  });
  if (method !== 'POST') return { parameters: [...inPath, ...others].map(parameterOf) };
  const body = {
    ...more,
    properties: Object.fromEntries(others.map((name) => [name, properties[name]])),
    required: required.filter((name) => others.includes(name)),
  };
  return {
    parameters: inPath.map(parameterOf),
    requestBody: { required: body.required.length > 0, content: json(body as Schema) },
  };
}
