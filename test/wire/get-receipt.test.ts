import { describe, expect, test } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { call, expectRefusal, moveRow, openPurchase } from '../support/partner-api.ts';
import { newPartner, sandbox } from '../support/sandbox.ts';

const pathOf = (id: string) => `/v1/laas/transactions/${id}/receipt`;
const txHash = `0x${'ab'.repeat(32)}`;

const clientOf = (apiKey: string) => createOnrampClient({ apiKey, baseUrl: sandbox().url });

async function completed() {
  const purchase = await openPurchase();
  await moveRow(purchase.id, 'COMPLETED', { txHash, history: [{ status: 'COMPLETED', at: Date.now() }] });
  return purchase;
}

// docs/decisions.md, "Receipts and reports"
describe('GET /v1/laas/transactions/{id}/receipt', () => {
  test('is JSON, or through the gateway a PDF byte for byte', async () => {
    const { apiKey, id } = await completed();

    const json = await call('GET', pathOf(id), { apiKey, headers: { accept: 'application/json' } });
    const pdf = await fetch(`${sandbox().url}${pathOf(id)}`, {
      headers: { 'X-Service-API-Key': apiKey, accept: 'application/pdf' },
    });

    expect(json.data).toMatchObject({
      transactionId: id,
      payment: { endToEndId: 'E1' },
      delivery: { txHash },
    });
    expect(pdf.status).toBe(200);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(pdf.headers.get('ratelimit-limit')).toBe('100');
    const bytes = new Uint8Array(await pdf.arrayBuffer());
    expect(Buffer.from(bytes.subarray(0, 5)).toString('latin1')).toBe('%PDF-');
    expect(Buffer.from(bytes.subarray(-6)).toString('latin1')).toContain('%%EOF');
    expect(await clientOf(apiKey).transactions.receiptPdf(id)).toHaveLength(bytes.length);
  });

  test('is refused in the envelope before the purchase ends, even if a PDF is asked for', async () => {
    const { apiKey, id } = await openPurchase();

    const answer = await call('GET', pathOf(id), { apiKey, headers: { accept: 'application/pdf' } });

    expectRefusal(answer, 'RECEIPT_NOT_AVAILABLE', { status: 'AWAITING_MFA' });
    const error = await clientOf(apiKey)
      .transactions.receiptPdf(id)
      .catch((each) => each);
    expect(error).toMatchObject({ code: 'RECEIPT_NOT_AVAILABLE', details: { status: 'AWAITING_MFA' } });
  });

  test('is not found for the purchase of another partner', async () => {
    const { id } = await completed();
    const { apiKey } = await newPartner();

    expectRefusal(await call('GET', pathOf(id), { apiKey }), 'TRANSACTION_NOT_FOUND', {});
  });
});
