import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../support/operations.ts';
import { clearMfa, endOf, eventsOf, openPurchase, type Purchase } from '../support/purchases.ts';
import { rowOf } from '../support/sandbox.ts';

const { ops } = operations();
const folder = mkdtempSync(join(tmpdir(), 'exports-'));
afterAll(() => rmSync(folder, { recursive: true }));

const WHY = ['--reason', 'journey', '--yes'];
type Row = Record<string, unknown>;
type Told = { header: { missing: string[]; subject: Row } } & Record<string, Row[]>;
const kindsOf = (rows: Row[] = []) => rows.map(({ kind, decidedBy }) => `${kind} by ${decidedBy}`);

describe('a client who has bought', () => {
  let purchase: Purchase;
  let clientId: string;
  beforeAll(async () => {
    purchase = await openPurchase();
    await clearMfa(purchase);
    await purchase.client.sandbox.pay(purchase.transactionId);
    await endOf(purchase, ['COMPLETED']);
    await eventsOf(purchase, 2);
    clientId = String((await rowOf('TablesTransactions', purchase.transactionId))!.clientId);
  });

  /** Texts that a stranger must not read in a bundle: decrypted fields of the rows, and the client's identity. */
  async function secretsOf({ kycToken, cpf }: Purchase): Promise<string[]> {
    const rows = [await rowOf('TablesClients', clientId), await rowOf('TablesKycRecords', kycToken)];
    const ciphers = rows.flatMap((row) => Object.entries(row!)).filter(([name]) => name.endsWith('Cipher'));
    return [cpf, ...ciphers.map(([, cipher]) => String(cipher))];
  }

  test('has every decision, the execution’s history and the payment in the bundle of the purchase', async () => {
    const { transactionId, kycToken, partnerId } = purchase;

    const { code, out } = await ops([
      ...['evidence', 'export', '--transaction', transactionId, '--partner', partnerId],
      ...WHY,
    ]);

    expect(code).toBe(0);
    const bundle = JSON.parse(out) as Told;
    expect(bundle.header).toMatchObject({
      by: 'ana@onramp.example',
      reason: 'journey',
      stage: 'sandbox',
      personal: false,
      subject: { transactionId, clientId },
    });
    expect(kindsOf(bundle.evidence)).toEqual([
      'kyc by SubmitKyc',
      'wallet by InitiateTransaction',
      'wallet by CheckWalletRisk',
      'payment by ConfirmPixPayment',
    ]);
    expect(bundle).toMatchObject({
      clients: [{ id: clientId, wallets: [purchase.walletAddress] }],
      kycRecords: [{ token: `kyc_…${kycToken.slice(-6)}`, status: 'APPROVED' }],
      transactions: [{ id: transactionId, status: 'COMPLETED' }],
      settlements: [{ id: `PAY#${transactionId}`, state: expect.stringMatching(/^(CONFIRMED|FINAL)$/) }],
      events: [{ type: 'transaction.processing' }, { type: 'transaction.completed' }],
      deliveries: [{ status: 'DELIVERED' }, { status: 'DELIVERED' }],
      executions: [{ name: transactionId, status: 'SUCCEEDED' }],
    });
    const [execution] = bundle.executions as [{ events: { type: string }[] }];
    expect(execution.events.map(({ type }) => type)).toContain('ExecutionSucceeded');
    const hints = (bundle.callbacks ?? []).flatMap((callback) => callback.hints as Row[]);
    expect(hints).toContainEqual(expect.objectContaining({ txid: transactionId }));
    expect(bundle.lists?.length).toBeGreaterThan(0);
    for (const secret of await secretsOf(purchase)) expect(out).not.toContain(secret);
    expect(out).not.toContain(kycToken);
    expect(out).not.toContain('taskToken');
  });

  test('has the exports before in the bundle of a CPF, and the name in clear text only on request', async () => {
    const { partnerId, cpf, transactionId } = purchase;
    const out = join(folder, 'client.json');
    const ofClient = ['evidence', 'export', '--partner', partnerId, ...WHY];

    const closed = await ops(ofClient, `${cpf}\n`);
    const opened = await ops([...ofClient, '--personal', '--out', out], `${cpf}\n`);

    expect([closed.code, opened.code]).toEqual([0, 0]);
    expect(closed.out + closed.err + opened.out + opened.err).not.toContain(cpf);
    const bundle = JSON.parse(readFileSync(out, 'utf8')) as Told;
    expect(bundle.transactions).toMatchObject([{ id: transactionId }]);
    expect(bundle.clients).toMatchObject([{ cpf }]);
    expect(bundle.kycRecords).toMatchObject([{ identity: { name: expect.any(String) } }]);
    const [{ identity }] = bundle.kycRecords as [{ identity: { name: string } }];
    expect(closed.out).not.toContain(identity.name);
    expect(kindsOf(bundle.evidence)).toContain('operation by ana@onramp.example');
    const [, ...ciphers] = await secretsOf(purchase);
    for (const cipher of ciphers) expect(readFileSync(out, 'utf8')).not.toContain(cipher);
  });

  test('is not exported without a reason or a confirmation', async () => {
    const { transactionId } = purchase;
    const bare = ['evidence', 'export', '--transaction', transactionId];

    expect(await ops([...bare, '--yes'])).toMatchObject({ code: 2, out: '' });
    expect(await ops([...bare, '--reason', 'none'], 'no\n')).toMatchObject({ code: 1, out: '' });
    expect(await ops([...bare.slice(0, 3), 'UNKNOWN', ...WHY])).toMatchObject({ code: 1, out: '' });
  });
});
