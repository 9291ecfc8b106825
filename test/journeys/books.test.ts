import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOnrampClient, type OnrampClient } from '../../client/onramp-client.ts';
import { makeClient } from '../../functions/adapters/aws/clients/dynamodb.ts';
import { encodeTransfer } from '../../functions/adapters/chain/erc20.ts';
import type { Asset } from '../../functions/domain/assets.ts';
import { decimalOf, GAS_DECIMALS } from '../../functions/domain/money.ts';
import { receivedId } from '../../functions/domain/purchase/postings.ts';
import { balanceOf, localChain } from '../../sandbox/chain/deploy.ts';
import { rpc } from '../../sandbox/chain/rpc.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { controlKeyOf } from '../../sandbox/seed.ts';
import { runCommand } from '../support/operations.ts';
import { pspAt } from '../support/psp.ts';
import { newWallet, transfersTo } from '../support/purchases.ts';
import { BIOMETRIC_HASH, eventually, randomCpf, totpCode } from '../support/sandbox.ts';

const LONG_MS = 360_000;
const WHY = ['--reason', 'contested at the bank', '--yes'];

let sandbox: Sandbox;
let client: OnrampClient;
let begun: number;
const folder = mkdtempSync(join(tmpdir(), 'books-'));

beforeAll(async () => {
  begun = Date.now();
  // Four commands and a code must fit into the windows of a purchase on a busy machine.
  sandbox = await startSandbox({ minuteSeconds: 4 });
  client = createOnrampClient({ apiKey: sandbox.apiKey, baseUrl: sandbox.url, timeoutMs: LONG_MS });
  const local = { endpoint: sandbox.cloud.endpoint, region: sandbox.cloud.region, pid: process.pid };
  const outputs = JSON.stringify({ OnrampSandbox: sandbox.cloud.outputs, local });
  writeFileSync(join(folder, 'outputs.json'), outputs);
});
afterAll(async () => {
  await sandbox?.stop();
  rmSync(folder, { recursive: true });
});

const ops = (...args: string[]) => runCommand([...args, '--outputs', join(folder, 'outputs.json')]);
const psp = () =>
  pspAt({
    simulatorsUrl: sandbox.cloud.apis['onramp-simulators']!,
    controlKey: controlKeyOf(sandbox.cloud),
  });

/** Compares everything since the sandbox began, at an operator's request. */
async function reconcile() {
  const range = { from: new Date(begun).toISOString(), to: new Date().toISOString() };
  const { error, payload } = await sandbox.cloud.invoke('ReconcileBooks', range);
  expect(error, JSON.stringify(payload)).toBeUndefined();
  return payload as { payments: number; repaired: number; opened: number; failed: number };
}

const openCases = async () =>
  JSON.parse((await ops('cases', 'list', '--json')).out) as Record<string, string>[];

async function aboutToPay() {
  const { token: kycToken } = await client.submitKyc({ cpf: randomCpf(), biometricHash: BIOMETRIC_HASH });
  const walletAddress = newWallet();
  const request = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress } as const;
  const { transactionId, authChallenge } = await client.initiateTransaction(request);
  await client.confirmMfa({ transactionId, totpCode: totpCode(authChallenge.enrollment!.otpauthUri) });
  return { transactionId, request };
}

const endOf = (transactionId: string, status: 'COMPLETED' | 'FAILED') =>
  client.waitForStatus(transactionId, [status], { intervalMs: 300, timeoutMs: LONG_MS });

async function completed() {
  const purchase = await aboutToPay();
  await client.sandbox.pay(purchase.transactionId);
  await endOf(purchase.transactionId, 'COMPLETED');
  const { pix } = (await psp().charge(purchase.transactionId))!;
  return { ...purchase, endToEndId: pix![0]!.endToEndId };
}

const refunded = (transactionId: string) =>
  eventually(
    () => client.getTransactionStatus(transactionId),
    ({ refund }) => refund?.status === 'REFUNDED',
    LONG_MS,
  );

describe('the books of a whole sandbox', () => {
  // docs/decisions.md, "The books"
  test('have the coins and tokens of its wallets as the chain has them', async () => {
    const { out } = await ops('treasury', 'wallets', '--json');
    const wallets = (JSON.parse(out) as { wallet: string }[]).map(({ wallet }) => wallet);
    const totalOf = async (read: (wallet: string) => Promise<bigint>) =>
      (await Promise.all(wallets.map(read))).reduce((sum, each) => sum + each, 0n);
    const tokens = (asset: Asset) => totalOf((wallet) => balanceOf(sandbox.rpcUrl, asset, wallet));
    const coins = totalOf(async (wallet) =>
      BigInt(await rpc<string>(sandbox.rpcUrl, 'eth_getBalance', [wallet, 'latest'])),
    );
    const wanted = {
      'treasury:NATIVE': decimalOf(await coins, GAS_DECIMALS),
      'treasury:USDC': decimalOf(await tokens('USDC'), 6),
      'treasury:USDT': decimalOf(await tokens('USDT'), 6),
    };

    const booked = await eventually(
      async () => {
        // A reading of the coins is counted by the next run.
        await sandbox.cloud.invoke('ReconcileBooks', {});
        const rows = JSON.parse((await ops('books', '--json')).out) as Record<string, string>[];
        return Object.fromEntries(rows.map(({ account, closing }) => [account, closing]));
      },
      (rows) => Object.keys(wanted).every((account) => account in rows),
      LONG_MS,
    );

    expect(wallets.length).toBeGreaterThan(0);
    expect(booked).toMatchObject(wanted);
  });

  test('agree if every purchase has ended correctly, whatever its end', async () => {
    await completed();
    const failing = await aboutToPay();
    await client.sandbox.pay(failing.transactionId, { payerCpf: randomCpf(), times: 2 });
    await refunded(failing.transactionId);

    expect(await reconcile()).toMatchObject({ payments: 3, opened: 0, failed: 0 });
    expect(await openCases()).toEqual([]);
  });

  // docs/decisions.md, "MED refunds and fraud"
  test('show a payment that the bank took back: case, evidence, and a block until a person lifts it', async () => {
    const { transactionId, endToEndId, request } = await completed();
    const returnId = await psp().takeBack(endToEndId);

    expect(await reconcile()).toMatchObject({ opened: 1 });
    expect(await reconcile()).toMatchObject({ opened: 0 });

    const id = `MED_REFUND#${endToEndId}#${returnId}`;
    const [listed, ...others] = await openCases();
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ case: id, amount: 'R$250.00', purchase: transactionId, partner: 'demo' });
    expect(listed!.decision).toMatch(/^until 20/);
    await expect(client.initiateTransaction(request)).rejects.toMatchObject({ code: 'CLIENT_BLOCKED' });

    const out = join(folder, 'med');
    expect(await ops('cases', 'export', id, '--out', out, ...WHY)).toMatchObject({ code: 0 });
    const bundle = JSON.parse(readFileSync(join(out, 'evidence.json'), 'utf8'));
    const kinds = bundle.evidence.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['kyc', 'wallet', 'payment']));
    expect(bundle.transactions).toMatchObject([{ id: transactionId, txHash: expect.any(String) }]);
    expect(bundle.events.length).toBeGreaterThan(1);
    expect(JSON.parse(readFileSync(join(out, 'case.json'), 'utf8'))).toMatchObject({ id, status: 'OPEN' });
    expect(statSync(join(out, 'evidence.json')).mode & 0o077).toBe(0);
    expect(await ops('cases', 'export', id, '--out', out, ...WHY)).toMatchObject({ code: 1 });

    expect(await ops('cases', 'close', id, '--outcome', 'LOST', ...WHY)).toMatchObject({ code: 0 });
    expect(await openCases()).toEqual([]);
    await expect(client.initiateTransaction(request)).rejects.toMatchObject({ code: 'CLIENT_BLOCKED' });
    expect(await ops('clients', 'unblock', id, ...WHY)).toMatchObject({ code: 0 });
    expect(await client.initiateTransaction(request)).toMatchObject({ status: 'PENDING_AUTH' });
    expect(await reconcile()).toMatchObject({ opened: 0 });
  });

  test('show money that the bank took back before the transfer: nothing is sent, the rest is returned', async () => {
    const { transactionId, request } = await aboutToPay();
    await psp().pay(transactionId, { callback: false });
    const { endToEndId } = (await psp().charge(transactionId))!.pix![0]!;
    const returnId = await psp().takeBack(endToEndId, { amountBrl: '100.00' });

    // A schedule may find the payment first, so nothing is expected of `repaired`.
    expect(await reconcile()).toMatchObject({ opened: 0 });

    const { failure, refund } = await refunded(transactionId);
    expect(failure).toEqual({ reason: 'PAYMENT_TAKEN_BACK' });
    expect(refund).toMatchObject({ amountBrl: 150, endToEndId });
    expect(await transfersTo(sandbox.rpcUrl, request.walletAddress)).toEqual([]);
    const id = `MED_REFUND#${endToEndId}#${returnId}`;
    expect((await openCases()).map((found) => found.case)).toEqual([id]);
    expect(await reconcile()).toMatchObject({ opened: 0 });
    await expect(client.initiateTransaction(request)).rejects.toMatchObject({ code: 'CLIENT_BLOCKED' });
    expect(await ops('cases', 'close', id, '--outcome', 'EXPLAINED', ...WHY)).toMatchObject({ code: 0 });
  });

  test('are repaired if that is provable, and list the rest', async () => {
    const forgotten = await aboutToPay();
    await psp().pay(forgotten.transactionId, { callback: false });
    expect(await reconcile()).toMatchObject({ opened: 0 });
    await endOf(forgotten.transactionId, 'COMPLETED');

    const { endToEndId } = (await psp().charge(forgotten.transactionId))!.pix![0]!;
    const altered = receivedId(endToEndId);
    const { endpoint, region, outputs } = sandbox.cloud;
    const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
    await makeClient({ endpoint, region, credentials }).send(
      new UpdateCommand({
        TableName: outputs.LedgerTable,
        Key: { id: altered },
        UpdateExpression: 'SET entries[0].amount = :less',
        ExpressionAttributeValues: { ':less': 1 },
      }),
    );
    const { walletAddress } = forgotten.request;
    const [sent] = await transfersTo(sandbox.rpcUrl, walletAddress);
    const thief = await stealFrom(String((await senderOf(sent!.transactionHash)).from));

    // The comparison judges a block of the chain once the block is final.
    const named = await eventually(
      async () => {
        await reconcile();
        return (await openCases()).map((found) => found.case).sort();
      },
      ({ length }) => length >= 2,
      LONG_MS,
    );
    expect(named).toEqual([
      `POSTING_ALTERED#${altered}`,
      expect.stringContaining(`TRANSFER_UNKNOWN#${thief}`),
    ]);
  });
});

const senderOf = (hash: string) => rpc<{ from: string }>(sandbox.rpcUrl, 'eth_getTransactionByHash', [hash]);

/** Sends a transfer that no settlement knows, as a stranger who has the key would. */
async function stealFrom(wallet: string): Promise<string> {
  const node = <T>(method: string, params: unknown[]) => rpc<T>(sandbox.rpcUrl, method, params);
  await node('anvil_impersonateAccount', [wallet]);
  const data = encodeTransfer(newWallet(), 1_000_000n);
  const hash = await node<string>('eth_sendTransaction', [
    { from: wallet, to: localChain.tokens.USDC, data },
  ]);
  await eventually(
    () => node<object | null>('eth_getTransactionReceipt', [hash]),
    (receipt) => receipt !== null,
    LONG_MS,
  );
  return hash;
}
