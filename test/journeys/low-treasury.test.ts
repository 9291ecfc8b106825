import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KMSClient } from '@aws-sdk/client-kms';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isOnrampError } from '../../client/errors.ts';
import { createOnrampClient, type OnrampClient } from '../../client/onramp-client.ts';
import { makeClient } from '../../functions/adapters/aws/clients/dynamodb.ts';
import { kmsSigner } from '../../functions/adapters/chain/kms-signer.ts';
import { floatStore } from '../../functions/adapters/dynamodb/floats.ts';
import { priceHistoryStore } from '../../functions/adapters/dynamodb/price-histories.ts';
import { ASSET_NAMES, ASSETS, type Asset } from '../../functions/domain/assets.ts';
import type { Float } from '../../functions/domain/treasury/liquidity.ts';
import { localChain } from '../../sandbox/chain/deploy.ts';
import { rpc } from '../../sandbox/chain/rpc.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { controlKeyOf } from '../../sandbox/seed.ts';
import { dice } from '../support/dice.ts';
import { runCommand } from '../support/operations.ts';
import {
  clearMfa,
  endOf,
  newWallet,
  openPix,
  openPurchase,
  refundedEnd,
  SLOW_MS,
} from '../support/purchases.ts';
import { BIOMETRIC_HASH, eventually, randomCpf, totpCode } from '../support/sandbox.ts';

const PLENTY = 1_000_000_000_000n;
/** Below the reserve of a thousand tokens, and enough for the charged purchases. */
const LITTLE = 500_000_000n;

let sandbox: Sandbox;
let wallets: string[];
let floats: ReturnType<typeof floatStore>;
let prices: ReturnType<typeof priceHistoryStore>;
let client: OnrampClient;
const logged: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'low-treasury-'));

beforeAll(async () => {
  // The shared sandbox would refuse the purchases of other tests, too.
  sandbox = await startSandbox({ minuteSeconds: 4, onLog: (...line) => logged.push(JSON.stringify(line)) });
  const { endpoint, region, outputs } = sandbox.cloud;
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  const kms = new KMSClient({ endpoint, region, credentials });
  const keyIds = outputs.SigningKeyIds!.split(',');
  wallets = await Promise.all(keyIds.map((keyId) => kmsSigner(async () => kms, keyId).address()));
  const dynamo = makeClient({ endpoint, region, credentials });
  floats = floatStore(
    dynamo,
    {
      floats: sandbox.cloud.physical('TablesFloats'),
      reservations: sandbox.cloud.physical('TablesReservations'),
    },
    dice,
  );
  prices = priceHistoryStore(dynamo, sandbox.cloud.physical('TablesFloats'));
  // Each refusal must be visible, so that the client library does not wait for its end.
  client = createOnrampClient({
    apiKey: sandbox.apiKey,
    baseUrl: sandbox.url,
    maxRetries: 0,
    timeoutMs: SLOW_MS,
  });
  const local = { endpoint, region, pid: process.pid };
  writeFileSync(join(folder, 'outputs.json'), JSON.stringify({ OnrampSandbox: outputs, local }));
});

afterEach(async () => {
  await hold('USDC', PLENTY);
  await fuel(10n ** 20n);
});

afterAll(async () => {
  await sandbox?.stop();
  rmSync(folder, { recursive: true });
});

/** The balance of each wallet on the chain. A transfer of its own would need a nonce of the treasury's books. */
const hold = (asset: Asset, units: bigint) =>
  Promise.all(
    wallets.map((wallet) =>
      rpc(sandbox.rpcUrl, 'anvil_dealERC20', [wallet, localChain.tokens[asset], hex(units)]),
    ),
  );
const fuel = (wei: bigint) =>
  Promise.all(wallets.map((wallet) => rpc(sandbox.rpcUrl, 'anvil_setBalance', [wallet, hex(wei)])));
const hex = (amount: bigint) => `0x${amount.toString(16)}`;

const ours = () => ({ partner: { partnerId: 'demo', apiKey: sandbox.apiKey, client } });

async function buyer() {
  const { token: kycToken } = await client.submitKyc({ cpf: randomCpf(), biometricHash: BIOMETRIC_HASH });
  const walletAddress = newWallet();
  return (asset: Asset, idempotencyKey?: string) =>
    client
      .initiateTransaction({ kycToken, amountBrl: 250, asset, walletAddress }, { idempotencyKey })
      .then(() => 'OPENED', refusalOf);
}

function refusalOf(error: unknown) {
  if (!isOnrampError(error)) throw error;
  const { code, status, retryAfterSeconds } = error;
  return { code, status, retryAfterSeconds };
}

const REFUSED = { code: 'LIQUIDITY_UNAVAILABLE', status: 503, retryAfterSeconds: 60 };
/** Waits until the schedule has read the treasury. To ask by purchases would use up the rate limit of the key. */
const untilRead = (asset: Asset, isGood: (float: Float) => boolean) =>
  eventually(async () => (await floats.findFloat(asset))!, isGood, SLOW_MS);
const hasPlenty = ({ room, isGasLow }: Float) => !isGasLow && room > LITTLE;

async function exchange(method: 'PUT' | 'POST', path: string, body: object): Promise<void> {
  const { status } = await fetch(`${sandbox.cloud.apis['onramp-simulators']}/control/price${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', 'x-control-key': controlKeyOf(sandbox.cloud) },
    body: JSON.stringify(body),
  });
  expect(status).toBe(200);
}

/** The asks and bids of all markets from now on. */
async function quote(price: string) {
  const offer = [[price, '100000.00000000']];
  for (const { market } of Object.values(ASSETS))
    await exchange('PUT', `/books/${market}`, { bids: offer, asks: offer });
}

const ops = (...args: string[]) =>
  runCommand([...args, '--reason', 'journey', '--yes', '--outputs', join(folder, 'outputs.json')]);

describe('a treasury that is drained', () => {
  // docs/decisions.md, "Quotes and open promises"
  test('opens and charges nothing more until it is refilled, and pays what is charged', async () => {
    const charged = await openPix(ours());
    const opened = await openPurchase(ours());
    const buy = await buyer();

    await hold('USDC', LITTLE);
    await untilRead('USDC', ({ room }) => room < 0n);
    expect(await buy('USDC', 'one key')).toEqual(REFUSED);
    expect(await buy('USDT')).toBe('OPENED');
    const code = { transactionId: opened.transactionId, totpCode: totpCode(opened.otpauthUri) };
    const confirm = () => client.confirmMfa(code, { idempotencyKey: 'confirm' });
    expect(await confirm().catch(refusalOf)).toEqual(REFUSED);

    await client.sandbox.pay(charged.transactionId);
    await endOf(charged, ['COMPLETED']);

    await hold('USDC', PLENTY);
    await untilRead('USDC', hasPlenty);
    expect(await buy('USDC', 'one key')).toBe('OPENED');
    expect(await confirm()).toMatchObject({ status: 'AWAITING_PIX' });
    // Each reading raises the alarm while the float is low.
    expect(logged.filter((line) => line.includes('treasury is low')).length).toBeGreaterThan(0);
  });

  test('opens nothing without gas', async () => {
    const buy = await buyer();
    await fuel(1n);

    await untilRead('USDT', ({ isGasLow }) => isGasLow);
    expect(await buy('USDT')).toEqual(REFUSED);
  });
});

const NO_PRICE = { ...REFUSED, code: 'PRICE_UNAVAILABLE' };

describe('a region that no exchange serves', () => {
  const ALWAYS = 1_000_000;
  afterEach(() => exchange('POST', '/outage', { calls: 0 }));

  // docs/decisions.md, "A price that may be sold at"
  test('opens and charges nothing, rings, and settles or refunds what is paid', async () => {
    await untilRead('USDC', hasPlenty);
    const [settled, refunded] = [await openPix(ours()), await openPix(ours())];
    const opened = await openPurchase(ours());
    const buy = await buyer();
    const confirm = () =>
      client.confirmMfa(
        { transactionId: opened.transactionId, totpCode: totpCode(opened.otpauthUri) },
        { idempotencyKey: newWallet() },
      );

    await exchange('POST', '/outage', { calls: ALWAYS, status: 451 });

    expect(await buy('USDC', 'no exchange')).toEqual(NO_PRICE);
    expect(await confirm().catch(refusalOf)).toEqual(NO_PRICE);
    await client.sandbox.pay(settled.transactionId);
    await client.sandbox.pay(refunded.transactionId, { payerCpf: randomCpf() });
    await endOf(settled, ['COMPLETED']);
    expect(await refundedEnd(refunded)).toMatchObject({ failure: { reason: 'PAYER_MISMATCH' } });
    await eventually(
      async () =>
        logged.filter((line) => line.includes('an exchange gives no book') && line.includes('HTTP 451')),
      ({ length }) => length > 0,
      SLOW_MS,
    );

    await exchange('POST', '/outage', { calls: 0 });
    expect(await buy('USDC', 'no exchange')).toBe('OPENED');
  });
});

describe('an exchange with a false price', () => {
  /** The assets for which the log lines from number `from` on raise the alarm. */
  const rungFor = (from: number) => {
    const lines = logged.slice(from).filter((line) => line.includes('no price to sell at'));
    return ASSET_NAMES.filter((asset) => lines.some((line) => line.includes(asset)));
  };
  afterEach(async () => {
    await quote('5.43000000');
    for (const asset of ASSET_NAMES) {
      await prices.forget(asset);
      await eventually(
        () => prices.findHistory(asset),
        ({ spans }) => spans.length > 0,
        SLOW_MS,
      );
    }
  });

  // docs/decisions.md, "A price that may be sold at"
  test('opens and charges nothing more until it is right, and rings for each asset', async () => {
    await untilRead('USDC', hasPlenty);
    const opened = await openPurchase(ours());
    const buy = await buyer();
    const code = { transactionId: opened.transactionId, totpCode: totpCode(opened.otpauthUri) };
    const confirm = () => client.confirmMfa(code, { idempotencyKey: 'at a false price' });

    const from = logged.length;
    await quote('2.60000000');
    expect(await buy('USDC', 'false price')).toEqual(NO_PRICE);
    expect(await confirm().catch(refusalOf)).toEqual(NO_PRICE);
    await eventually(
      async () => rungFor(from),
      ({ length }) => length >= ASSET_NAMES.length,
      SLOW_MS,
    );

    await quote('5.43000000');
    expect(await buy('USDC', 'false price')).toBe('OPENED');
    expect(await confirm()).toMatchObject({ status: 'AWAITING_PIX' });
  });

  test('is distinguished by an operator from a market that has moved, and the next reading follows it', async () => {
    await untilRead('USDT', hasPlenty);
    const buy = await buyer();
    await quote('5.80000000');
    expect(await buy('USDT')).toEqual(NO_PRICE);

    for (const asset of ASSET_NAMES) {
      const repriced = await ops('treasury', 'reprice', '--asset', asset);
      expect(repriced).toMatchObject({ code: 0, out: expect.stringContaining(`${asset} is sold again`) });
    }

    expect(
      await eventually(
        () => buy('USDT'),
        (answer) => answer === 'OPENED',
        SLOW_MS,
      ),
    ).toBe('OPENED');
    const shown = await runCommand(['treasury', 'show', '--outputs', join(folder, 'outputs.json')]);
    expect(shown.out).toMatch(/^USDT +OK .* accepted 5\.80000000 to 5\.80000000/m);
  });
});

describe('an operator', () => {
  test('pauses one asset at once, and resumes it', async () => {
    const buy = await buyer();
    await untilRead('USDC', hasPlenty);
    expect(await buy('USDC')).toBe('OPENED');
    const opened = await openPurchase(ours());

    const paused = await ops('treasury', 'pause', '--asset', 'USDC');
    expect(paused).toMatchObject({ code: 0, out: 'USDC is paused.\n' });
    expect(await buy('USDC')).toEqual(REFUSED);
    expect(await clearMfa(opened).catch(refusalOf)).toEqual(REFUSED);
    expect((await ops('treasury', 'pause', '--asset', 'USDC')).code).toBe(1);
    const shown = await runCommand(['treasury', 'show', '--outputs', join(folder, 'outputs.json')]);
    expect(shown.out).toMatch(/^USDT +OK .*\nUSDC +NOT SOLD .* paused by ana@onramp.example: journey$/m);

    expect(await ops('treasury', 'resume', '--asset', 'USDC')).toMatchObject({ code: 0 });
    expect(await buy('USDC')).toBe('OPENED');
    expect((await ops('treasury', 'resume', '--asset', 'USDC')).code).toBe(1);
    expect((await ops('treasury', 'pause', '--asset', 'DAI')).code).toBe(2);
  });
});
