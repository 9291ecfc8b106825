import http from 'node:http';
import { DescribeExecutionCommand, paginateListExecutions } from '@aws-sdk/client-sfn';
import { PutCommand, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { ERRORS, type ErrorCode } from '../../functions/domain/errors.ts';
import { STATUSES, type Status } from '../../functions/domain/purchase/status.ts';
import { factsIn } from './builders.ts';
import { aPurchase, aSubmission } from './requests.ts';
import { dynamo, newPartner, physical, rowOf, sandbox, sfn, totpCode } from './sandbox.ts';

/** The service as a partner meets it on the wire. The test decides about every byte that is sent. */
export type Data = Record<string, unknown>;
export type Answer = {
  status: number;
  headers: Headers;
  text: string;
  success: unknown;
  data: Data;
  error: { code: string; message: string; details: Data };
};

export type Call = { apiKey?: string; headers?: Record<string, string>; body?: unknown };

/** Sends strings and bytes as they are, and everything else as JSON. */
export async function call(method: string, path: string, { apiKey, headers, body }: Call): Promise<Answer> {
  const response = await fetch(`${sandbox().url}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(apiKey !== undefined && { 'X-Service-API-Key': apiKey }),
      ...headers,
    },
    body: body === undefined || typeof body === 'string' ? body : bytesOf(body),
  });
  return answerOf(response.status, response.headers, await response.text());
}

export const answerOf = (status: number, headers: Headers, text: string): Answer => ({
  status,
  headers,
  ...readBody(text),
});

const bytesOf = (body: unknown) =>
  body instanceof Uint8Array ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);

function readBody(text: string) {
  return { text, ...(JSON.parse(text) as Pick<Answer, 'success' | 'data' | 'error'>) };
}

/** Like `call`, for headers that fetch refuses to send. The header strings go out in Latin-1. */
export function rawCall(method: string, path: string, headers: string[], body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { host, hostname, port } = new URL(sandbox().url);
    const fixed = ['Host', host, 'Content-Length', String(Buffer.byteLength(body))];
    const request = http.request({ method, path, hostname, port, headers: [...fixed, ...headers] });
    request.on('error', reject).on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      const answered = new Headers(response.headers as Record<string, string>);
      resolve({ status: response.statusCode ?? 0, headers: answered, ...readBody(text) });
    });
    request.end(body);
  });
}

export const KYC_PATH = '/v1/laas/kyc/submit';
export const INITIATE_PATH = '/v1/laas/transactions/initiate';
export const QUOTES_PATH = '/v1/laas/quotes';
export const mfaPath = (id: string) => `/v1/laas/transactions/${id}/mfa`;
export const statusPath = (id: string) => `/v1/laas/transactions/${id}/status`;
export const clientPath = (kycToken: string) => `/v1/laas/clients/${kycToken}`;

type KeyHeader = { headers?: Record<string, string> };

export const submitKyc = (apiKey: string, body: unknown, more: KeyHeader = {}) =>
  call('POST', KYC_PATH, { apiKey, body, ...more });

export const initiate = (apiKey: string, body: unknown, more: KeyHeader = {}) =>
  call('POST', INITIATE_PATH, { apiKey, body, ...more });

export const askQuote = (apiKey: string, wish: Data = { amountBrl: 250 }) =>
  call('POST', QUOTES_PATH, { apiKey, body: { asset: 'USDC', ...wish } });

export const confirmMfa = (apiKey: string, id: string, totpCode: unknown, more: KeyHeader = {}) =>
  call('POST', mfaPath(id), { apiKey, body: { totpCode }, ...more });

export const getStatus = (apiKey: string, id: string) => call('GET', statusPath(id), { apiKey });

export type ApprovedClient = { partnerId: string; apiKey: string; cpf: string; kycToken: string };

/** Makes a new partner with one approved client. */
export async function approvedClient(fields: Data = {}): Promise<ApprovedClient> {
  const { partnerId, apiKey } = await newPartner();
  const body = aSubmission(fields);
  const { data } = await submitKyc(apiKey, body);
  expect(data.status).toBe('APPROVED');
  return { partnerId, apiKey, cpf: body.cpf, kycToken: String(data.token) };
}

export type OpenPurchase = ApprovedClient & { id: string; otpauthUri: string };

/**
 * Opens a purchase in AWAITING_MFA, by a new client or the given one. The TOTP secret is empty once the client has
 * used it.
 */
export async function openPurchase(client?: ApprovedClient, fields: Data = {}): Promise<OpenPurchase> {
  const owner = client ?? (await approvedClient());
  const { data } = await initiate(owner.apiKey, aPurchase(owner.kycToken, fields));
  const { enrollment } = data.authChallenge as { enrollment?: { otpauthUri: string } };
  return { ...owner, id: String(data.transactionId), otpauthUri: enrollment?.otpauthUri ?? '' };
}

/** Expects the one form of a failure (spec, "Errors") and nothing else in the body. */
export function expectRefusal(answer: Answer, code: ErrorCode, details: Data = expect.any(Object)): void {
  const { status, message } = ERRORS[code];
  expect(JSON.parse(answer.text)).toEqual({ success: false, error: { code, message, details } });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
}

/** Rows as text, in which a test searches. Large numbers of a row are bigints. */
export const textOf = (rows: unknown): string =>
  JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));

/** All rows of a table that are wanted. */
export async function rowsWhere(table: string, isWanted: (row: Data) => boolean): Promise<Data[]> {
  const rows: Data[] = [];
  const pages = paginateScan({ client: dynamo() }, { TableName: physical(table), ConsistentRead: true });
  for await (const { Items = [] } of pages) rows.push(...Items.filter(isWanted));
  return rows;
}

/** Sets the number of open charges of a client to 0, so that the next purchase in a test does not meet the limit. */
export async function forgetCharges({ id }: Pick<OpenPurchase, 'id'>): Promise<void> {
  const { clientId } = (await rowOf('TablesTransactions', id))!;
  await editRow('TablesUsages', `${String(clientId)}#OPEN`, { charges: 0 });
}

/** Moves the row of a purchase to a status, with the payment that a paid purchase must have. */
export async function moveRow(id: string, status: Status, changes: Data = {}): Promise<void> {
  const payment = { endToEndId: 'E1', paidAt: Date.now(), amountCentavos: 250_00 };
  await editRow('TablesTransactions', id, {
    status,
    ...(STATUSES[status].paid && { payment }),
    ...factsIn(status),
    ...changes,
  });
}

/** Stores the row of a Pix of R$ 77.50 that only a person may return. No schedule reads it. */
export async function putLeftPayment(endToEndId: string): Promise<void> {
  const at = Date.now();
  const of = { reason: 'NO_TXID', amountCentavos: 77_50, paidAt: at, foundAt: at };
  const Item = { id: endToEndId, ...of, refund: { status: 'FAILED', tries: 7 } };
  await dynamo().send(new PutCommand({ TableName: physical('TablesUnmatchedPayments'), Item }));
}

/** Changes a row directly, as time or a fault would. Undefined removes the attribute. */
export async function editRow(table: string, id: string, changes: Data): Promise<void> {
  const entries = Object.entries(changes);
  const set = entries.filter(([, value]) => value !== undefined);
  const removed = entries.filter(([, value]) => value === undefined);
  const clause = (verb: string, parts: string[]) => (parts.length > 0 ? `${verb} ${parts.join(', ')} ` : '');
  await dynamo().send(
    new UpdateCommand({
      TableName: physical(table),
      Key: { id },
      UpdateExpression:
        clause(
          'SET',
          set.map(([name]) => `#${name} = :${name}`),
        ) +
        clause(
          'REMOVE',
          removed.map(([name]) => `#${name}`),
        ),
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
      ...(set.length > 0 && {
        ExpressionAttributeValues: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
      }),
    }),
  );
}

/** Counts the rows that a partner has in each table, without its rate counts. */
export async function holdingsOf(partnerId: string): Promise<Record<string, number>> {
  const isTheirs = (row: Data) => row.partnerId === partnerId;
  const tables = ['TablesKycRecords', 'TablesClients', 'TablesTransactions', 'TablesEvents'];
  const counts = await Promise.all(tables.map(async (table) => (await rowsWhere(table, isTheirs)).length));
  return Object.fromEntries(tables.map((table, index) => [table, counts[index]!]));
}

export const NOTHING = { TablesKycRecords: 0, TablesClients: 0, TablesTransactions: 0, TablesEvents: 0 };

const machineArn = () => Object.values(sandbox().refs).find((ref) => ref.includes(':stateMachine:'))!;

/** The names of all executions ever started whose name starts with the id. */
export async function executionsOf(transactionId = ''): Promise<string[]> {
  const names: string[] = [];
  const stateMachineArn = machineArn();
  for await (const { executions = [] } of paginateListExecutions({ client: sfn() }, { stateMachineArn })) {
    names.push(...executions.map(({ name = '' }) => name).filter((name) => name.startsWith(transactionId)));
  }
  return names;
}

export const executionArn = (transactionId: string) =>
  `${machineArn().replace(':stateMachine:', ':execution:')}:${transactionId}`;

export async function executionInput(transactionId: string): Promise<unknown> {
  const command = new DescribeExecutionCommand({ executionArn: executionArn(transactionId) });
  const { input } = await sfn().send(command);
  return JSON.parse(input!);
}

/**
 * Waits until the present window has at least `secondsLeft` left. Windows of `windowSeconds` are counted from the
 * epoch.
 */
export async function untilWindowHas(secondsLeft: number, windowSeconds: number): Promise<void> {
  const windowMs = windowSeconds * 1000;
  const left = windowMs - (Date.now() % windowMs);
  if (left < secondsLeft * 1000) await new Promise((resolve) => setTimeout(resolve, left + 50));
}

/**
 * Gives each thing that `make` makes `uses` times. A table of cases would otherwise reach the rate limit of one key.
 */
export function rationed<Made>(uses: number, make: () => Promise<Made>) {
  const made: Made[] = [];
  let left = 0;
  const next = async (): Promise<Made> => {
    if (left === 0) {
      made.push(await make());
      left = uses;
    }
    left--;
    return made.at(-1)!;
  };
  return { next, made };
}

const TOTP_SECONDS = 30;

/** The client's code of a nearby time step. Waits when the present step is about to end. */
export async function codeOf({ otpauthUri }: { otpauthUri: string }, stepsFromNow = 0): Promise<string> {
  await untilWindowHas(4, TOTP_SECONDS);
  return totpCode(otpauthUri, stepsFromNow * TOTP_SECONDS);
}

/** Six digits that are no valid code of the client, now or while the test lasts. */
export function wrongCodeOf({ otpauthUri }: { otpauthUri: string }, index = 0): string {
  const near = Array.from({ length: 9 }, (_, step) => totpCode(otpauthUri, (step - 3) * TOTP_SECONDS));
  const candidates = Array.from({ length: 60 }, (_, digit) => String(digit * 11).padStart(6, '0'));
  return candidates.filter((code) => !near.includes(code))[index]!;
}
