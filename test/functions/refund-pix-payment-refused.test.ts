import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pixProvider } from '../../functions/adapters/pix/provider.ts';
import type { PixProvider } from '../../functions/domain/purchase/pix-ports.ts';
import { RETURN_RETRY_MINUTES } from '../../functions/domain/purchase/return-state.ts';
import { refundPixPayment } from '../../functions/steps/refund-pix-payment.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { aReceivedPix, eventsOf, newEndToEndId, openPorts, putPurchaseIn, reread } from '../support/ports.ts';
import { pay, problem, type StubPsp, startStubPsp } from '../support/stub-psp.ts';

let psp: StubPsp;
beforeEach(async () => {
  psp = await startStubPsp();
});
afterEach(() => psp.close());

/** A failed purchase whose whole payment must be returned. */
async function failed() {
  const ports = openPorts();
  const endToEndId = newEndToEndId();
  const amountCentavos = 250_00;
  const refund = { status: 'PENDING', endToEndId, amountCentavos, reason: 'WALLET_RISK_TOO_HIGH' } as const;
  const payment = { endToEndId, amountCentavos, paidAt: ports.clock.now() };
  const purchase = await putPurchaseIn(ports, 'FAILED', { payment, refund, sequence: 1 });
  return {
    ports,
    purchase,
    endToEndId,
    visit: (pix: PixProvider = ports.pix) =>
      refundPixPayment({ transactionId: purchase.id }, { ...ports, pix }),
  };
}

/** A failed purchase whose whole payment must be returned, at a provider over HTTP. */
async function failedAtPsp() {
  const one = await failed();
  const { ports, endToEndId, purchase } = one;
  pay(psp, purchase.id, { endToEndId, valor: '250.00' });
  const { clock, log } = ports;
  const provider = pixProvider(async () => psp.settings(), { clock, log, timeoutMs: 2_000 });
  const refused = problem(422, 'SaldoInsuficiente');
  return {
    ...one,
    /** Faults of the next request that starts like this. */
    inject: (on: string, fault: object) => psp.faults.push({ on, ...fault }),
    refused,
    notThere: problem(404, 'PixDevolucaoNaoEncontrada'),
    one: `/pix/${endToEndId}/devolucao/${purchase.id}`,
    visit: () => one.visit(provider),
    made: () => [...psp.refunds.keys()].map((key) => key.slice(endToEndId.length + 1 + purchase.id.length)),
    end: (status: string) => {
      for (const each of psp.refunds.values()) each.status = status;
    },
    refundNow: async () => (await reread(ports, purchase)).refund,
  };
}

const waits = { name: 'RefundPending' };

describe('a refund that the provider refuses for good', () => {
  // docs/decisions.md, "Paid, then failed"
  test('has ended, and is tried under a new id when it is time', async () => {
    const { ports, purchase, inject, refused, visit, made, end, refundNow } = await failedAtPsp();
    inject('PUT /pix', { instead: refused });
    await expect(visit()).rejects.toMatchObject(waits);
    expect(await refundNow()).toMatchObject({ status: 'PENDING', tries: 1 });
    expect(ports.log.lines).toEqual([expect.stringContaining('refund refused by the provider')]);
    expect(ports.log.errors).toEqual([]);
    await expect(visit()).rejects.toMatchObject(waits);
    expect(psp.countOf('PUT /pix')).toBe(1);

    ports.clock.advance(MINUTE_MS);
    await expect(visit()).rejects.toMatchObject(waits);
    end('DEVOLVIDO');
    expect(await visit()).toMatchObject({ refund: 'REFUNDED' });

    expect(made()).toEqual(['R1']);
    const told = (await eventsOf(ports, purchase)).map(({ type }) => type);
    expect(told).toEqual(['transaction.refund_delayed', 'transaction.refunded']);
  });

  test('needs a person after seven refusals, with a case', async () => {
    const { ports, purchase, inject, refused, visit, made, refundNow } = await failedAtPsp();
    for (const minutes of RETURN_RETRY_MINUTES) {
      inject('PUT /pix', { instead: refused });
      await expect(visit()).rejects.toMatchObject(waits);
      ports.clock.advance(minutes * MINUTE_MS);
    }
    inject('PUT /pix', { instead: refused });

    expect(await visit()).toMatchObject({ refund: 'FAILED' });

    expect(await refundNow()).toMatchObject({ status: 'FAILED', tries: 7 });
    expect(made()).toEqual([]);
    expect(await ports.moneyCases.findCase(`REFUND_FAILED#${purchase.id}`)).toMatchObject({ status: 'OPEN' });
    expect(await reread(ports, purchase)).not.toHaveProperty('nextCheckAt');
    const told = await eventsOf(ports, purchase);
    const delays = RETURN_RETRY_MINUTES.map(() => 'transaction.refund_delayed');
    expect(told.slice(0, -1).map(({ type }) => type)).toEqual(delays);
    expect(told.at(-1)).toMatchObject({ type: 'transaction.refund_failed', data: { status: 'FAILED' } });
  });

  test('continues under its id if the refusal came after the effect', async () => {
    const { inject, refused, visit, made, end, refundNow } = await failedAtPsp();
    inject('PUT /pix', { afterwards: refused });

    await expect(visit()).rejects.toMatchObject(waits);

    expect(await refundNow()).not.toHaveProperty('tries');
    end('DEVOLVIDO');
    expect(await visit()).toMatchObject({ refund: 'REFUNDED' });
    expect(made()).toEqual(['']);
  });

  test('is the refund if it appears only afterwards: no other one is made', async () => {
    const { ports, purchase, inject, refused, notThere, one, visit, made, end, refundNow } =
      await failedAtPsp();
    // The provider makes the refund and refuses the request. A replica that lags does not show the refund.
    inject(`GET ${one}`, { instead: notThere });
    inject('PUT /pix', { afterwards: refused });
    inject(`GET ${one}`, { instead: notThere });
    inject('GET /pix/', { instead: problem(404, 'PixNaoEncontrado') });
    inject('GET /pix/', { instead: problem(404, 'PixNaoEncontrado') });
    await expect(visit()).rejects.toMatchObject(waits);
    expect(await refundNow()).toMatchObject({ tries: 1 });

    ports.clock.advance(MINUTE_MS);
    await expect(visit()).rejects.toMatchObject(waits);
    end('DEVOLVIDO');

    expect(await visit()).toMatchObject({ refund: 'REFUNDED' });
    expect(made()).toEqual(['']);
    expect(await refundNow()).toMatchObject({ returnId: purchase.id, rtrId: expect.stringMatching(/^D/) });
    expect(psp.countOf('PUT /pix')).toBe(1);
  });

  test('gets no new id while its former id cannot be read', async () => {
    const { ports, inject, refused, one, visit, made } = await failedAtPsp();
    inject('PUT /pix', { instead: refused });
    await expect(visit()).rejects.toMatchObject(waits);
    ports.clock.advance(MINUTE_MS);
    inject(`GET ${one}`, { instead: { status: 503 } });

    await expect(visit()).rejects.toMatchObject({ name: 'Unavailable' });

    expect(made()).toEqual([]);
  });

  test.each([
    ['a time-out', { instead: { fault: 'hang' } }],
    ['a 500', { instead: { status: 500 } }],
    ['a 409', { instead: { status: 409 } }],
    ['a 403', { instead: { status: 403 } }],
    ['an answer that is none', { instead: { status: 200, body: { message: 'ok' } } }],
  ])('is not %s: the result is unknown, so the same id is asked again', async (_, fault) => {
    const { ports, purchase, inject, visit, made } = await failedAtPsp();
    inject('PUT /pix', fault);

    await expect(visit()).rejects.toThrow();

    expect(await reread(ports, purchase)).toEqual(purchase);
    await expect(visit()).rejects.toMatchObject(waits);
    expect(made()).toEqual(['']);
  });

  test('is one refund, however many functions see the refusals', async () => {
    const { ports, inject, refused, visit, made, end } = await failedAtPsp();
    for (const _ of [1, 2, 3]) inject('PUT /pix', { afterwards: refused });
    await Promise.allSettled(Array.from({ length: 5 }, visit));
    ports.clock.advance(MINUTE_MS);
    await Promise.allSettled(Array.from({ length: 5 }, visit));
    end('DEVOLVIDO');

    expect(await visit()).toMatchObject({ refund: 'REFUNDED' });

    expect(made()).toHaveLength(1);
  });
});

describe('a refund that the provider refuses for the moment', () => {
  const med = { id: 'D1', amountCentavos: 1, nature: 'MED_FRAUDE' } as const;
  const refusals = [
    ['for good', async () => ({ status: 'FAILED', refusal: 'HTTP 422' }) as const],
    ['by a 409', () => Promise.reject(new Error('HTTP 409'))],
  ] as const;

  test.each(refusals)(
    '%s, because it returned some money itself, needs a person at once',
    async (_, refund) => {
      const { ports, purchase, endToEndId, visit } = await failed();
      const returns = [{ ...med, status: 'REFUNDED' } as const];
      ports.pix.received.push(aReceivedPix(purchase, { endToEndId, returns }));
      ports.pix.refund = refund;

      expect(await visit()).toMatchObject({ status: 'FAILED', refund: 'FAILED' });

      expect(await reread(ports, purchase)).not.toHaveProperty('nextCheckAt');
      expect(await ports.moneyCases.findCase(`REFUND_FAILED#${purchase.id}`)).toMatchObject({
        status: 'OPEN',
      });
      expect(await eventsOf(ports, purchase)).toMatchObject([{ type: 'transaction.refund_failed' }]);
    },
  );

  test('by a 409 without such a return is requested again', async () => {
    const { ports, purchase, endToEndId, visit } = await failed();
    const returns = [{ ...med, status: 'FAILED' } as const];
    ports.pix.received.push(aReceivedPix(purchase, { endToEndId, returns }));
    ports.pix.refund = refusals[1][1];

    await expect(visit()).rejects.toThrow('409');

    expect(await reread(ports, purchase)).toEqual(purchase);
  });
});
