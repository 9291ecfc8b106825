import { describe, expect, test } from 'vitest';
import { decideAgain, type Evidence } from '../../functions/domain/purchase/evidence.ts';
import type { PixReturn, ReceivedPix } from '../../functions/domain/purchase/pix.ts';
import { confirmPixPayment } from '../../functions/steps/confirm-pix-payment.ts';
import { aClient, MINUTE_MS } from '../support/builders.ts';
import {
  aCharge,
  aReceivedPix,
  newEndToEndId,
  openPorts,
  PIX_UNTIL,
  putPurchaseIn,
  reread,
  START_AT,
} from '../support/ports.ts';
import type { StubPix } from '../support/providers.ts';
import { memoryTables, rowIn } from '../support/tables.ts';

const CPF = '52998224725';

/** A purchase whose payment looks like this at the provider. */
async function paidWith(changes: Partial<ReceivedPix> = {}) {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const purchase = await putPurchaseIn(ports, 'PROCESSING');
  const { clientId, payment } = purchase;
  await ports.clients.create(aClient({ id: clientId, cpfCipher: await ports.vault.encrypt(CPF, clientId) }));
  const pix = aReceivedPix(purchase, { ...payment, ...changes });
  ports.pix.charges.set(purchase.id, aCharge(purchase, [pix]));
  return {
    ports,
    purchase,
    pix,
    evidence: () => rowIn(tables, 'evidence', `${purchase.id}#payment#${START_AT}`),
    visit: () => confirmPixPayment({ transactionId: purchase.id, checkedAt: 7 }, ports),
  };
}

describe('a payment', () => {
  test('passes with the exact amount, in time, from the client', async () => {
    const { ports, purchase, pix, visit } = await paidWith();

    expect(await visit()).toEqual({
      transactionId: purchase.id,
      status: 'PROCESSING',
      checkedAt: 7,
      decision: 'PAID',
      endToEndId: pix.endToEndId,
      amountCentavos: 250_00,
      payer: 'MATCH',
    });

    expect(ports.pix.askedPayers).toEqual([{ endToEndId: pix.endToEndId, cpf: CPF }]);
    expect(await reread(ports, purchase)).toEqual(purchase);
  });

  test('passes in the last millisecond of the charge', async () => {
    const { visit } = await paidWith({ paidAt: PIX_UNTIL });

    expect(await visit()).toMatchObject({ decision: 'PAID' });
  });

  test.each([
    ['AMOUNT_MISMATCH', 'of a centavo less', { amountCentavos: 249_99 }],
    ['AMOUNT_MISMATCH', 'of a centavo more', { amountCentavos: 250_01 }],
    ['PAID_LATE', 'a millisecond late', { paidAt: PIX_UNTIL + 1 }],
  ] as const)('gives %s when it is %s', async (name, _, changes) => {
    const { ports, purchase, visit } = await paidWith(changes);

    await expect(visit()).rejects.toMatchObject({ name });

    expect(await reread(ports, purchase)).toEqual(purchase);
  });

  test('is a PAYER_MISMATCH if another person paid', async () => {
    const { ports, visit } = await paidWith();
    ports.pix.payer = 'MISMATCH';

    await expect(visit()).rejects.toMatchObject({ name: 'PAYER_MISMATCH' });
  });

  test('neither passes nor is refused while the provider cannot name the payer', async () => {
    const { ports, visit } = await paidWith();
    ports.pix.payer = 'UNKNOWN';

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });

    ports.pix.payer = 'MATCH';
    expect(await visit()).toMatchObject({ decision: 'PAID' });
  });

  test('is refused for a wrong amount even if its payer is unknown', async () => {
    const { ports, visit } = await paidWith({ amountCentavos: 1 });
    ports.pix.payer = 'UNKNOWN';

    await expect(visit()).rejects.toMatchObject({ name: 'AMOUNT_MISMATCH' });
  });
});

// docs/decisions.md, "MED refunds and fraud"
describe('a payment that was partly or fully returned', () => {
  const med = { id: 'D1', amountCentavos: 250_00, status: 'REFUNDED', nature: 'MED_FRAUDE' } as const;

  test.each([250_00, 1])('is not settled if %d centavos are gone', async (amountCentavos) => {
    const { ports, purchase, evidence, visit } = await paidWith({ returns: [{ ...med, amountCentavos }] });

    await expect(visit()).rejects.toMatchObject({ name: 'PAYMENT_TAKEN_BACK' });

    expect(await reread(ports, purchase)).toEqual(purchase);
    const row = (await evidence()) as unknown as Evidence;
    expect(row.decision).toEqual({ outcome: 'PAYMENT_TAKEN_BACK' });
    expect(decideAgain(row)).toEqual(row.decision);
  });

  test('is held while a return is in progress, and passes if the return failed', async () => {
    const { ports, purchase, pix, visit } = await paidWith({ returns: [{ ...med, status: 'PENDING' }] });
    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });

    const returns = [{ ...med, status: 'FAILED' } as const];
    ports.pix.charges.set(purchase.id, aCharge(purchase, [{ ...pix, returns }]));
    expect(await visit()).toMatchObject({ decision: 'PAID' });
  });
});

describe('a return that only one answer shows', () => {
  const med = { id: 'D1', amountCentavos: 1, status: 'REFUNDED', nature: 'MED_FRAUDE' } as const;
  const seen = { payment: [med], charge: [{ ...med, status: 'FAILED' }] } as const;

  test.each([
    ['the payment', undefined, [med]],
    ['the charge', [med], undefined],
    ['the payment, while the charge still says that it failed', seen.charge, seen.payment],
    ['the charge, while the payment still says that it is under way', [med], [{ ...med, status: 'PENDING' }]],
  ] as const)('counts if it is shown by %s', async (_, ofCharge, ofPayment) => {
    const { ports, purchase, pix, visit } = await paidWith();
    const viewed = (returns?: readonly PixReturn[]) => ({
      ...pix,
      ...(returns && { returns: [...returns] }),
    });
    ports.pix.charges.set(purchase.id, aCharge(purchase, [viewed(ofCharge)]));
    ports.pix.received.push(viewed(ofPayment));

    await expect(visit()).rejects.toMatchObject({ name: 'PAYMENT_TAKEN_BACK' });
  });

  test('holds the payment while it is in progress', async () => {
    const { ports, pix, visit } = await paidWith();
    ports.pix.received.push({ ...pix, returns: [{ ...med, status: 'PENDING' }] });

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable', isOrdinary: true });
  });
});

describe('a payment that cannot be confirmed yet', () => {
  test.each<[string, Partial<StubPix>]>([
    ['whose payer the provider does not name', { payer: 'UNKNOWN' }],
    ['that it does not show', { findReceived: async () => undefined }],
  ])('needs nobody in its first ten minutes, and a person afterwards: %s', async (_, told) => {
    const { ports, purchase, visit } = await paidWith();
    Object.assign(ports.pix, told);
    const wait = purchase.payment!.paidAt + 10 * MINUTE_MS - ports.clock.now();

    ports.clock.advance(wait - 1);
    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable', isOrdinary: true });
    ports.clock.advance(1);
    const late = await visit().catch((error: unknown) => error);

    expect(late).toMatchObject({ name: 'Unavailable' });
    expect(late).not.toHaveProperty('isOrdinary');
  });
});

describe('the provider decides, so that', () => {
  test('a payment of the charge is no proof if its id is not found', async () => {
    const { ports, visit } = await paidWith();
    ports.pix.findReceived = async () => undefined;

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });
  });

  test('our row of a payment is no proof if the provider does not know it', async () => {
    const { ports, purchase, visit } = await paidWith();
    ports.pix.charges.set(purchase.id, aCharge(purchase));

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });
  });

  test('another Pix on the charge is not the payment', async () => {
    const { visit } = await paidWith({ endToEndId: newEndToEndId() });

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });
  });

  test('an unknown charge is not a payment', async () => {
    const { ports, purchase, visit } = await paidWith();
    ports.pix.charges.delete(purchase.id);

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });
  });

  test('an outage is not a pass', async () => {
    const { ports, visit } = await paidWith();
    ports.pix.isDown = true;

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });
  });
});

describe('the evidence of a payment', () => {
  // docs/decisions.md, "Decisions are made from facts alone"
  test.each<[string, 'MATCH' | 'MISMATCH', Partial<ReceivedPix>]>([
    ['PAID', 'MATCH', {}],
    ['PAYER_MISMATCH', 'MISMATCH', {}],
    ['AMOUNT_MISMATCH', 'MATCH', { amountCentavos: 249_99 }],
    ['PAID_LATE', 'MATCH', { paidAt: PIX_UNTIL + 1 }],
  ])('says %s, with the payer as %s, and gives the same decision again', async (outcome, payer, changes) => {
    const { ports, purchase, pix, evidence, visit } = await paidWith(changes);
    ports.pix.payer = payer;
    await visit().catch(() => undefined);

    const { endToEndId, amountCentavos, paidAt } = pix;
    const row = (await evidence()) as unknown as Evidence;
    expect(row).toMatchObject({
      subject: purchase.id,
      clientId: purchase.clientId,
      decidedBy: 'ConfirmPixPayment',
      findings: {
        payment: { endToEndId, amountCentavos, paidAt },
        expected: { amountCentavos: 250_00, expiresAt: PIX_UNTIL },
        payer,
      },
      decision: { outcome },
    });
    expect(decideAgain(row)).toEqual(row.decision);
    expect(JSON.stringify(row)).not.toContain(CPF);
  });

  test('does not exist while nothing is decided', async () => {
    const { ports, evidence, visit } = await paidWith();
    ports.pix.payer = 'UNKNOWN';

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });

    expect(await evidence()).toBeUndefined();
  });
});
