import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Refusal } from '../../functions/domain/errors.ts';
import { refusalOf } from '../../functions/entry/answer.ts';
import { Cpf } from '../../functions/entry/client-fields.ts';
import { Metadata } from '../../functions/entry/partner-fields.ts';
import { requireForm } from '../../functions/entry/request-form.ts';
import { ROUTES } from '../../functions/routes.ts';
import { ROUTES as SANDBOX_ROUTES } from '../../sandbox/routes.ts';

type Issue = { path: string; message: string };
type Form = z.ZodType<Record<string, unknown>>;

const ROOT = new URL('../../', import.meta.url).pathname;

/** Words of the validating library. They mean nothing to a partner. */
const FOREIGN = /invalid|expected|received|too (big|small)|unrecognized|zod|\^|\$/i;

/** Every kind of JSON value, at and beyond the limits of the fields. */
const FAULTS: unknown[] = [
  ...[undefined, null, true, false, 0, -1, 1.5, 6, 49.999, 1e21, 1e308, Number.POSITIVE_INFINITY],
  ...['', ' ', '1', 'PF', 'x'.repeat(65), 'x'.repeat(10_000), '\u0000', '\ud800', 'é', 'sha256:'],
  ...['529.982.247-26', '123456', 'https://partner.example', 'javascript:alert(1)'],
  ...[[], [1], {}, { length: 3 }, { toString: 'no function' }],
];

/** The form of each endpoint, by the endpoint's file. */
async function formsOf(folder: string): Promise<[string, Form][]> {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  const modules = files
    .filter((file) => file.endsWith('.ts'))
    .map(async (file): Promise<[string, Form]> => {
      const { handler } = await import(pathToFileURL(join(ROOT, folder, file)).href);
      return [`${folder}/${file}`, handler.request];
    });
  // The page of the documents has no request.
  return (await Promise.all(modules)).filter(([, form]) => form !== undefined);
}

const forms = [...(await formsOf('functions/api')), ...(await formsOf('sandbox/api'))];

/** The fields of a form, without the rules around them. */
const fieldsOf = (form: Form): string[] => Object.keys((form as unknown as z.ZodObject).shape);

function issuesOf(form: z.core.$ZodType, fields: Record<string, unknown>): Issue[] {
  try {
    requireForm(form, fields);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_REQUEST' });
    return (error as Refusal).details.issues as Issue[];
  }
}

describe('the form of a request', () => {
  it('is known for every endpoint', () => {
    const partnerRoutes = [...ROUTES, ...SANDBOX_ROUTES].filter((route) => 'scope' in route);

    expect(forms).toHaveLength(partnerRoutes.length);
  });

  // Spec, Submit KYC data: "punctuated (NNN.NNN.NNN-NN) or 11 plain digits"
  it.each(forms)('is refused in our own words, with the path of the field: %s', (_, form) => {
    const names = fieldsOf(form);
    const nothing = issuesOf(form, {});
    const single = names.flatMap((name) => FAULTS.flatMap((value) => issuesOf(form, { [name]: value })));
    const all = FAULTS.flatMap((value) =>
      issuesOf(form, Object.fromEntries(names.map((name) => [name, value]))),
    );

    for (const { path, message } of [...nothing, ...single, ...all]) {
      expect(names).toContain(path.split('.')[0]);
      expect(message).toMatch(/^(is|has|must|shared|goes) /);
      expect(message).not.toMatch(FOREIGN);
      // These messages name no form.
      expect(message).not.toMatch(/wrong format|not valid/);
    }
  });
});

describe('a fault in a field', () => {
  const long = 'x'.repeat(9);

  it.each<[string, z.core.$ZodType, unknown]>([
    ['is required', z.string(), undefined],
    ['must be a string', z.string(), 1],
    ['must be a number', z.number(), '1'],
    ['must be a whole number', z.int(), 1.5],
    ['must be a whole number', z.number().int(), 1.5],
    ['must be true or false', z.boolean(), 'yes'],
    ['must be an object', z.object({}), []],
    ['must be an object', z.record(z.string(), z.string()), 'x'],
    ['must be a list', z.array(z.string()), {}],
    ['must be of another type', z.date(), 'x'],
    ['must not be empty', z.string().min(1), ''],
    ['must not be empty', z.array(z.string()).min(1), []],
    ['must have at least 2 characters', z.string().min(2), 'x'],
    ['must have at most 8 characters', z.string().max(8), long],
    ['must have exactly 8 characters', z.string().length(8), long],
    ['must have exactly 8 characters', z.string().length(8), 'x'],
    ['must have at most 1 items', z.array(z.number()).max(1), [1, 2]],
    ['must be at least 1', z.number().min(1), 0],
    ['must be at most 5', z.number().max(5), 6],
    ['must be more than 0', z.number().positive(), 0],
    ['must be less than 0', z.number().negative(), 0],
    ['must be a multiple of 5', z.number().multipleOf(5), 6],
    ['has the wrong format', z.string().regex(/^a+$/), 'b'],
    ['has the wrong format', z.email(), 'b'],
    ['must be shared', z.literal('shared'), 'x'],
    ['must be one of PF, PJ', z.enum(['PF', 'PJ']), 'x'],
    ['is not a known field', z.strictObject({}), { x: 1 }],
    ['must be a date, YYYY-MM-DD', z.iso.date(), 'b'],
    ['must be a time with its offset from UTC, such as 2026-11-20T15:30:00Z', z.iso.datetime(), '2026-11-28'],
    ['is not valid', z.union([z.string(), z.number()]), true],
    ['must have at most 8 characters', z.record(z.string().max(8), z.string()), { [long]: 'x' }],
    ['is not valid', z.string().refine(() => false), 'x'],
    ['is not well-formed text', z.string().refine(() => false, 'is not well-formed text'), 'x'],
  ])('has the message %j', (message, schema, value) => {
    expect(issuesOf(z.object({ field: schema }), { field: value })).toEqual([
      { path: expect.stringMatching(/^field/), message },
    ]);
  });

  it('is reported for each surplus field by name, also in an inner object', () => {
    const form = z.strictObject({ jwk: z.strictObject({ kty: z.string() }) });

    expect(issuesOf(form, { jwk: { kty: 'EC', ext: true }, from: 'secret', to: 'secret' })).toEqual([
      { path: 'jwk.ext', message: 'is not a known field' },
      { path: 'from', message: 'is not a known field' },
      { path: 'to', message: 'is not a known field' },
    ]);
  });

  it('are named up to fifty, and each by its first 64 characters', () => {
    const long = 'a'.repeat(10_000);
    const many = Object.fromEntries(
      [long, ...Array.from({ length: 99 }, (_, at) => `b${at}`)].map((name) => [name, 1]),
    );

    const issues = issuesOf(z.strictObject({}), many);

    expect(issues).toHaveLength(50);
    expect(issues[0]).toEqual({ path: 'a'.repeat(64), message: 'is not a known field' });
  });

  it('is reported in the name of an entry of `metadata`', () => {
    const form = z.object({ metadata: Metadata });

    expect(issuesOf(form, { metadata: { '1a': 'x', constructor: 'x' } })).toEqual([
      { path: 'metadata.1a', message: expect.stringMatching(/^must have a name of 1 to 40 letters/) },
      { path: 'metadata.constructor', message: 'is a reserved name' },
    ]);
  });

  it('is its type alone if the value has another type, which no limit counts', () => {
    const form = z.object({ scopes: z.array(z.string()).max(2) });

    expect(issuesOf(form, { scopes: 'read' })).toEqual([{ path: 'scopes', message: 'must be a list' }]);
  });

  // Spec, Submit KYC data: "punctuated (NNN.NNN.NNN-NN) or 11 plain digits"
  it('names both forms of a CPF, because the digits may be right', () => {
    const message = 'must be a CPF with valid check digits: NNN.NNN.NNN-NN or 11 digits';

    expect(issuesOf(z.object({ cpf: Cpf }), { cpf: '529982247-25' })).toEqual([{ path: 'cpf', message }]);
  });

  it('names its place in a list, and not the value', () => {
    const form = z.object({ wallets: z.array(z.object({ address: z.string().max(3) })) });

    expect(issuesOf(form, { wallets: [{ address: '0x1' }, { address: 'secret' }] })).toEqual([
      { path: 'wallets.1.address', message: 'must have at most 3 characters' },
    ]);
  });
});

describe('a malformed value outside of the request', () => {
  it('is not reported to the partner as a fault of the request', () => {
    const { error } = z.string().safeParse(1);

    expect(refusalOf(error)).toEqual(new Refusal('INTERNAL_ERROR'));
  });
});
