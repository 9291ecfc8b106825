import { describe, expect, test } from 'vitest';
import { call, expectRefusal, moveRow, openPurchase } from '../support/partner-api.ts';
import { newPartner, sandbox } from '../support/sandbox.ts';

const pathOf = (id: string) => `/v1/laas/transactions/${id}/receipt`;
const txHash = `0x${'ab'.repeat(32)}`;

async function completed() {
  const purchase = await openPurchase();
  await moveRow(purchase.id, 'COMPLETED', { txHash, history: [{ status: 'COMPLETED', at: Date.now() }] });
  return purchase;
}

// docs/decisions.md, "The receipt"
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
    const bytes = Buffer.from(await pdf.arrayBuffer());
    expect(bytes.subarray(0, 5).toString('latin1')).toBe('%PDF-');
    expect(bytes.subarray(-6).toString('latin1')).toContain('%%EOF');
  });

  test('is refused in the envelope before the end, also to who asks for a PDF', async () => {
    const { apiKey, id } = await openPurchase();

    const answer = await call('GET', pathOf(id), { apiKey, headers: { accept: 'application/pdf' } });

    expectRefusal(answer, 'RECEIPT_NOT_AVAILABLE', { status: 'AWAITING_MFA' });
  });

  test('knows no purchase of another partner', async () => {
    const { id } = await completed();
    const { apiKey } = await newPartner();

    expectRefusal(await call('GET', pathOf(id), { apiKey }), 'TRANSACTION_NOT_FOUND', {});
  });
});
