import { describe, expect, test } from 'vitest';
import { operations } from '../support/operations.ts';
import { pspDownFor, registryDownFor, vendorSays } from '../support/provider-faults.ts';
import { pspAt } from '../support/psp.ts';
import { endOf, openPix, type Purchase, SLOW_MS } from '../support/purchases.ts';
import { startReceiver } from '../support/receiver.ts';
import { BIOMETRIC_HASH, eventually, newPartner, randomCpf, sandbox } from '../support/sandbox.ts';

const { ops } = operations();

/** The first five lines, once they name the cause. */
async function headWith(cause: string, id: string): Promise<string> {
  const head = async () => (await ops(['tx', 'show', id])).out.split('\n').slice(0, 5).join('\n');
  return eventually(head, (text) => text.includes(cause), SLOW_MS);
}

async function paidWhileVendorIsDown(): Promise<Purchase> {
  const purchase = await openPix();
  await vendorSays(purchase.walletAddress, { status: 503 });
  expect(await pspAt(sandbox()).pay(purchase.transactionId)).toBe(200);
  return purchase;
}

// docs/decisions.md, "Facts that partners learn"
describe('tx show', () => {
  test('names the screening vendor while it is cut, and nothing is wrong afterwards', async () => {
    const purchase = await paidWhileVendorIsDown();

    const head = await headWith('the wallet screening provider is unavailable', purchase.transactionId);

    expect(head).toMatch(/^state +PROCESSING since /m);
    expect(head).toMatch(/^next +.* (at the latest|due since) /m);
    expect(head).not.toContain(purchase.cpf);
    await vendorSays(purchase.walletAddress, {});
    await endOf(purchase, ['COMPLETED']);
    const { out } = await ops(['tx', 'show', purchase.transactionId]);
    expect(out).toContain('COMPLETED');
    expect(out).toMatch(/CheckWalletRisk failed until .*, \d+ (try|tries): the wallet screening provider/);
  });

  test('names the payment provider while it is cut', async () => {
    const purchase = await paidWhileVendorIsDown();
    await headWith('the wallet screening provider is unavailable', purchase.transactionId);
    await pspDownFor(purchase.transactionId);
    await vendorSays(purchase.walletAddress, {});

    const head = await headWith('ConfirmPixPayment: the Pix provider is unavailable', purchase.transactionId);

    expect(head).toMatch(/^state +PROCESSING since /m);
  });

  test('names the CPF registry while it is cut, for a client who cannot buy yet', async () => {
    const cpf = randomCpf();
    await registryDownFor(cpf);
    const { client } = await newPartner();
    const { token } = await client.submitKyc({ cpf, biometricHash: BIOMETRIC_HASH });

    const { out } = await ops(['tx', 'show', token]);

    expect(out).toMatch(/^state +PENDING/m);
    expect(out).toMatch(/^cause +no answer of the CPF registry/m);
    expect(out).not.toContain(cpf);
  });

  test('names the partner’s receiver that refuses its webhooks', async () => {
    const receiver = await startReceiver({ status: 500 });
    const partner = await newPartner();
    await ops(['endpoints', 'add', partner.partnerId, '--url', receiver.url, '--yes']);
    const purchase = await openPix({ partner });
    expect(await pspAt(sandbox()).pay(purchase.transactionId)).toBe(200);
    await endOf(purchase, ['COMPLETED']);

    const head = await headWith('does not reach the endpoint', purchase.transactionId);

    expect(head).toMatch(/^state +COMPLETED since /m);
    expect(head).toContain('HTTP 500');
  });
});
