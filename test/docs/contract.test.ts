import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Fact, factsOf } from '../../docs/openapi/contract.ts';
import { changesBetween } from '../../docs/openapi/contract-changes.ts';
import { EVENT_TYPES } from '../../functions/domain/partners/events.ts';
import { HOW_TO_ACCEPT, presentContract, readContract } from '../contract/write.ts';
import { sandboxDocument } from '../support/openapi.ts';

// docs/decisions.md, "Versions"
describe('the wire contract', () => {
  it('still keeps each promise to partners, and demands nothing more', async () => {
    const { broken } = changesBetween(readContract(), await presentContract());

    expect(broken, HOW_TO_ACCEPT).toEqual([]);
  });

  it('is recorded with its additions: npm run docs', async () => {
    expect(await presentContract()).toEqual(readContract());
  });

  it('grows with a line for partners: CHANGELOG.md names each event, and each path of ours', async () => {
    const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
    const { paths } = await sandboxDocument();
    const names = [...EVENT_TYPES, ...Object.keys(paths)].filter((name) => !SUMMED_UP.test(name));

    expect(
      names.filter((name) => !changelog.includes(`\`${name}`) && !changelog.includes(` ${name}\``)),
    ).toEqual([]);
  });

  /** The first lines of the changelog sum these up: the specification's endpoints and events, and the sandbox's. */
  const SUMMED_UP = new RegExp(
    [
      '^/v1/laas/(kyc/submit|clients/[^/]+|transactions/initiate|transactions/[^/]+/(mfa|status))$',
      '^/v1/laas/sandbox/(transactions/[^/]+/(pay|liveness)|partner-kyc-token|webhooks|scenarios)$',
      '^/laas/partner$|^/laas/partner/(webhook-endpoints(/[^/]+(/(rotate-secret|enable|test))?)?|keys/[^/]+/revoke)$',
      '^transaction\\.(mfa_cleared|pix_ready|processing|completed|failed|expired|refunded)$',
    ].join('|'),
  );
});

/** The changes of the contract when somebody edits the document. */
async function changesOf(edit: (document: Awaited<ReturnType<typeof sandboxDocument>>) => void) {
  const document = await sandboxDocument();
  const before = factsOf(document);
  edit(document);
  return changesBetween(before, factsOf(document));
}

type Body = { properties: Record<string, Body & Record<string, unknown>>; required: string[] };
type Document = Awaited<ReturnType<typeof sandboxDocument>>;
const operation = (document: Document, path: string) =>
  document.paths[path]!.post as unknown as {
    requestBody: { content: Record<string, { schema: Body }> };
    responses: Record<string, { content: Record<string, { schema: Body }> }>;
    security: { apiKey: string[] }[];
  };
const MFA = '/v1/laas/transactions/{id}/mfa';
const requestOf = (document: Document, path = MFA) =>
  operation(document, path).requestBody.content['application/json']!.schema;
const dataOf = (document: Document) =>
  operation(document, MFA).responses[200]!.content['application/json']!.schema.properties.data!;

describe('a change that breaks partners', () => {
  it.each<[string, (document: Document) => void, string]>([
    [
      'an endpoint is gone',
      ({ paths }) => delete paths[MFA],
      `no longer: promise POST ${MFA} answer data is`,
    ],
    [
      'an answer loses a field',
      (document) => delete dataOf(document).properties.pixPayload,
      `no longer: promise POST ${MFA} answer data pixPayload is string`,
    ],
    [
      'a field may now be absent',
      (document) => dataOf(document).required.splice(0),
      `no longer: promise POST ${MFA} answer data status is always there`,
    ],
    [
      'a field has another type',
      (document) => Object.assign(dataOf(document).properties.pixPayload!, { type: 'object' }),
      `no longer: promise POST ${MFA} answer data pixPayload is string`,
    ],
    [
      'a status is not answered any more',
      ({ components }) => (components.schemas.TransactionStatus!.enum as string[]).pop(),
      `no longer: promise POST ${MFA} answer data status may be`,
    ],
    [
      'a refusal has another code',
      (document) => delete operation(document, MFA).responses[404],
      `no longer: promise POST ${MFA} may refuse 404 TRANSACTION_NOT_FOUND`,
    ],
    [
      'an event is gone',
      ({ webhooks }) => delete webhooks['transaction.completed'],
      'no longer: promise event transaction.completed data is object',
    ],
    [
      'a request needs a field that it did not need',
      (document) => {
        requestOf(document).properties.pin = { type: 'string' } as never;
        requestOf(document).required.push('pin');
      },
      `now also: demand POST ${MFA} request pin is required`,
    ],
    [
      'an optional field becomes required',
      (document) => requestOf(document, '/v1/laas/kyc/submit').required.push('cnpj'),
      'now also: demand POST /v1/laas/kyc/submit request cnpj is required',
    ],
    [
      'a request takes less',
      (document) => Object.assign(requestOf(document).properties.totpCode!, { maxLength: 4 }),
      `now also: demand POST ${MFA} request totpCode has maxLength 4`,
    ],
    [
      'a call needs another scope',
      (document) => Object.assign(operation(document, MFA), { security: [{ apiKey: ['manage'] }] }),
      `now also: demand POST ${MFA} needs the scope manage`,
    ],
    [
      'a request may have no unknown field any more',
      (document) => Object.assign(operation(document, MFA), { 'x-refuses-other-fields': true }),
      `now also: demand POST ${MFA} needs requests without other fields`,
    ],
  ])('%s', async (_, edit, message) => {
    const { broken } = await changesOf(edit);

    expect(broken.join('\n')).toContain(message);
  });
});

describe('an addition', () => {
  it.each<[string, (document: Document) => void, string]>([
    [
      'a field of an answer',
      (document) => Object.assign(dataOf(document).properties, { note: { type: 'string' } }),
      `promise POST ${MFA} answer data note is string`,
    ],
    [
      'a field that a request may have, with its limits',
      (document) => Object.assign(requestOf(document).properties, { note: { type: 'string', maxLength: 9 } }),
      `promise POST ${MFA} request note is taken as string`,
    ],
    [
      'a wider limit of a request',
      (document) =>
        Object.assign(requestOf(document, '/v1/laas/kyc/submit').properties.partnerKycToken!, {
          maxLength: 9000,
        }),
      'demand POST /v1/laas/kyc/submit request partnerKycToken has maxLength 9000',
    ],
    [
      'an endpoint',
      ({ paths }) => Object.assign(paths, { '/v1/laas/new': paths[MFA] }),
      'promise POST /v1/laas/new answer data is object',
    ],
  ])('is %s', async (_, edit, added) => {
    const changes = await changesOf(edit);

    expect(changes.broken).toEqual([]);
    expect(changes.added).toContain(added as Fact);
  });
});
