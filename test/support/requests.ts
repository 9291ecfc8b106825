import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as z from 'zod';
import { Refusal } from '../../functions/domain/errors.ts';
import { requireRequest } from '../../functions/entry/body.ts';
import { WALLET } from './builders.ts';
import { BIOMETRIC_HASH, randomCpf } from './sandbox.ts';

/** A handler of an endpoint, with the schema of its request. */
type Endpoint<Schema extends z.core.$ZodType> = { request: Schema };
type Fields = Record<string, unknown>;
export type Issue = { path: string; message: string };

/** A wrong field of a request: a description, the field's name and its value. */
export type Fault = [what: string, field: string, value: unknown];

/** The values that no field accepts, whatever its type. */
export const neverFits = (field: string): Fault[] => [
  ['null', field, null],
  ['an array', field, ['x']],
  ['an object', field, { value: 'x' }],
  ['a truth value', field, true],
];

export const aSubmission = (fields: Fields = {}) => ({
  cpf: randomCpf(),
  biometricHash: BIOMETRIC_HASH,
  ...fields,
});

export const aPurchase = (kycToken: unknown, fields: Fields = {}) => ({
  kycToken,
  amountBrl: 250,
  asset: 'USDC',
  walletAddress: WALLET,
  ...fields,
});

/** The endpoint's reading of a POST. A string is the body as sent; everything else is sent as JSON. */
export function readBy<Schema extends z.core.$ZodType>(
  { request }: Endpoint<Schema>,
  body: unknown,
  pathParameters: Record<string, string> | null = null,
): z.output<Schema> {
  const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? null);
  const event = { httpMethod: 'POST', body: text, isBase64Encoded: false, pathParameters };
  return requireRequest(request, event as APIGatewayProxyEvent);
}

/** The refusal with which the endpoint answers the body. Undefined when it accepts the body. */
export const refusalBy = (handler: Endpoint<z.core.$ZodType>, body: unknown): Refusal | undefined =>
  refusalOf(() => readBy(handler, body));

/** The refusal with which the endpoint answers a GET with these parameters. Undefined when it accepts them. */
export function refusalOfQuery({ request }: Endpoint<z.core.$ZodType>, query: Record<string, string[]>) {
  const event = { httpMethod: 'GET', multiValueQueryStringParameters: query, pathParameters: null };
  return refusalOf(() => requireRequest(request, event as unknown as APIGatewayProxyEvent));
}

function refusalOf(read: () => unknown): Refusal | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The issues that the endpoint names in the body. */
export function issuesBy(handler: Endpoint<z.core.$ZodType>, body: unknown): Issue[] {
  const refusal = refusalBy(handler, body);
  if (!refusal) return [];
  if (refusal.code !== 'INVALID_REQUEST') throw refusal;
  return refusal.details.issues as Issue[];
}

export const pathsOf = (issues: Issue[]): string[] => issues.map(({ path }) => path).sort();
