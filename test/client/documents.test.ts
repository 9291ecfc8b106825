import { describe, expect, it } from 'vitest';
import { metaOf } from '../../client/onramp-client.ts';
import { breakOff, clientOf, ok, raw, refusal, rejection, startStub } from './stub-server.ts';

const PDF = { 'content-type': 'application/pdf' };
/** Not UTF-8, as the compressed parts of a PDF. */
const BYTES = Uint8Array.from([0x25, 0x50, 0x44, 0x46, 0xff, 0x00, 0x80]);

// docs/decisions.md, "Receipts and reports"
describe('the receipt as a PDF', () => {
  it('is asked for by its type, and returned byte for byte with the facts of its answer', async () => {
    const stub = await startStub(raw(200, BYTES, { ...PDF, 'x-request-id': 'r-1' }));

    const pdf = await clientOf(stub.url).client.transactions.receiptPdf('T/1');

    expect(pdf).toEqual(BYTES);
    expect(metaOf(pdf)).toMatchObject({ status: 200, requestId: 'r-1' });
    expect(stub.seen).toMatchObject([
      {
        method: 'GET',
        path: '/v1/laas/transactions/T%2F1/receipt',
        headers: { accept: 'application/pdf' },
      },
    ]);
  });

  it('may have a parameter at its type', async () => {
    const stub = await startStub(raw(200, BYTES, { 'content-type': 'application/pdf; version=1.7' }));

    expect(await clientOf(stub.url).client.transactions.receiptPdf('T1')).toEqual(BYTES);
  });

  it('is refused with the code and the details of the envelope', async () => {
    const details = { status: 'AWAITING_PIX' };
    const stub = await startStub(refusal(409, 'RECEIPT_NOT_AVAILABLE', { details }));

    const error = await rejection(clientOf(stub.url).client.transactions.receiptPdf('T1'));

    expect(error).toMatchObject({
      name: 'ConflictError',
      code: 'RECEIPT_NOT_AVAILABLE',
      status: 409,
      details,
    });
  });

  it('is read again when its answer breaks off', async () => {
    const stub = await startStub(breakOff, raw(200, BYTES, PDF));

    expect(await clientOf(stub.url).client.transactions.receiptPdf('T1')).toEqual(BYTES);
  });

  it.each([
    ['the receipt as JSON', ok({ transactionId: 'T1' })],
    ['a page', raw(200, '<html>Sign in to the hotel WLAN</html>', { 'content-type': 'text/html' })],
    ['an answer without a type', raw(204, '')],
  ])('is UNEXPECTED_RESPONSE for %s', async (_name, answer) => {
    const stub = await startStub(answer);

    const error = await rejection(clientOf(stub.url).client.transactions.receiptPdf('T1'));

    expect(error).toMatchObject({
      code: 'UNEXPECTED_RESPONSE',
      message: expect.stringContaining('is not application/pdf'),
    });
  });
});

// docs/decisions.md, "Receipts and reports"
describe('the report as a CSV', () => {
  it('is asked for by its type', async () => {
    const stub = await startStub(raw(200, 'line,status\r\n', { 'content-type': 'text/csv' }));

    const csv = await clientOf(stub.url).client.partner.reportCsv('2026-11');

    expect(new TextDecoder().decode(csv)).toBe('line,status\r\n');
    expect(stub.seen).toMatchObject([
      { method: 'GET', path: '/laas/partner/reports/2026-11', headers: { accept: 'text/csv' } },
    ]);
  });
});
