import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isOnrampError } from '../../client/errors.ts';
import { createOnrampClient, type OnrampClient } from '../../client/onramp-client.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { controlKeyOf } from '../../sandbox/seed.ts';
import { awsFaults } from '../support/aws-faults.ts';
import { pspAt } from '../support/psp.ts';
import { newWallet, transfersTo } from '../support/purchases.ts';
import { BIOMETRIC_HASH, eventually, randomCpf, totpCode } from '../support/sandbox.ts';

const HIGH = '111.444.777-35';
/** Each operation fails in turn, so one request may be sent many times. */
const MANY_RETRIES = 40;
/**
 * The message of one event may meet the failures of several operations, one after the other. From its third failure on
 * it comes again only after six minutes, if the sweep of lost events does not queue the event sooner.
 */
const TOLD_MS = 15 * 60_000;
const TEST_MS = 2 * TOLD_MS;

const faults = awsFaults();
let sandbox: Sandbox;
beforeAll(async () => {
  // A purchase has five minutes for its challenge, because every step is repeated.
  sandbox = await startSandbox({ minuteSeconds: 20, faults: { before: faults.before } });
});
afterAll(() => sandbox?.stop());

function newClient(): OnrampClient {
  const { apiKey, url: baseUrl } = sandbox;
  return createOnrampClient({ apiKey, baseUrl, timeoutMs: 120_000, maxRetries: MANY_RETRIES });
}

/**
 * Repeats a call while its key is leased. The client library waits 60 seconds at most, but the tests' patience makes a
 * lease longer than that.
 */
async function insist<T>(call: (options: { idempotencyKey: string }) => Promise<T>): Promise<T> {
  const options = { idempotencyKey: randomUUID() };
  for (;;) {
    try {
      return await call(options);
    } catch (error) {
      if (!isOnrampError(error) || error.code !== 'IDEMPOTENCY_IN_PROGRESS') throw error;
      await setTimeout(1000 * (error.retryAfterSeconds ?? 1));
    }
  }
}

/** A fault of AWS can leave the record PENDING without the answer of a source. A later look decides the record. */
async function approved(client: OnrampClient, cpf: string): Promise<string> {
  const { token } = await insist((options) =>
    client.submitKyc({ cpf, biometricHash: BIOMETRIC_HASH }, options),
  );
  await client.waitForKyc(token, ['APPROVED'], { intervalMs: 1000 });
  return token;
}

type Bought = { client: OnrampClient; transactionId: string; walletAddress: string; otpauthUri: string };

async function opened(cpf = randomCpf()): Promise<Bought> {
  const client = newClient();
  const walletAddress = newWallet();
  const kycToken = await approved(client, cpf);
  const order = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress } as const;
  const { transactionId, authChallenge } = await insist((options) =>
    client.initiateTransaction(order, options),
  );
  const otpauthUri = authChallenge.type === 'MFA_TOTP' ? authChallenge.enrollment!.otpauthUri : '';
  return { client, transactionId, walletAddress, otpauthUri };
}

async function charged(): Promise<Bought> {
  const bought = await opened();
  const { client, transactionId, otpauthUri } = bought;
  // A code is too old after a lease, and a key belongs to one body. Each repetition has its own code and key.
  await insist(() => client.confirmMfa({ transactionId, totpCode: totpCode(otpauthUri) }).catch(unlessDone));
  return bought;
}

/** The payer's bank and the provider's own interface do not pass through our AWS. */
function psp() {
  const simulatorsUrl = sandbox.cloud.apis['onramp-simulators']!;
  return pspAt({ simulatorsUrl, controlKey: controlKeyOf(sandbox.cloud) });
}

async function refundsOf(transactionId: string): Promise<string[]> {
  const { pix } = (await psp().charge(transactionId))!;
  return pix!.flatMap(({ devolucoes = [] }) => devolucoes.map(({ valor }) => valor));
}

async function expectDelivered({ client, transactionId, walletAddress }: Bought): Promise<void> {
  const { txHash } = await client.waitForStatus(transactionId, ['COMPLETED']);
  const transfers = await transfersTo(sandbox.rpcUrl, walletAddress);
  expect(transfers.map(({ transactionHash }) => transactionHash)).toEqual([txHash]);
  expect(await refundsOf(transactionId)).toEqual([]);
  await expectTold(client, transactionId, 'transaction.completed');
}

/** Expects that the event has reached the partner through the stream and the queue. */
async function expectTold(client: OnrampClient, transactionId: string, type: string): Promise<void> {
  await eventually(
    () => client.sandbox.webhooks(),
    ({ webhooks }) =>
      webhooks.some(({ event }) => event.type === type && JSON.stringify(event.data).includes(transactionId)),
    TOLD_MS,
  );
}

async function buyWithCode(): Promise<void> {
  const bought = await charged();
  expect(await psp().pay(bought.transactionId)).toBe(200);
  await expectDelivered(bought);
}

/** AWS may lose the answer of a step that was made. The repetition of that step is then refused. */
function unlessDone(error: unknown): void {
  if (!isOnrampError(error) || error.code !== 'INVALID_TRANSACTION_STATE') throw error;
}

async function buyWithFace(): Promise<void> {
  const bought = await opened(HIGH);
  const { client, transactionId } = bought;
  await client.sandbox.liveness(transactionId, { outcome: 'PASSED' }).catch(unlessDone);
  await client.waitForStatus(transactionId, ['AWAITING_PIX']);
  expect(await psp().pay(transactionId)).toBe(200);
  await expectDelivered(bought);
}

async function payForAnother(): Promise<void> {
  const { client, transactionId, walletAddress } = await charged();
  expect(await psp().pay(transactionId, { payerCpf: randomCpf() })).toBe(200);
  await eventually(
    () => client.getTransactionStatus(transactionId),
    ({ refund }) => refund?.status === 'REFUNDED',
  );
  expect(await refundsOf(transactionId)).toEqual(['250.00']);
  expect(await transfersTo(sandbox.rpcUrl, walletAddress)).toEqual([]);
  await expectTold(client, transactionId, 'transaction.refunded');
}

async function cancel(): Promise<void> {
  const { client, transactionId } = await opened();
  await insist((options) => client.cancelTransaction(transactionId, options));
  expect((await client.getTransactionStatus(transactionId)).status).toBe('CANCELED');
  await expectTold(client, transactionId, 'transaction.canceled');
}

test('each purchase ends once while every operation of AWS fails four times in a row', {
  timeout: TEST_MS,
}, async () => {
  faults.start();

  await Promise.all([buyWithCode(), buyWithFace(), payForAnother(), cancel()]);

  const asked = ['dynamodb', 'kms', 'lambda', 's3', 'secretsmanager', 'sqs', 'states', 'streams'];
  expect(faults.services()).toEqual(asked);
});
