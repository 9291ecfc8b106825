import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../docs/openapi/operations.ts';
import type { Document } from '../../docs/openapi/schemas.ts';
import { requireForm } from '../../functions/entry/request-form.ts';
import { documentedBy } from '../support/documented.ts';
import { allOperations, sandboxDocument } from '../support/openapi.ts';

type Media = { content: { 'application/json': { example: unknown } } };
type Described = {
  parameters: { name?: string; in: string; example?: unknown }[];
  requestBody?: Media;
  responses: Record<string, Media>;
};

let document: Document;
let operations: Operation[];
beforeAll(async () => {
  [document, operations] = await Promise.all([sandboxDocument(), allOperations()]);
});

const describedOf = ({ route }: Operation) =>
  document.paths[route.path]![route.method.toLowerCase()] as unknown as Described;

describe('an example', () => {
  it('of each request is taken by the schema that runs', () => {
    for (const operation of operations) {
      const { parameters, requestBody } = describedOf(operation);
      const named = parameters.filter((each) => each.in === 'path');
      const inPath = Object.fromEntries(named.map(({ name, example }) => [name, example ?? 'x']));
      const body = requestBody?.content['application/json'].example as object | undefined;

      expect(
        () => requireForm(operation.request, { ...body, ...inPath }),
        operation.route.path,
      ).not.toThrow();
    }
  });

  it('of each answer has the fields of its schema and no other', () => {
    const { differencesOf } = documentedBy(document);
    const differences = operations.flatMap((operation) => {
      const { method, path } = operation.route;
      const { example } = describedOf(operation).responses[200]!.content['application/json'];
      return differencesOf({ method, path, status: 200, text: JSON.stringify(example) });
    });

    expect(differences).toEqual([]);
  });

  it('of each event has the fields of its schema and no other', () => {
    const { differencesIn } = documentedBy(document);
    const events = Object.values(document.webhooks).map(({ post }) => post as { requestBody: Media });

    expect(
      events.flatMap(({ requestBody }) => differencesIn(requestBody.content['application/json'].example)),
    ).toEqual([]);
    expect(JSON.stringify(document.webhooks['transaction.completed'])).toContain('"status":"COMPLETED"');
  });

  it('is in each refusal, with its code', () => {
    const refusals = Object.entries(document.components.schemas).filter(([name]) =>
      name.startsWith('Error.'),
    );

    for (const [name, { examples }] of refusals)
      expect(examples).toMatchObject([{ success: false, error: { code: name.slice('Error.'.length) } }]);
  });
});
