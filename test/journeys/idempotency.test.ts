import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { keyRowId } from '../../functions/adapters/dynamodb/partners.ts';
import type { RateScope } from '../../functions/domain/partners/rate-limit.ts';
import { ROUTES } from '../../functions/routes.ts';
import { ROUTES as SANDBOX_ROUTES } from '../../sandbox/routes.ts';
import { MINUTE_MS, WALLET } from '../support/builders.ts';
import { announce } from '../support/events.ts';
import {
  type Answer,
  call,
  type Data,
  editRow,
  executionsOf,
  expectRefusal,
  holdingsOf,
  rowsWhere,
  submitKyc,
} from '../support/partner-api.ts';
import { newKey } from '../support/partner-endpoints.ts';
import { expectOneCharge } from '../support/provider-faults.ts';
import { pspAt } from '../support/psp.ts';
import { SLOW_MS } from '../support/purchases.ts';
import { aPurchase, aSubmission } from '../support/requests.ts';
import {
  BIOMETRIC_HASH,
  dynamo,
  eventually,
  newPartner,
  physical,
  randomCpf,
  rowOf,
  sandbox,
  totpCode,
} from '../support/sandbox.ts';
import { newSigner } from '../support/token-signer.ts';

const ALL_ROUTES = [...ROUTES, ...SANDBOX_ROUTES];
/** Every POST of a partner. A new POST without a case below does not compile. */
type Post = Extract<(typeof ALL_ROUTES)[number], { method: 'POST'; scope: RateScope }>['function'];

type Partner = Awaited<ReturnType<typeof newPartner>>;
/** The posted body with the path's parameters, and how it shows that it happened once. */
type Case = {
  /** Absent: the partner's first key. */
  apiKey?: string;
  params?: Record<string, string>;
  body: Data;
  expectOnce: (answer: Answer) => Promise<void>;
};

/** The sandbox's test CPF, whose client gets the tier HIGH. */
const HIGH_CPF = '11144477735';

const asManager = async ({ partnerId }: Partner) => ({
  apiKey: await newKey(partnerId, 'manager', ['manage']),
});

/** The delivery to the partner's receiver once it is delivered. */
const isDelivered = ({ client }: Partner, eventId: string) =>
  eventually(
    async () => (await client.events.get(eventId)).deliveries[0],
    (delivery) => delivery?.status === 'DELIVERED',
    SLOW_MS,
  );

/** Expects two attempts: one before the calls, and one that all the calls began together. */
async function wasReplayed({ client }: Partner, eventId: string): Promise<void> {
  const { attempts } = (await eventually(
    async () => (await client.events.get(eventId)).deliveries[0],
    (delivery) => delivery?.status === 'DELIVERED' && delivery.attempts.length > 1,
    SLOW_MS,
  ))!;
  expect(attempts).toHaveLength(2);
}

/** Uses the client library, which repeats calls that a busy machine was too slow for. */
async function kycTokenOf({ client }: Partner, cpf = randomCpf()): Promise<string> {
  return (await client.submitKyc({ cpf, biometricHash: BIOMETRIC_HASH })).token;
}

async function purchaseOf(partner: Partner, cpf?: string) {
  const kycToken = await kycTokenOf(partner, cpf);
  const request = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress: WALLET } as const;
  const { transactionId: id, authChallenge } = await partner.client.initiateTransaction(request);
  // Fifteen minutes are shortened here, and several instances of a function may have to start in that time.
  await editRow('TablesTransactions', id, { expiresAt: Date.now() + MINUTE_MS });
  return { id, otpauthUri: authChallenge.enrollment?.otpauthUri ?? '' };
}

async function anInitiation(partner: Partner, cpf?: string): Promise<Case> {
  return {
    body: aPurchase(await kycTokenOf(partner, cpf)),
    async expectOnce({ data }) {
      const rows = await rowsWhere('TablesTransactions', (row) => row.partnerId === partner.partnerId);
      expect(rows.map(({ id }) => id)).toEqual([data.transactionId]);
      expect(await executionsOf(String(data.transactionId))).toEqual([data.transactionId]);
    },
  };
}

const CASES: Record<Post, (partner: Partner) => Promise<Case>> = {
  SubmitKyc: async ({ partnerId }) => ({
    body: aSubmission(),
    async expectOnce() {
      expect(await holdingsOf(partnerId)).toMatchObject({ TablesKycRecords: 1, TablesClients: 1 });
    },
  }),
  CreateQuote: async ({ partnerId }) => ({
    body: { asset: 'USDC', amountBrl: 250 },
    async expectOnce({ data }) {
      const rows = await rowsWhere('TablesPromises', (row) => row.partnerId === partnerId);
      expect(rows.map(({ id }) => id)).toEqual([data.quoteId]);
    },
  }),
  InitiateTransaction: (partner) => anInitiation(partner),
  ConfirmMfa: async (partner) => {
    const { id, otpauthUri } = await purchaseOf(partner);
    return {
      params: { id },
      body: { totpCode: totpCode(otpauthUri) },
      async expectOnce() {
        await expectOneCharge(id);
        expect(await rowOf('TablesTransactions', id)).toMatchObject({ mfaAttempts: 1 });
      },
    };
  },
  CancelTransaction: async (partner) => {
    const { id } = await purchaseOf(partner);
    return {
      params: { id },
      body: {},
      async expectOnce() {
        const canceled = { status: 'CANCELED', sequence: 1 };
        expect(await rowOf('TablesTransactions', id)).toMatchObject(canceled);
      },
    };
  },
  PayTransaction: async (partner) => {
    const { id, otpauthUri } = await purchaseOf(partner);
    await partner.client.confirmMfa({ transactionId: id, totpCode: totpCode(otpauthUri) });
    return {
      params: { id },
      body: {},
      async expectOnce({ data }) {
        const { pix = [] } = (await pspAt(sandbox()).charge(id))!;
        expect(pix.map(({ endToEndId }) => endToEndId)).toEqual(data.endToEndIds);
        expect(pix).toHaveLength(1);
      },
    };
  },
  CompleteLiveness: async (partner) => {
    const { id } = await purchaseOf(partner, HIGH_CPF);
    return {
      params: { id },
      body: { outcome: 'PASSED' },
      async expectOnce() {
        await eventually(
          () => rowOf('TablesTransactions', id),
          (row) => row?.status === 'AWAITING_PIX',
        );
        await expectOneCharge(id);
      },
    };
  },
  TriggerEvent: async (partner) => {
    const { id, otpauthUri } = await purchaseOf(partner);
    await partner.client.confirmMfa({ transactionId: id, totpCode: totpCode(otpauthUri) });
    await partner.client.cancelTransaction(id);
    return {
      body: { event: 'LATE_PIX', transactionId: id },
      async expectOnce() {
        const { pix = [] } = (await pspAt(sandbox()).charge(id))!;
        expect(pix).toHaveLength(1);
      },
    };
  },
  ResetSandbox: async ({ client }) => {
    await client.sandbox.trigger('LOW_LIQUIDITY', { cpf: randomCpf() });
    return {
      body: {},
      async expectOnce({ data }) {
        expect(data).toEqual({ cleared: 1 });
      },
    };
  },
  IssuePartnerKycToken: async () => ({ body: { cpf: aSubmission().cpf }, expectOnce: async () => undefined }),
  AddWebhookEndpoint: async ({ partnerId, apiKey }) => ({
    body: { url: `${sandbox().simulatorsUrl}/webhook-receiver/${partnerId}` },
    async expectOnce({ data }) {
      const endpoints = await endpointsOf(apiKey);
      expect(endpoints.map(({ id }) => id)).toEqual(['receiver', data.id]);
    },
  }),
  MakeApiKey: async ({ partnerId, apiKey }) => ({
    apiKey: await newKey(partnerId, 'manager', ['read', 'manage']),
    body: { scopes: ['read'], expiresInDays: 1 },
    async expectOnce({ data }) {
      const listed = await call('GET', '/laas/partner/keys', { apiKey });
      const ids = (listed.data.keys as { id: string }[]).map(({ id }) => id);
      expect(ids).toEqual(['key1', 'manager', data.id]);
    },
  }),
  ProposeVendorKey: async (partner) => ({
    ...(await asManager(partner)),
    body: { jwk: { ...(await newSigner('EdDSA', 'vendor-2')).jwk, alg: 'EdDSA' } },
    async expectOnce() {
      const { keys } = await partner.client.partner.vendorKeys();
      expect(keys.filter(({ status }) => status === 'PENDING')).toMatchObject([{ kid: 'vendor-2' }]);
    },
  }),
  ChangePartnerSettings: async (partner) => ({
    ...(await asManager(partner)),
    body: { returnHosts: ['app.example.com'] },
    async expectOnce({ data }) {
      const settings = await call('GET', '/laas/partner/settings', { apiKey: partner.apiKey });
      expect(settings.data).toEqual(data);
    },
  }),
  EditWebhookEndpoint: async (partner) => ({
    ...(await asManager(partner)),
    params: { endpointId: 'receiver' },
    body: { description: 'The ledger', enabled: false },
    async expectOnce({ data }) {
      expect(await endpointsOf(partner.apiKey)).toEqual([data]);
    },
  }),
  EnableWebhookEndpoint: async (partner) => ({
    ...(await asManager(partner)),
    params: { endpointId: 'receiver' },
    body: {},
    async expectOnce({ data }) {
      expect(await endpointsOf(partner.apiKey)).toEqual([data]);
    },
  }),
  ReplayEvent: async (partner) => {
    const [eventId = ''] = await announce(partner.partnerId, 1);
    await isDelivered(partner, eventId);
    return { params: { eventId }, body: {}, expectOnce: () => wasReplayed(partner, eventId) };
  },
  ReplayEvents: async (partner) => {
    const [eventId = ''] = await announce(partner.partnerId, 1);
    await isDelivered(partner, eventId);
    const [from, to] = [Date.now() - MINUTE_MS, Date.now() + MINUTE_MS].map((at) =>
      new Date(at).toISOString(),
    );
    return { body: { from, to }, expectOnce: () => wasReplayed(partner, eventId) };
  },
  TestWebhookEndpoint: async (partner) => ({
    ...(await asManager(partner)),
    params: { endpointId: 'receiver' },
    body: {},
    async expectOnce({ data }) {
      const rows = await rowsWhere('TablesEvents', (row) => row.partnerId === partner.partnerId);
      expect(rows.map(({ id }) => id)).toEqual([data.eventId]);
    },
  }),
  RotateWebhookSecret: async ({ apiKey }) => ({
    params: { endpointId: 'receiver' },
    body: {},
    async expectOnce({ data }) {
      const [endpoint] = await endpointsOf(apiKey);
      expect(endpoint).toMatchObject({ id: 'receiver', formerSecretUntil: data.formerSecretUntil });
    },
  }),
  RevokeApiKey: async ({ partnerId }) => {
    const id = keyRowId(partnerId, 'key2');
    const sha256 = 'ab'.repeat(32);
    const key = { id, partnerId, keyId: 'key2', sha256, scopes: ['read'], status: 'ACTIVE', createdAt: 0 };
    await dynamo().send(new PutCommand({ TableName: physical('TablesPartners'), Item: key }));
    return {
      params: { keyId: 'key2' },
      body: {},
      async expectOnce() {
        expect(await rowOf('TablesPartners', id)).toMatchObject({ status: 'REVOKED' });
      },
    };
  },
};

async function endpointsOf(apiKey: string) {
  const { data } = await call('GET', '/laas/partner', { apiKey });
  return data.webhookEndpoints as { id: string; formerSecretUntil?: string }[];
}

function pathOf(name: string, params: Record<string, string> = {}): string {
  const { path } = ALL_ROUTES.find((route) => route.function === name)!;
  return path.replace(/\{(\w+)\}/g, (_, parameter: string) => params[parameter]!);
}

const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

const isDone = ({ status }: Answer) => status === 200;

/** The number of requests at once. Each needs an instance of its own, which must start first. */
const AT_ONCE = 4;

/** Sends several requests at once. Repeats that if a busy machine was too slow and the key was given back. */
async function manyAtOnce(ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (!answers.some(isDone)) answers.push(...(await Promise.all(Array.from({ length: AT_ONCE }, ask))));
  return answers.filter(({ status }) => status !== 500);
}

/** Expects that one request ran. The others, and one afterwards, were told to wait or got its answer. */
async function expectAnsweredOnce(firstKey: string, name: string, given: Case) {
  const { apiKey = firstKey, params, body, expectOnce } = given;
  const headers = { 'Idempotency-Key': 'the same' };
  const ask = () => call('POST', pathOf(name, params), { apiKey, headers, body });

  const answers = await manyAtOnce(ask);

  const answered = answers.filter(isDone);
  const [first, ...others] = answered.filter((answer) => !isReplay(answer));
  expect(others).toEqual([]);
  for (const answer of answers.filter((each) => !isDone(each))) {
    expectRefusal(answer, 'IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: expect.any(Number) });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  await expectOnce(first!);
  const later = await ask();
  expect(isReplay(later)).toBe(true);
  for (const replay of [...answered, later]) expect(replay.text).toBe(first!.text);
}

describe('requests with one Idempotency-Key at once', () => {
  // Spec, Endpoints: "accepts an optional Idempotency-Key header"
  test.each(Object.keys(CASES) as Post[])('are one request to %s', async (name) => {
    const partner = await newPartner();

    await expectAnsweredOnce(partner.apiKey, name, await CASES[name](partner));
  });

  test('are one request to InitiateTransaction for a client of tier HIGH too', async () => {
    const partner = await newPartner();
    const initiation = await anInitiation(partner, HIGH_CPF);

    await expectAnsweredOnce(partner.apiKey, 'InitiateTransaction', initiation);
  });

  test('of two partners are two requests', async () => {
    const headers = { 'Idempotency-Key': 'order-1' };
    const body = aSubmission();
    const partners = [await newPartner(), await newPartner()];

    const answers = await Promise.all(partners.map(({ apiKey }) => submitKyc(apiKey, body, { headers })));

    expect(answers.map(isReplay)).toEqual([false, false]);
    expect(new Set(answers.map(({ data }) => data.token)).size).toBe(2);
  });
});
