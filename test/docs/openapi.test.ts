import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../docs/openapi/document.ts';
import { ERROR_DETAILS } from '../../docs/openapi/error-details.ts';
import { FIELD_NOTES } from '../../docs/openapi/field-notes.ts';
import { noteOf } from '../../docs/openapi/operation-notes.ts';
import { type Operation, readOperations, readProduct } from '../../docs/openapi/operations.ts';
import type { Document } from '../../docs/openapi/schemas.ts';
import { siteFiles } from '../../docs/site.ts';
import { ERRORS } from '../../functions/domain/errors.ts';
import { EVENT_TYPES } from '../../functions/domain/partners/events.ts';
import { REPLAY_CALL } from '../../functions/domain/partners/replays.ts';
import { keyScopeOf, ROUTES, type Route } from '../../functions/routes.ts';
import { ROUTES as SANDBOX_ROUTES } from '../../sandbox/routes.ts';
import { allOperations, sandboxDocument } from '../support/openapi.ts';

const FUNCTIONS = new URL('../../functions/', import.meta.url).pathname;

const partnerRoutes = ([...ROUTES, ...SANDBOX_ROUTES] as readonly Route[]).filter(({ scope }) => scope);

let document: Document;
beforeAll(async () => {
  document = await sandboxDocument();
});

type Found = { security: unknown; parameters: unknown[]; responses: Record<string, unknown> };
const operationOf = ({ method, path }: Pick<Route, 'method' | 'path'>) =>
  document.paths[path]![method.toLowerCase()] as unknown as Found;

describe('the document of the API', () => {
  it('is valid OpenAPI 3.1, and so is production’s', async () => {
    const production = JSON.parse(
      (await siteFiles({ stage: 'production', others: [], server: 'https://api.example.com' }))[
        '/openapi.json'
      ]!,
    );

    for (const each of [document, production]) {
      const validator = new Validator();
      expect(await validator.validate(each)).toEqual({ valid: true });
      expect(validator.version).toBe('3.1');
    }
    expect(production.servers).toEqual([{ url: 'https://api.example.com' }]);
    expect(Object.keys(production.paths).filter((path) => path.includes('sandbox'))).toEqual([]);
  });

  it('has each route of a partner, and no callback of a provider', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );

    expect(described.sort()).toEqual(partnerRoutes.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it.each(partnerRoutes)('names the scope and the parameters of $method $path', (route) => {
    const { security, parameters } = operationOf(route);

    expect(security).toEqual([{ apiKey: [keyScopeOf(route)] }]);
    const inPath = parameters.filter((each) => (each as { in: string }).in === 'path');
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(inPath).toMatchObject(names.map((name) => ({ name, required: true })));
    const key = { $ref: '#/components/parameters/IdempotencyKey' };
    expect(parameters.some((each) => JSON.stringify(each) === JSON.stringify(key))).toBe(
      route.method !== 'GET',
    );
  });

  it('has each code of an endpoint at its status, with cause and remedy', async () => {
    for (const { route, errors } of await allOperations()) {
      const { responses } = operationOf(route);
      for (const code of errors) {
        const response = JSON.stringify(responses[ERRORS[code].status]);
        expect(response, `${route.path} ${code}`).toContain(`#/components/schemas/Error.${code}"`);
        expect(document.components.schemas[`Error.${code}`]!.description).toMatch(/Cause.+Remedy/s);
      }
    }
  });

  it('has the details of each code that is refused with some', () => {
    const files = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' });
    const texts = files
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(FUNCTIONS, file), 'utf8'));
    const refused = texts.flatMap((text) =>
      [...text.matchAll(/refuse\(\s*'([A-Z_]+)',/g)].map(([, code]) => code),
    );

    expect(refused.filter((code) => !(code! in ERROR_DETAILS))).toEqual([]);
  });

  it('says which operations refuse a field that is not listed', async () => {
    const paths = (all: Operation[]) => all.map(({ route }) => route.path);
    const operations = await allOperations();
    const says = ({ route }: Operation) => 'x-refuses-other-fields' in operationOf(route);
    const refuses = ({ request }: Operation) =>
      request.safeParse({ unlisted: 1 }).error?.issues.some(({ code }) => code === 'unrecognized_keys');

    expect(paths(operations.filter(says))).toEqual(paths(operations.filter(refuses)));
    expect(operationOf({ method: 'GET', path: '/v1/laas/events' })).toMatchObject({
      description: expect.stringContaining('A field that is not listed is refused.'),
    });
  });

  it('names a call that sends events again, which the service has', () => {
    expect(partnerRoutes.map(({ method, path }) => `${method} ${path}`)).toContain(REPLAY_CALL);
  });

  it('has each event as a webhook', () => {
    expect(Object.keys(document.webhooks)).toEqual(EVENT_TYPES);
  });

  it('leads each reference to a part, and leaves no part without one', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/([^"]+)"/g)];
    const named = new Set(references.map(([, name]) => name));
    const { schemas, headers, parameters } = document.components as Record<string, object>;
    const parts = Object.entries({ schemas, headers, parameters }).flatMap(([kind, all]) =>
      Object.keys(all!).map((name) => `${kind}/${name}`),
    );

    expect([...named].sort()).toEqual(parts.sort());
  });

  it('shows no secret, no name of a table and no address of ours', () => {
    const text = JSON.stringify(document).replaceAll(String(FIELD_NOTES.secret?.example), '');

    expect(
      text.match(/sk_(sandbox|production)_\w{3,}|whsec_\w{3,}|arn:aws|amazonaws|127\.0\.0\.1/),
    ).toBeNull();
  });
});

describe('an operation that ends', () => {
  const documentOf = async (changes: Partial<Route>) => {
    const [first] = await readProduct();
    return openApiDocument([{ ...first!, route: { ...first!.route, ...changes } }]);
  };
  const ENDS = { deprecated: '2027-01-01', sunset: '2027-07-01' } as const;

  it('is marked, and its answers have the headers', async () => {
    const { paths, components } = await documentOf(ENDS);

    const [{ post }] = Object.values(paths) as unknown as [{ post: Found & { deprecated: boolean } }];
    expect(post.deprecated).toBe(true);
    for (const response of Object.values(post.responses))
      expect(response).toMatchObject({ headers: { Deprecation: {}, Sunset: {} } });
    expect(components.headers).toMatchObject({ Deprecation: {}, Sunset: {} });
  });

  it.each<[Partial<Route>, string]>([
    [{ ...ENDS, sunset: '2027-03-01' }, 'SubmitKyc must be deprecated for 180 days before its sunset'],
    [{ sunset: '2027-03-01' }, 'SubmitKyc has a sunset, but is not deprecated'],
  ])('is refused where partners have too little time: %o', async (changes, message) => {
    await expect(documentOf(changes)).rejects.toThrow(message);
  });
});

describe('an endpoint', () => {
  const route: Route = { method: 'GET', path: '/v1/laas/x', function: 'GetThing', scope: 'all' };
  const folderWith = (text: string) => {
    const root = mkdtempSync(join(tmpdir(), 'endpoint-'));
    mkdirSync(join(root, 'api'));
    writeFileSync(join(root, 'api', 'get-thing.ts'), text);
    return root;
  };
  const ZOD = `import * as z from '${import.meta.resolve('zod')}';`;

  it.each([
    ['', 'export const handler = () => 1;', 'does not describe its request'],
    [ZOD, 'export const handler = { request: z.object({}) };', 'does not describe its answer and its errors'],
  ])('that describes nothing is refused: %s%s', async (imports, handler, message) => {
    const root = folderWith(`${imports}\n${handler}`);

    await expect(readOperations(root, [route])).rejects.toThrow(`get-thing.ts ${message}`);
  });

  it('without a note for partners is refused', () => {
    expect(() => noteOf(route)).toThrow('GetThing has no note in docs/openapi/operation-notes.ts');
  });

  it('describes its answer beside its request, for every stage', async () => {
    const product = (ROUTES as readonly Route[]).filter(({ scope }) => scope);

    expect((await readProduct()).map(({ route: { function: name } }) => name)).toEqual(
      product.map(({ function: name }) => name),
    );
  });
});
