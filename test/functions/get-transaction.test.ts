import { describe, expect, test } from 'vitest';
import { handler, showTransaction } from '../../functions/api/get-transaction.ts';
import { STATUS_NAMES, type Status } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { newUnmatchedPayment } from '../../functions/domain/purchase/unmatched-payment.ts';
import { aPartner, MINUTE_MS } from '../support/builders.ts';
import { aReceivedPix, openPorts, putPurchaseIn, START_AT } from '../support/ports.ts';

async function purchaseIn(status: Status, changes: Partial<Transaction> = {}) {
  const ports = openPorts();
  const purchase = await putPurchaseIn(ports, status, changes);
  const read = (partnerId = purchase.partnerId, id = purchase.id) =>
    showTransaction({ id }, { partner: aPartner({ id: partnerId }), ids: undefined as never }, ports);
  return { ports, purchase, read };
}

describe('200', () => {
  test.each(STATUS_NAMES)('tells the story of a purchase in %s, in the described form', async (status) => {
    const { purchase, read } = await purchaseIn(status);

    const answer = await read();

    expect(handler.answer().parse(answer)).toEqual(JSON.parse(JSON.stringify(answer)));
    expect(answer).toMatchObject({ transactionId: purchase.id, status, amountBrl: 250 });
    expect(answer.story.happened[0]).toMatchObject({ what: 'OPENED', at: new Date(START_AT).toISOString() });
  });

  test('has the partner’s own fields', async () => {
    const { ports, purchase, read } = await purchaseIn('AWAITING_MFA');
    expect(await read()).not.toHaveProperty('metadata', expect.anything());

    const id = purchase.id.replace(/.$/, (last) => (last === 'Z' ? 'Y' : 'Z'));
    const metadataCipher = await ports.vault.encrypt('{"order":"17"}', id);
    await ports.transactions.create({ ...purchase, id, externalId: 'order-17', metadataCipher });

    expect(await read(undefined, id)).toMatchObject({ externalId: 'order-17', metadata: { order: '17' } });
  });

  test('shows a Pix that came after the end, and not who paid it', async () => {
    const { ports, purchase, read } = await purchaseIn('EXPIRED');
    const pix = aReceivedPix(purchase, { paidAt: START_AT + 40 * MINUTE_MS });
    const late = newUnmatchedPayment(pix, { transaction: purchase, mayReturn: true }, START_AT);
    await ports.unmatchedPayments.create(late);

    const { happened } = (await read()).story;

    expect(happened.at(-1)).toMatchObject({
      what: 'OTHER_PIX_RECEIVED',
      at: new Date(START_AT + 40 * MINUTE_MS).toISOString(),
    });
  });

  test('shows the refund with its ids, and not its reason', async () => {
    const made = { status: 'REFUNDED', refundedAt: START_AT, returnId: 'R1', rtrId: 'D1' } as const;
    const of = { endToEndId: 'E1', amountCentavos: 250_00, reason: 'SANCTIONS_HIT' } as const;
    const { read } = await purchaseIn('FAILED', { refund: { ...made, ...of } });

    const answer = await read();

    expect(handler.answer().parse(answer)).toEqual(JSON.parse(JSON.stringify(answer)));
    expect(answer.refund).toEqual({
      status: 'REFUNDED',
      endToEndId: 'E1',
      amountBrl: 250,
      returnId: 'R1',
      rtrId: 'D1',
      refundedAt: new Date(START_AT).toISOString(),
    });
  });

  test('says nothing of the reason or of the client', async () => {
    const { purchase, read } = await purchaseIn('FAILED', { failure: { reason: 'SANCTIONS_HIT' } });

    const text = JSON.stringify(await read());

    expect(text).not.toContain('SANCTIONS_HIT');
    for (const secret of [purchase.clientId, purchase.kycToken]) expect(text).not.toContain(secret);
  });
});

describe('404', () => {
  test.each(['another', ''])('hides the purchase from the partner “%s”', async (partnerId) => {
    const { read } = await purchaseIn('COMPLETED');

    await expect(read(partnerId)).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' });
  });

  test.each(['01JD4G0000000000000000000X', '../status', 'x'.repeat(5_000)])(
    'knows no purchase %s',
    async (id) => {
      const { read } = await purchaseIn('COMPLETED');

      await expect(read(undefined, id)).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' });
    },
  );
});
