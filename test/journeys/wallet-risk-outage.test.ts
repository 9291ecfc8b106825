import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { type FaultProxy, startFaultProxy } from '../../sandbox/chain/fault-proxy.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { controlKeyOf } from '../../sandbox/seed.ts';
import { type Changeable, changedAssembly } from '../support/assemblies.ts';
import { executionsIn, statesOf } from '../support/executions.ts';
import { runCommand } from '../support/operations.ts';
import { pspAt } from '../support/psp.ts';
import { endOf, newWallet, openPix, type Purchase, SLOW_MS, transfersTo } from '../support/purchases.ts';
import { BIOMETRIC_HASH, eventually, randomCpf } from '../support/sandbox.ts';

const SEND = 'eth_sendRawTransaction';
const KMS_FAILURE = { name: 'InternalServerError', message: 'injected by the test', status: 500 };
/** One try and its retries, until the machine pauses the check. */
const TRIES = 3;

let sandbox: Sandbox;
let proxy: FaultProxy;
let assembly: string;
let isKmsDown = false;

beforeAll(async () => {
  sandbox = await startSandbox({
    minuteSeconds: 4,
    faults: {
      before: async ({ service, functionName }) =>
        isKmsDown && service === 'kms' && functionName ? { error: KMS_FAILURE } : undefined,
    },
    changeAssembly: (synthesized) => {
      assembly = changedAssembly(synthesized, hurry);
      return assembly;
    },
    rpcProxy: async (rpcUrl) => {
      proxy = await startFaultProxy(rpcUrl);
      return proxy.url;
    },
  });
});

afterEach(() => {
  proxy.heal();
  isKmsDown = false;
});

afterAll(async () => {
  await sandbox?.stop();
  await proxy?.stop();
  if (assembly) rmSync(assembly, { recursive: true });
});

type Retrier = { ErrorEquals: string[] };
type States = Record<string, { Seconds?: number }> & { CheckWalletRisk: { Retry: Retrier[] } };

/** Days of retries in seconds: the check is tried this often, and entered again a second later. */
function hurry({ propertiesOf }: Changeable): void {
  const machine = propertiesOf('MachineOnramp', 'AWS::StepFunctions::StateMachine');
  const definition = JSON.parse(String(machine.DefinitionString)) as { States: States };
  const { CheckWalletRisk } = definition.States;
  const retrier = CheckWalletRisk.Retry.find(({ ErrorEquals }) => ErrorEquals.includes('States.ALL'))!;
  Object.assign(retrier, { MaxAttempts: TRIES - 1, IntervalSeconds: 1, BackoffRate: 1 });
  definition.States.LookAgain = { ...definition.States.LookAgain, Seconds: 1 };
  machine.DefinitionString = JSON.stringify(definition);
}

const place = () => ({
  url: sandbox.url,
  rpcUrl: sandbox.rpcUrl,
  awsEndpoint: sandbox.cloud.endpoint,
  region: sandbox.cloud.region,
  simulatorsUrl: sandbox.cloud.apis['onramp-simulators']!,
  controlKey: controlKeyOf(sandbox.cloud),
  refs: Object.fromEntries(Object.entries(sandbox.cloud.resources).map(([id, { ref }]) => [id, ref])),
});

function demoPartner() {
  const { apiKey, url: baseUrl } = sandbox;
  return { partnerId: 'demo', apiKey, client: createOnrampClient({ apiKey, baseUrl, timeoutMs: 120_000 }) };
}

/** Like a partner that repeats nothing by itself. */
async function initiate(key: string, body: object) {
  const headers = {
    'content-type': 'application/json',
    'X-Service-API-Key': sandbox.apiKey,
    'Idempotency-Key': key,
  };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${sandbox.url}/v1/laas/transactions/initiate`, init);
  const { data, error } = (await response.json()) as { data?: { transactionId: string }; error?: object };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), data, error };
}

/** The errors of the check before the machine paused this often. */
function failuresBefore(history: HistoryEvent[], looks: number): (string | undefined)[] {
  const indexes = history.flatMap(({ stateEnteredEventDetails }, index) =>
    stateEnteredEventDetails?.name === 'LookAgain' ? [index] : [],
  );
  return history
    .slice(0, indexes[looks - 1])
    .flatMap(({ lambdaFunctionFailedEventDetails: failed }) => (failed ? [failed.error] : []));
}

const countLooks = (history: HistoryEvent[]) =>
  statesOf(history).filter((state) => state === 'LookAgain').length;

/** The first five lines of `tx show`, once they name the cause. */
async function headWith(cause: string, transactionId: string): Promise<string> {
  const outputs = join(tmpdir(), 'outputs.json');
  const { endpoint, region } = sandbox.cloud;
  const local = { endpoint, region, pid: process.pid };
  writeFileSync(outputs, JSON.stringify({ OnrampSandbox: sandbox.cloud.outputs, local }));
  const head = async () => {
    const { out } = await runCommand(['tx', 'show', transactionId, '--outputs', outputs]);
    return out.split('\n').slice(0, 5).join('\n');
  };
  return eventually(head, (text) => text.includes(cause), SLOW_MS);
}

async function expectHeld({ client, transactionId, walletAddress }: Purchase): Promise<void> {
  const { status, failure, refund } = await client.getTransactionStatus(transactionId);
  const { pix } = (await pspAt(place()).charge(transactionId))!;

  expect({ status, failure, refund }).toEqual({
    status: 'PROCESSING',
    failure: undefined,
    refund: undefined,
  });
  expect(pix?.map(({ devolucoes }) => devolucoes)).toEqual([undefined]);
  expect(proxy.calls).not.toContain(SEND);
  expect(await transfersTo(sandbox.rpcUrl, walletAddress)).toEqual([]);
}

describe('while no node of the chain can be reached', () => {
  test('no purchase is opened: 500 with Retry-After, and the same request opens it once the node is back', async () => {
    const { client } = demoPartner();
    const { token: kycToken } = await client.submitKyc({ cpf: randomCpf(), biometricHash: BIOMETRIC_HASH });
    const body = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress: newWallet() };
    proxy.faults.down = true;

    const refused = await initiate('while-down', body);
    proxy.heal();
    const opened = await initiate('while-down', body);

    expect(refused).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
    expect(refused.data).toBeUndefined();
    expect(opened.status).toBe(200);
    const { status, history } = await client.getTransactionStatus(opened.data!.transactionId);
    expect(status).toBe('AWAITING_MFA');
    expect(history.map((each) => each.status)).toEqual(['CREATED', 'AWAITING_MFA']);
  });

  // Spec, What the service does: "on-chain risk check on the destination wallet"
  // docs/decisions.md, "A provider is down"
  test('a paid purchase is held, sends and returns nothing, and goes on once the node is back', async () => {
    const purchase = await openPix({ partner: demoPartner() });
    const { client, transactionId, walletAddress } = purchase;
    const historyOf = () => executionsIn(place()).historyOf(transactionId);
    proxy.calls.length = 0;
    proxy.faults.down = true;

    await client.sandbox.pay(transactionId);
    const held = await eventually(historyOf, (history) => countLooks(history) >= 2, SLOW_MS);

    expect(failuresBefore(held, 2)).toEqual(Array(2 * TRIES).fill('Unavailable'));
    expect(statesOf(held)).not.toContain('ConfirmPixPayment');
    await expectHeld(purchase);
    const head = await headWith('chain RPC is unavailable', transactionId);
    expect(head).toMatch(/^state +PROCESSING since /m);
    expect(head).toContain('$ChainSecret');
    proxy.heal();
    const { txHash } = await endOf(purchase, ['COMPLETED']);
    const transfers = await transfersTo(sandbox.rpcUrl, walletAddress);
    expect(transfers.map(({ transactionHash }) => transactionHash)).toEqual([txHash]);
    expect(statesOf(await historyOf())).not.toContain('FailTransaction');
  });
});

// docs/decisions.md, "Facts that partners learn"
test('while KMS is cut, tx show names it, and the purchase goes on once it is back', async () => {
  const purchase = await openPix({ partner: demoPartner() });
  isKmsDown = true;
  await purchase.client.sandbox.pay(purchase.transactionId);

  const head = await headWith('KMS is unavailable', purchase.transactionId);

  expect(head).toMatch(/^state +PROCESSING since /m);
  isKmsDown = false;
  await endOf(purchase, ['COMPLETED']);
});
