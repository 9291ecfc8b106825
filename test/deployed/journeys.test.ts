/** One journey of each kind on the chain of a deployed sandbox, and the command that makes such a sandbox ready. */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAddress } from 'ethers/address';
import { describe, expect, test } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { balanceOf, ORACLE_LISTED_WALLET } from '../../sandbox/chain/deploy.ts';
import {
  clearMfa,
  endOf,
  newWallet,
  openPix,
  openPurchase,
  refundedEnd,
  transfersTo,
} from '../support/purchases.ts';
import { BIOMETRIC_HASH, newPartner, randomCpf, rowOf, sandbox } from '../support/sandbox.ts';

const HIGH = '111.444.777-35';
const PAID_BY_ANOTHER = '900.000.007-60';
const REVERTS_THREE_TIMES = '900.000.008-41';
/** Each try waits for blocks of two seconds, on a machine that may be busy. */
const TRIES_MS = 480_000;

describe.concurrent('a sandbox with its own chain', () => {
  test('sells to a client of tier HIGH after liveness', async () => {
    const { client } = await newPartner();
    const { token: kycToken, riskTier } = await client.submitKyc({
      cpf: HIGH,
      biometricHash: BIOMETRIC_HASH,
    });
    const walletAddress = newWallet();
    const wish = { kycToken, amountBrl: 250, asset: 'USDT', walletAddress } as const;
    const { transactionId } = await client.initiateTransaction(wish);

    await client.sandbox.liveness(transactionId, { outcome: 'PASSED' });
    await client.waitForStatus(transactionId, ['AWAITING_PIX'], { intervalMs: 500 });
    await client.sandbox.pay(transactionId);
    const { assetAmount } = await client.waitForStatus(transactionId, ['COMPLETED'], { intervalMs: 500 });

    expect(riskTier).toBe('HIGH');
    const units = BigInt(assetAmount.replace('.', ''));
    expect(await balanceOf(sandbox().rpcUrl, 'USDT', walletAddress)).toBe(units);
  });

  test('sends a transfer again that reverts, until its third retry succeeds, once', async () => {
    const purchase = await openPix({ cpf: REVERTS_THREE_TIMES });
    const { note } = await purchase.client.sandbox.pay(purchase.transactionId);

    expect(note).toBeUndefined();
    const { txHash } = await endOf(purchase, ['COMPLETED'], TRIES_MS);
    const transfers = await transfersTo(sandbox().rpcUrl, purchase.walletAddress);
    expect(transfers.map(({ transactionHash }) => transactionHash)).toEqual([txHash]);
    expect(await rowOf('TablesSettlements', `PAY#${purchase.transactionId}`)).toMatchObject({
      tries: ['REVERTED', 'REVERTED', 'REVERTED'],
    });
  });

  // docs/decisions.md, "The sandbox's endpoints and keys"
  test('refunds a purchase whose transfer its partner lets revert', async () => {
    const purchase = await openPix();
    const { client, transactionId } = purchase;

    await client.sandbox.trigger('SETTLEMENT_REVERTS', { transactionId });
    const { note } = await client.sandbox.pay(transactionId);

    expect(note).toBeUndefined();
    await endOf(purchase, ['FAILED'], TRIES_MS);
    expect(await refundedEnd(purchase)).toMatchObject({ failure: { reason: 'SETTLEMENT_FAILED' } });
    expect(await transfersTo(sandbox().rpcUrl, purchase.walletAddress)).toEqual([]);
  });

  test('refunds a payment by somebody else, and sends nothing', async () => {
    const purchase = await openPurchase({ cpf: PAID_BY_ANOTHER });
    await clearMfa(purchase);
    await purchase.client.sandbox.pay(purchase.transactionId);

    expect(await refundedEnd(purchase)).toMatchObject({ failure: { reason: 'PAYER_MISMATCH' } });
    expect(await transfersTo(sandbox().rpcUrl, purchase.walletAddress)).toEqual([]);
  });

  test('refuses a wallet that its oracle lists', async () => {
    const wanted = openPurchase({ walletAddress: getAddress(ORACLE_LISTED_WALLET) });

    await expect(wanted).rejects.toMatchObject({ code: 'WALLET_RISK_TOO_HIGH' });
  });
});

describe('npm run seed', () => {
  /** Runs the command as operators do, with the outputs of the deployment. */
  async function runSeed(outputs: object | undefined) {
    const file = join(mkdtempSync(join(tmpdir(), 'seed-')), 'outputs.json');
    const { awsEndpoint: endpoint, region } = sandbox();
    writeFileSync(file, JSON.stringify({ OnrampSandbox: outputs, local: { endpoint, region, pid: 1 } }));
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, AWS_REGION: 'eu-nowhere-1' };
    const child = spawn(process.execPath, ['sandbox/seed-stack.ts', '--outputs', file], { env });
    const ran = { out: '', err: '' };
    child.stdout.on('data', (chunk) => void Object.assign(ran, { out: ran.out + chunk }));
    child.stderr.on('data', (chunk) => void Object.assign(ran, { err: ran.err + chunk }));
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    return { ...ran, code };
  }

  test('makes a demo partner with a new key, which can buy', async () => {
    const { out, err, code } = await runSeed(sandbox().outputs);
    expect({ err, code }).toEqual({ err: '', code: 0 });
    const [, url, apiKey = ''] = /^ready (\S+) key (sk_sandbox_demo_key1_[0-9a-f]{48})$/m.exec(out) ?? [];

    expect(url).toBe(sandbox().outputs?.ApiUrl);
    const client = createOnrampClient({ apiKey, baseUrl: sandbox().url, timeoutMs: 120_000 });
    const purchase = await openPurchase({ partner: { partnerId: 'demo', apiKey, client }, cpf: randomCpf() });
    await clearMfa(purchase);
    await client.sandbox.pay(purchase.transactionId);
    const { txHash } = await endOf(purchase, ['COMPLETED']);
    const transfers = await transfersTo(sandbox().rpcUrl, purchase.walletAddress);
    expect(transfers.map(({ transactionHash }) => transactionHash)).toEqual([txHash]);
  });

  test('refuses another stage', async () => {
    const { err, code } = await runSeed({ ...sandbox().outputs, Stage: 'production' });

    expect({ err, code }).toEqual({
      err: 'OnrampSandbox is of the stage production, not a sandbox.\n',
      code: 2,
    });
  });
});
