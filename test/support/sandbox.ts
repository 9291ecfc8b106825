import { createHash, randomInt } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SFNClient } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { generateSync } from 'otplib';
import { inject } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { envelope } from '../../functions/adapters/aws/vault.ts';
import { keyRowId, partnerRowId } from '../../functions/adapters/dynamodb/partners.ts';
import { KEY_SCOPES } from '../../functions/domain/partners/api-key.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { sandboxVendor } from '../../sandbox/partner-keys.ts';
import { WEBHOOK_SECRET } from '../../sandbox/seed.ts';

/** The shared sandbox, for the tests of one file. */
export const sandbox = () => inject('sandbox');

export function awsOptions() {
  const { awsEndpoint, region } = sandbox();
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  return { endpoint: awsEndpoint, region, credentials };
}

export const dynamo = () =>
  DynamoDBDocumentClient.from(new DynamoDBClient(awsOptions()), {
    marshallOptions: { removeUndefinedValues: true },
  });
export const sfn = () => new SFNClient(awsOptions());
export const sqs = () => new SQSClient(awsOptions());
export const kms = () => new KMSClient(awsOptions());

/** Calls the control interface of the shared sandbox's simulators. */
export function askControl(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { 'x-control-key': sandbox().controlKey };
  return fetch(`${sandbox().simulatorsUrl}/control${path}`, { ...init, headers });
}

/** The physical id of the only resource whose logical id starts with `prefix`. */
export function physical(prefix: string): string {
  const found = Object.entries(sandbox().refs).filter(([id]) => id.startsWith(prefix));
  if (found.length !== 1) throw new Error(`${found.length} resources begin with ${prefix}`);
  return found[0]![1];
}

/** The present row of a table. */
export async function rowOf(table: string, id: string): Promise<Record<string, unknown> | undefined> {
  const command = new GetCommand({ TableName: physical(table), Key: { id }, ConsistentRead: true });
  return (await dynamo().send(command)).Item;
}

/** Makes a new partner for a test, with its own rate limit and its own webhooks. */
export async function newPartner(changes: Partial<Partner> = {}) {
  const partnerId = `t${randomInt(2 ** 47).toString(36)}`;
  const apiKey = `sk_sandbox_${partnerId}_key1_${'0'.repeat(16)}`;
  const secretCipher = await webhookCipher().encrypt(WEBHOOK_SECRET, partnerId);
  const webhookUrl = `${sandbox().simulatorsUrl}/webhook-receiver/${partnerId}`;
  const partner = {
    name: 'Test Exchange',
    status: 'ACTIVE',
    spreadBasisPoints: 100,
    kycTokens: sandboxVendor,
    webhookEndpoints: [{ id: 'receiver', url: webhookUrl, secretCipher, createdAt: Date.now() }],
    keyIds: ['key1'],
    createdAt: Date.now(),
    version: 0,
    ...changes,
    id: partnerRowId(partnerId),
  };
  const sha256 = createHash('sha256').update(apiKey).digest('hex');
  const made = { scopes: [...KEY_SCOPES], status: 'ACTIVE', createdAt: Date.now() };
  const key = { id: keyRowId(partnerId, 'key1'), partnerId, keyId: 'key1', sha256, ...made };
  for (const Item of [partner, key]) {
    await dynamo().send(new PutCommand({ TableName: physical('TablesPartners'), Item }));
  }
  await askControl(`/webhooks/${partnerId}/secret`, {
    method: 'PUT',
    body: JSON.stringify({ secret: WEBHOOK_SECRET }),
  });
  // The time-out is long, because the service refuses a repeated request while it still answers the first.
  const client = createOnrampClient({ apiKey, baseUrl: sandbox().url, timeoutMs: 120_000 });
  return { partnerId, apiKey, client };
}

/**
 * Encrypts as the service does. It cannot compute look-up fingerprints, because they need the service's own secret.
 */
export function webhookCipher() {
  return envelope({
    load: async () => kms(),
    dataKeyId: physical('KeysData'),
    purpose: { purpose: 'webhook' },
    random: { bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) },
    clock: { now: () => Date.now(), minuteMs: 60_000 },
  });
}

export const BIOMETRIC_HASH = `sha256:${'ab'.repeat(32)}`;

/** A valid random CPF that no scenario uses. */
export function randomCpf(): string {
  const digits = Array.from({ length: 9 }, () => randomInt(10));
  if (digits[0] === 9) digits[0] = 1;
  for (const length of [9, 10]) {
    const sum = digits
      .slice(0, length)
      .reduce((total, digit, index) => total + digit * (length + 1 - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}

/** The code that the client's authenticator app shows at this time. */
export function totpCode(otpauthUri: string, secondsFromNow = 0): string {
  const secret = new URL(otpauthUri).searchParams.get('secret')!;
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1000) + secondsFromNow });
}

/**
 * Asks until the answer is good or the time is over. The pauses grow, because a key has only a hundred requests a
 * minute.
 */
export async function eventually<Answer>(
  ask: () => Promise<Answer>,
  isGood: (answer: Answer) => boolean,
  timeoutMs = 240_000,
): Promise<Answer> {
  const deadline = Date.now() + timeoutMs;
  for (let pauseMs = 100; ; pauseMs = Math.min(1_000, pauseMs * 1.4)) {
    const answer = await ask();
    if (isGood(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(answer)} after ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Waits for the next second. A provider gives its times in seconds, and later events must have a later time. */
export async function untilNextSecond(): Promise<void> {
  const second = () => Math.floor(Date.now() / 1000);
  const begun = second();
  await eventually(
    async () => second(),
    (now) => now > begun,
  );
}
