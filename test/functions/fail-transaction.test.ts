import { describe, expect, test } from 'vitest';
import { openMoneyCase } from '../../functions/domain/books/money-case.ts';
import type { PixReturn } from '../../functions/domain/purchase/pix.ts';
import { failTransaction } from '../../functions/steps/fail-transaction.ts';
import { MINUTE_MS } from '../support/builders.ts';
import {
  aReceivedPix,
  eventsOf,
  newEndToEndId,
  openPorts,
  putPurchaseIn,
  reread,
  START_AT,
} from '../support/ports.ts';

const FAILURES = [
  ['CLIENT_REFUSED', 'SANCTIONS_HIT'],
  ['KYC_REJECTED', 'KYC_REJECTED'],
  ['WALLET_RISK_TOO_HIGH', 'WALLET_RISK_TOO_HIGH'],
  ['PAYER_MISMATCH', 'PAYER_MISMATCH'],
  ['AMOUNT_MISMATCH', 'AMOUNT_MISMATCH'],
  ['PAID_LATE', 'PAID_LATE'],
  ['SettlementFailed', 'SETTLEMENT_FAILED'],
  ['SettlementCancelled', 'SETTLEMENT_CANCELLED'],
] as const;

/** A paid purchase. The paid amount may differ from the requested amount. */
async function paid(amountCentavos = 250_00, endToEndId = `E${'1'.repeat(31)}`) {
  const ports = openPorts();
  const payment = { endToEndId, paidAt: START_AT, amountCentavos };
  const purchase = await putPurchaseIn(ports, 'PROCESSING', { payment });
  const fail = (name: string) =>
    failTransaction({ transactionId: purchase.id, error: { Error: name } }, ports);
  return { ports, purchase, fail };
}

describe.each(FAILURES)('%s', (name, reason) => {
  // Spec, Transaction states: "FAILED: settlement error after automatic retries (3 attempts)"
  // docs/decisions.md, "Facts that partners learn"
  // docs/decisions.md, "Paid, then failed"
  test('becomes FAILED with its reason, a claimed refund, and one event', async () => {
    const { ports, purchase, fail } = await paid();

    const answer = await fail(name);

    expect(answer).toEqual({ transactionId: purchase.id, status: 'FAILED', decision: reason });
    expect(await reread(ports, purchase)).toMatchObject({
      status: 'FAILED',
      failure: { reason },
      disposition: 'REFUND',
      refund: {
        status: 'PENDING',
        endToEndId: purchase.payment!.endToEndId,
        amountCentavos: 250_00,
        reason,
      },
      sequence: 1,
      history: [...purchase.history, { status: 'FAILED', at: START_AT }],
    });
    expect(await eventsOf(ports, purchase)).toEqual([
      expect.objectContaining({
        id: `${purchase.id}.1`,
        type: 'transaction.failed',
        data: { transactionId: purchase.id, status: 'FAILED', sequence: 1, failure: { reason } },
      }),
    ]);
  });
});

test('the refund claims the paid amount, not the requested amount', async () => {
  const { ports, purchase, fail } = await paid(300_00);

  await fail('AMOUNT_MISMATCH');

  expect((await reread(ports, purchase)).refund?.amountCentavos).toBe(300_00);
});

test('the sweeper keeps the purchase until the money is back', async () => {
  const { ports, purchase, fail } = await paid();

  await fail('PAYER_MISMATCH');

  expect((await reread(ports, purchase)).nextCheckAt).toBe(START_AT + 2 * MINUTE_MS);
});

test('the first reason stays when another reason comes later', async () => {
  const { ports, purchase, fail } = await paid();
  await fail('PAYER_MISMATCH');
  const failed = await reread(ports, purchase);

  expect(await fail('SettlementFailed')).toMatchObject({ status: 'FAILED' });

  expect(await reread(ports, purchase)).toEqual(failed);
  expect(await eventsOf(ports, purchase)).toHaveLength(1);
});

test('a failure of another name is unknown and writes nothing', async () => {
  const { ports, purchase, fail } = await paid();

  for (const name of ['States.Timeout', 'NotYetConfirmed', '']) {
    await expect(fail(name)).rejects.toThrow();
  }

  expect(await reread(ports, purchase)).toEqual(purchase);
  expect(await eventsOf(ports, purchase)).toEqual([]);
});

test('a completed purchase is not changed', async () => {
  const ports = openPorts();
  const purchase = await putPurchaseIn(ports, 'COMPLETED');
  const error = { Error: 'SettlementFailed' };

  const answer = await failTransaction({ transactionId: purchase.id, error }, ports);

  expect(answer.status).toBe('COMPLETED');
  expect(await reread(ports, purchase)).toEqual(purchase);
});

test('a purchase that was never paid is not refunded', async () => {
  const ports = openPorts();
  const purchase = await putPurchaseIn(ports, 'AWAITING_PIX');
  const error = { Error: 'SettlementFailed' };

  await expect(failTransaction({ transactionId: purchase.id, error }, ports)).rejects.toThrow();

  expect(await reread(ports, purchase)).toEqual(purchase);
});

/** A paid purchase. The provider shows that this amount of its payment was taken back. */
async function takenBack(...amounts: number[]) {
  const endToEndId = newEndToEndId();
  const { ports, purchase, fail } = await paid(250_00, endToEndId);
  const returns: PixReturn[] = amounts.map((amountCentavos, at) => ({
    id: `D${at}`,
    amountCentavos,
    status: 'REFUNDED',
    nature: 'MED_FRAUDE',
    at: START_AT,
  }));
  ports.pix.received.push(aReceivedPix(purchase, { ...purchase.payment, returns }));
  const underWay: PixReturn = { id: 'D9', amountCentavos: 1, status: 'PENDING', nature: 'MED_FRAUDE' };
  return { ports, purchase, endToEndId, fail, returns, underWay };
}

// docs/decisions.md, "MED refunds and fraud"
describe.each([['PAYMENT_TAKEN_BACK', 'PAYMENT_TAKEN_BACK'] as const, ...FAILURES])(
  '%s of a payment that the provider took back',
  (name, reason) => {
    test('fails without a refund if it was whole, once, and opens a case of the client', async () => {
      const { ports, purchase, endToEndId, fail } = await takenBack(250_00);

      await fail(name);
      await fail(name);

      const failed = await reread(ports, purchase);
      expect(failed).toMatchObject({ status: 'FAILED', disposition: 'REFUND', failure: { reason } });
      expect(failed).not.toHaveProperty('refund');
      expect(failed).not.toHaveProperty('nextCheckAt');
      const told = (await eventsOf(ports, purchase)).map(({ type }) => type);
      expect(told).toEqual(['transaction.failed', 'transaction.med_opened']);
      const { id: transactionId, clientId } = purchase;
      expect(await ports.moneyCases.findCase(`MED_REFUND#${endToEndId}#D0`)).toMatchObject({
        status: 'OPEN',
        transactionId,
        clientId,
        amountCentavos: 250_00,
      });
      const posting = await ports.ledger.findPosting(`${endToEndId}#TAKEN_BACK#D0`);
      expect(posting?.entries[0]).toMatchObject({ account: 'clients', amount: 250_00n });
    });

    test('refunds only the rest if it was a part', async () => {
      const { ports, purchase, endToEndId, fail } = await takenBack(100_00, 49_99);

      await fail(name);

      expect((await reread(ports, purchase)).refund).toMatchObject({
        status: 'PENDING',
        endToEndId,
        amountCentavos: 100_01,
        reason,
      });
      const ofBoth = ['D0', 'D1'].map((id) => ports.moneyCases.findCase(`MED_REFUND#${endToEndId}#${id}`));
      expect(await Promise.all(ofBoth)).toMatchObject([
        { amountCentavos: 100_00 },
        { amountCentavos: 49_99 },
      ]);
    });

    test('writes nothing while the return is in progress, and asks once at each visit', async () => {
      const { ports, purchase, fail, returns, underWay } = await takenBack(100_00);
      returns.push(underWay);
      await expect(fail(name)).rejects.toMatchObject({ name: 'Unavailable', isOrdinary: true });
      expect(await reread(ports, purchase)).toEqual(purchase);

      underWay.status = 'FAILED';
      await fail(name);

      expect((await reread(ports, purchase)).refund).toMatchObject({ amountCentavos: 150_00 });
    });
  },
);

describe('a provider that does not report the payment', () => {
  test.each(FAILURES)(
    'does not hold %s: the whole amount is claimed, and its refund decides',
    async (name) => {
      const silent = await takenBack(100_00);
      silent.ports.pix.isDown = true;
      const refusing = await takenBack(100_00);
      refusing.ports.pix.findReceived = () => Promise.reject(new Error('HTTP 403'));

      for (const { ports, purchase, fail } of [silent, refusing]) {
        await fail(name);
        expect((await reread(ports, purchase)).refund).toMatchObject({ amountCentavos: 250_00 });
      }
      expect(refusing.ports.log.lines).toEqual([expect.stringContaining('payment not read')]);
    },
  );

  test('holds a failure whose reason is the return itself', async () => {
    const { ports, purchase, fail } = await takenBack(100_00);
    ports.pix.received.length = 0;

    const error = await fail('PAYMENT_TAKEN_BACK').catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ name: 'Unavailable' });
    expect(error).not.toHaveProperty('isOrdinary');
    expect(await reread(ports, purchase)).toEqual(purchase);
  });
});

describe('while the remaining amount is unknown', () => {
  test.each([
    ['WALLET_RISK_TOO_HIGH', true],
    ['PAYMENT_TAKEN_BACK', true],
    ['SettlementFailed', false],
  ] as const)('settlement is asked to cancel for %s: %s', async (name, isAsked) => {
    const { ports, fail, returns, underWay } = await takenBack();
    const asked: string[] = [];
    ports.cancellations = {
      ...ports.cancellations,
      async ask(_, { reason }) {
        asked.push(reason);
        return true;
      },
    };
    returns.push(underWay);

    await expect(fail(name)).rejects.toMatchObject({ name: 'Unavailable' });

    expect(asked).toEqual(isAsked ? [name] : []);
  });

  // docs/architecture.md, "Five ideas"
  test('a payment that owns a nonce goes back to settlement, which outbids it', async () => {
    const { ports, purchase, fail, returns, underWay } = await takenBack();
    returns.push(underWay);
    const { findTransaction } = ports.transactions;
    ports.transactions.findTransaction = async (id) => ({
      ...(await findTransaction(id))!,
      disposition: 'SETTLE',
    });

    await expect(fail('WALLET_RISK_TOO_HIGH')).rejects.toMatchObject({ name: 'TransferMayLive' });

    ports.transactions.findTransaction = findTransaction;
    expect(await reread(ports, purchase)).toEqual(purchase);
  });
});

describe('a row that another write changes between the read and the claim', () => {
  /** Opens a case about a second Pix of the purchase, which raises its sequence. */
  async function openMed({ ports, purchase }: Awaited<ReturnType<typeof paid>>) {
    const endToEndId = newEndToEndId();
    const { id: transactionId, partnerId } = purchase;
    const facts = { returnId: 'D1', nature: 'MED_FRAUDE', at: START_AT, from: 'unmatched' } as const;
    const subject = { transactionId, partnerId, endToEndId, amountCentavos: 250_00 };
    const key = `${endToEndId}#D1`;
    await ports.moneyCases.open(
      openMoneyCase({ kind: 'MED_REFUND', key, openedAt: START_AT, ...subject, facts }),
    );
  }

  // docs/architecture.md, "Five ideas"
  test.each(FAILURES)('still fails for %s, and is refunded', async (name, reason) => {
    const purchase = await paid();
    const { findReceived } = purchase.ports.pix;
    purchase.ports.pix.findReceived = async (id) => {
      await openMed(purchase);
      return findReceived(id);
    };

    await purchase.fail(name);

    const failed = await reread(purchase.ports, purchase.purchase);
    expect(failed).toMatchObject({ status: 'FAILED', disposition: 'REFUND', failure: { reason } });
    expect((await eventsOf(purchase.ports, purchase.purchase)).map(({ type }) => type)).toEqual([
      'transaction.med_opened',
      'transaction.failed',
    ]);
  });

  test.each(FAILURES)('again and again makes %s wait, and never settle', async (name) => {
    const purchase = await paid();
    const { saveRefundClaim } = purchase.ports.transactions;
    purchase.ports.transactions.saveRefundClaim = async (change) => {
      await openMed(purchase);
      return saveRefundClaim(change);
    };

    await expect(purchase.fail(name)).rejects.toMatchObject({ name: 'Unavailable', isOrdinary: true });

    expect((await reread(purchase.ports, purchase.purchase)).status).toBe('PROCESSING');
  });
});
