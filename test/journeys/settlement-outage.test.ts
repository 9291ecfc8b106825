import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { Wallet } from 'ethers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { balanceOf, fund } from '../../sandbox/chain/deploy.ts';
import { type FaultProxy, startFaultProxy } from '../../sandbox/chain/fault-proxy.ts';
import type { BootOptions } from '../../sandbox/cloud/boot.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { controlKeyOf } from '../../sandbox/seed.ts';
import { type Changeable, changedAssembly } from '../support/assemblies.ts';
import { executionsIn, statesOf } from '../support/executions.ts';
import { runCommand } from '../support/operations.ts';
import { pspAt } from '../support/psp.ts';
import { endOf, eventsOf, openPix, type Purchase, SLOW_MS, transfersTo } from '../support/purchases.ts';
import { eventually } from '../support/sandbox.ts';

const SEND = 'eth_sendRawTransaction';
/** Less than our patience with a node, and more than half of the function's time, which is five times as long here. */
const DELAY_MS = 6_000;
const FUNCTION_SECONDS = 2;

let sandbox: Sandbox;
let proxy: FaultProxy;
let assembly: string;
let isRegionLost = false;
const folder = mkdtempSync(join(tmpdir(), 'settlement-outage-'));

type Hook = NonNullable<NonNullable<BootOptions['faults']>['before']>;

/** Another region still has the replicas of the keys. Functions do not run there, and so only an operator asks. */
const before: Hook = async ({ service, functionName }) =>
  isRegionLost && (service !== 'kms' || functionName !== undefined)
    ? { error: { name: 'InternalServerError', message: 'the region is lost', status: 500 } }
    : undefined;

beforeAll(async () => {
  sandbox = await startSandbox({
    minuteSeconds: 4,
    faults: { before },
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
  isRegionLost = false;
  proxy.heal();
});

afterAll(async () => {
  await sandbox?.stop();
  await proxy?.stop();
  if (assembly) rmSync(assembly, { recursive: true });
  rmSync(folder, { recursive: true });
});

type Task = { Retry: { ErrorEquals: string[]; MaxAttempts: number; IntervalSeconds: number }[] };
type States = Record<string, { Seconds?: number }> & { SettleStablecoin: Task };

/** Hours of retries in seconds: every retrier of settlement ends after two, and a look follows a second later. */
function hurry({ propertiesOf }: Changeable): void {
  const machine = propertiesOf('MachineOnramp', 'AWS::StepFunctions::StateMachine');
  const definition = JSON.parse(String(machine.DefinitionString)) as { States: States };
  for (const retrier of definition.States.SettleStablecoin.Retry) {
    if (!retrier.ErrorEquals.includes('SettlementFailed')) {
      Object.assign(retrier, { MaxAttempts: 2, IntervalSeconds: 1, BackoffRate: 1 });
    }
  }
  definition.States.LookAgain = { ...definition.States.LookAgain, Seconds: 1 };
  machine.DefinitionString = JSON.stringify(definition);
  propertiesOf('SettleStablecoin', 'AWS::Lambda::Function').Timeout = FUNCTION_SECONDS;
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

/** A paid purchase whose transfer is in the chain, although the service does not know that. */
async function paidAndSent(): Promise<Purchase> {
  const purchase = await paidWith({ dropAnswers: [SEND], nullReceipts: true });
  await eventually(
    () => transfersTo(sandbox.rpcUrl, purchase.walletAddress),
    (transfers) => transfers.length === 1,
    SLOW_MS,
  );
  return purchase;
}

async function paidWith(faults: Partial<FaultProxy['faults']>): Promise<Purchase> {
  const { apiKey, url: baseUrl } = sandbox;
  const client = createOnrampClient({ apiKey, baseUrl, timeoutMs: 120_000 });
  const purchase = await openPix({ partner: { partnerId: 'demo', apiKey, client } });
  proxy.calls.length = 0;
  Object.assign(proxy.faults, faults);
  await client.sandbox.pay(purchase.transactionId);
  await eventually(
    async () => proxy.calls.includes(SEND),
    (isSent) => isSent,
    SLOW_MS,
  );
  return purchase;
}

/** How often settlement ended with the error before the machine paused. */
function failuresBeforeLook(history: HistoryEvent[], error: string): number {
  const look = history.findIndex((event) => event.stateEnteredEventDetails?.name === 'LookAgain');
  const failed = history.slice(0, look).map((event) => event.lambdaFunctionFailedEventDetails?.error);
  return failed.filter((each) => each === error).length;
}

/** Waits until settlement was paused, and is entered again. */
function untilGivenUp({ transactionId }: Purchase): Promise<HistoryEvent[]> {
  const isGivenUp = (history: HistoryEvent[]) => {
    const states = statesOf(history);
    return states.includes('LookAgain') && states.includes('CheckWalletRisk', states.indexOf('LookAgain'));
  };
  return eventually(() => executionsIn(place()).historyOf(transactionId), isGivenUp, SLOW_MS);
}

async function expectNothingGivenBack({ client, transactionId }: Purchase): Promise<void> {
  const { status, failure, refund } = await client.getTransactionStatus(transactionId);
  const { pix } = (await pspAt(place()).charge(transactionId))!;

  expect({ status, failure, refund }).toEqual({
    status: 'PROCESSING',
    failure: undefined,
    refund: undefined,
  });
  expect(pix?.map(({ devolucoes }) => devolucoes)).toEqual([undefined]);
}

/** Delivered once, announced once, and no step of a refund was ever entered. */
async function expectDeliveredOnce(purchase: Purchase, executions: string[]): Promise<void> {
  const { transactionId, walletAddress } = purchase;
  const { txHash } = await endOf(purchase, ['COMPLETED']);
  const transfers = await transfersTo(sandbox.rpcUrl, walletAddress);
  const { pix } = (await pspAt(place()).charge(transactionId))!;
  const histories = await Promise.all(executions.map((name) => executionsIn(place()).historyOf(name)));

  expect(transfers.map(({ transactionHash }) => transactionHash)).toEqual([txHash]);
  expect(pix?.map(({ devolucoes }) => devolucoes)).toEqual([undefined]);
  expect(histories.flatMap(statesOf)).not.toContain('FailTransaction');
  expect(histories.flatMap(statesOf)).not.toContain('RefundPixPayment');
  const told = { type: 'transaction.completed', data: { transactionId, sequence: 2, txHash } };
  expect(await eventsOf(purchase, 2)).toMatchObject([{ type: 'transaction.processing' }, told]);
}

describe('when the transfer is out and the chain cannot be asked', () => {
  test('SettleStablecoin times out until its retries are used up, and completes in the end', async () => {
    const purchase = await paidAndSent();
    proxy.faults.delayMs = DELAY_MS;

    const history = await untilGivenUp(purchase);

    expect(failuresBeforeLook(history, 'Sandbox.Timedout')).toBeGreaterThanOrEqual(3);
    await expectNothingGivenBack(purchase);
    expect(await transfersTo(sandbox.rpcUrl, purchase.walletAddress)).toHaveLength(1);
    proxy.heal();
    await expectDeliveredOnce(purchase, [purchase.transactionId]);
  });

  test('no function can claim the refund, and a lost execution is replaced until the chain is back', async () => {
    const purchase = await paidAndSent();
    const { transactionId } = purchase;
    proxy.faults.down = true;
    const history = await untilGivenUp(purchase);
    expect(failuresBeforeLook(history, 'NotYetConfirmed')).toBeGreaterThanOrEqual(3);

    const error = { Error: 'SettlementFailed' };
    const claim = await sandbox.cloud.invoke('FailTransaction', { transactionId, error });
    await executionsIn(place()).stop(transactionId);
    const isRunning = (status?: string) => status === 'RUNNING';
    const next = `${transactionId}-r1`;
    await eventually(() => executionsIn(place()).statusOf(next), isRunning, SLOW_MS);

    expect(claim.error).toBe('TransferMayLive');
    await expectNothingGivenBack(purchase);
    proxy.heal();
    await expectDeliveredOnce(purchase, [transactionId, next]);
  });
});

/** The operator's commands. The addresses of the wallets are known from `treasury wallets` of better days. */
function operator() {
  const { outputs, endpoint, region } = sandbox.cloud;
  const file = join(folder, 'outputs.json');
  const local = { endpoint, region, pid: process.pid };
  writeFileSync(file, JSON.stringify({ OnrampSandbox: outputs, local }));
  const run = (script: string, args: string[]) =>
    runCommand([...args, '--yes', '--outputs', file], '', { script: `operations/${script}.ts` });
  return {
    ops: (...args: string[]) => run('ops', [...args, '--reason', 'the region is back']),
    evacuate: (to: string) => run('evacuate', ['--region', 'us-west-2', '--rpc', sandbox.rpcUrl, '--to', to]),
    async listWallets() {
      const { out } = await run('ops', ['treasury', 'wallets']);
      return [...out.matchAll(/^0x\w{40}/gm)].map(([address]) => address);
    },
  };
}

const heldBy = (address: string) =>
  Promise.all(ASSET_NAMES.map((asset) => balanceOf(sandbox.rpcUrl, asset, address)));

// docs/operations.md, "A region that is lost"
test('the treasury leaves a lost region, and a payment that was sent before completes its purchase once', async () => {
  const { ops, evacuate, listWallets } = operator();
  const wallets = await listWallets();
  const purchase = await paidAndSent();
  const held = await Promise.all(wallets.map(heldBy));
  const safe = Wallet.createRandom().address;

  isRegionLost = true;
  const out = expect.stringContaining('All wallets are empty');
  expect(await evacuate(safe)).toMatchObject({ code: 0, out });

  expect((await Promise.all(wallets.map(heldBy))).flat()).toEqual([0n, 0n, 0n, 0n]);
  const sums = ASSET_NAMES.map((_, at) => held.reduce((sum, units) => sum + units[at]!, 0n));
  expect(await heldBy(safe)).toEqual(sums);
  expect(await transfersTo(sandbox.rpcUrl, purchase.walletAddress)).toHaveLength(1);

  isRegionLost = false;
  proxy.heal();
  await expectDeliveredOnce(purchase, [purchase.transactionId]);
  for (const wallet of wallets) await fund(sandbox.rpcUrl, wallet);
  for (const wallet of wallets)
    await eventually(
      () => ops('treasury', 'release', wallet),
      ({ code }) => code === 0,
      SLOW_MS,
    );
});
