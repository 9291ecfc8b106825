import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import { getReceipt, handler } from '../../functions/api/get-receipt.ts';
import { STATUS_NAMES, type Status } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { isAskedFor } from '../../functions/entry/document.ts';
import { receiptPdf } from '../../functions/logic/purchase/receipt-pdf.ts';
import { aPartner, WALLET } from '../support/builders.ts';
import { openPorts, putPurchaseIn } from '../support/ports.ts';

const TX_HASH = `0x${'ab'.repeat(32)}`;

async function receiptIn(status: Status, changes: Partial<Transaction> = {}, name = 'Corretora Ágil') {
  const purchase = await putPurchaseIn(openPortsOnce, status, { txHash: TX_HASH, ...changes });
  const read = (partnerId = purchase.partnerId) =>
    getReceipt(
      { id: purchase.id },
      { partner: aPartner({ id: partnerId, name }), ids: undefined as never },
      openPortsOnce,
    );
  return { purchase, read };
}
const openPortsOnce = openPorts();

describe('200', () => {
  // docs/decisions.md, "Receipts and reports"
  test('has the payment, the price, the delivery and São Paulo’s times, and no person', async () => {
    const { purchase, read } = await receiptIn('COMPLETED', { externalId: 'order-1' });

    const receipt = await read();

    expect(handler.answer().parse(receipt)).toEqual(receipt);
    expect(receipt).toEqual({
      transactionId: purchase.id,
      externalId: 'order-1',
      partner: 'Corretora Ágil',
      openedAt: '2098-12-31T21:00:00.000-03:00',
      payment: {
        endToEndId: purchase.payment?.endToEndId,
        amountBrl: 250,
        paidAt: '2098-12-31T21:01:00.000-03:00',
      },
      price: { rate: '5.48643100', feeBrl: 2.47, taxes: [{ name: 'IOF', amountBrl: 0 }] },
      delivery: {
        asset: 'USDC',
        assetAmount: '45.566968',
        walletAddress: WALLET,
        txHash: TX_HASH,
        explorerUrl: `https://explorer.test/tx/${TX_HASH}`,
        deliveredAt: '2098-12-31T21:00:00.000-03:00',
      },
    });
    for (const secret of [purchase.clientId, purchase.kycToken])
      expect(JSON.stringify(receipt)).not.toContain(secret);
  });

  test('is a PDF of one page, the same each time', async () => {
    const { read } = await receiptIn('COMPLETED');
    const receipt = await read();

    const [one, other] = [await receiptPdf(receipt), await receiptPdf(receipt)];

    expect(Buffer.from(one)).toEqual(Buffer.from(other));
    const pdf = await PDFDocument.load(one);
    expect(pdf.getPageCount()).toBe(1);
    expect(pdf.getTitle()).toBe(`Comprovante ${receipt.transactionId}`);
  });

  test.each(['株式会社', '🪙 Coins', 'A'.repeat(500), '', 'a\nb'])(
    'is a PDF for a partner named “%s”',
    async (name) => {
      const { read } = await receiptIn('COMPLETED', { externalId: '~'.repeat(128) }, name);

      const pdf = await PDFDocument.load(await receiptPdf(await read()));

      expect(pdf.getPageCount()).toBe(1);
    },
  );

  test.each([
    ['application/pdf', true],
    ['application/pdf, */*', true],
    ['application/pdf;q=0.9', true],
    ['application/json, application/pdf', false],
    ['*/*', false],
    [undefined, false],
  ])('is asked for as a PDF by the header %s: %s', (accept, isAsked) => {
    expect(isAskedFor({ headers: accept === undefined ? {} : { accept } }, 'application/pdf')).toBe(isAsked);
  });
});

describe('409', () => {
  test.each(STATUS_NAMES.filter((status) => status !== 'COMPLETED'))(
    'refuses a purchase in %s',
    async (status) => {
      const { read } = await receiptIn(status, { txHash: undefined });

      await expect(read()).rejects.toMatchObject({ code: 'RECEIPT_NOT_AVAILABLE', details: { status } });
    },
  );
});

describe('404', () => {
  test.each(STATUS_NAMES)('hides another partner’s purchase in %s', async (status) => {
    const { read } = await receiptIn(status);

    await expect(read('another')).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' });
  });
});
