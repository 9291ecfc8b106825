import { describe, expect, test } from 'vitest';
import { SUSPENDED_API_KEY } from '../../sandbox/seed.ts';
import {
  call,
  codeOf,
  confirmMfa,
  expectRefusal,
  getStatus,
  initiate,
  moveRow,
  openPurchase,
} from '../support/partner-api.ts';
import { chargeAtPsp } from '../support/provider-faults.ts';
import { aPurchase } from '../support/requests.ts';
import { newPartner } from '../support/sandbox.ts';

const cancel = (apiKey: string, id: string, headers?: Record<string, string>) =>
  call('POST', `/v1/laas/transactions/${id}/cancel`, { apiKey, headers, body: {} });

describe('200', () => {
  // docs/life-of-a-purchase.md, "When a purchase ends before its payment"
  test('cancels a purchase in AWAITING_MFA, and its status shows no challenge', async () => {
    const { apiKey, id } = await openPurchase();

    const answer = await cancel(apiKey, id);

    expect([answer.status, answer.data]).toEqual([200, { transactionId: id, status: 'CANCELED' }]);
    const { data } = await getStatus(apiKey, id);
    expect(data).toMatchObject({ status: 'CANCELED' });
    expect(data).not.toHaveProperty('authChallenge');
    expect(data).not.toHaveProperty('expiresAt');
  });

  test('cancels a purchase in AWAITING_PIX, and closes its charge at the provider', async () => {
    const purchase = await openPurchase();
    const { apiKey, id } = purchase;
    await confirmMfa(apiKey, id, await codeOf(purchase));

    const answer = await cancel(apiKey, id);

    expect([answer.status, answer.data]).toEqual([200, { transactionId: id, status: 'CANCELED' }]);
    expect(await chargeAtPsp(id)).toMatchObject({ status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
    const { data } = await getStatus(apiKey, id);
    expect(data).not.toHaveProperty('pixPayload');
  });

  test('answers a repetition like the first call, with and without its Idempotency-Key', async () => {
    const { apiKey, id } = await openPurchase();
    const key = { 'Idempotency-Key': 'give up' };
    const first = await cancel(apiKey, id, key);

    const replay = await cancel(apiKey, id, key);
    const again = await cancel(apiKey, id);

    expect([replay.text, again.text]).toEqual([first.text, first.text]);
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
  });

  test('needs no body', async () => {
    const { apiKey, id } = await openPurchase();

    const answer = await call('POST', `/v1/laas/transactions/${id}/cancel`, { apiKey });

    expect([answer.status, answer.data]).toEqual([200, { transactionId: id, status: 'CANCELED' }]);
  });

  test('frees the client’s place for another charge at once', async () => {
    const purchase = await openPurchase();
    const { apiKey, id } = purchase;
    await confirmMfa(apiKey, id, await codeOf(purchase));
    await cancel(apiKey, id);

    const next = await initiate(apiKey, aPurchase(purchase.kycToken));

    expect(next.status).toBe(200);
  });
});

describe('a cancel', () => {
  test('of an unknown transaction or of another partner’s is TRANSACTION_NOT_FOUND', async () => {
    const { id } = await openPurchase();
    const { apiKey } = await newPartner();

    expectRefusal(await cancel(apiKey, id), 'TRANSACTION_NOT_FOUND', {});
    expectRefusal(await cancel(apiKey, '0'.repeat(26)), 'TRANSACTION_NOT_FOUND', {});
  });

  test.each(['PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED'] as const)(
    'of a purchase in %s is TRANSACTION_NOT_CANCELABLE',
    async (status) => {
      const { apiKey, id } = await openPurchase();
      await moveRow(id, status);

      expectRefusal(await cancel(apiKey, id), 'TRANSACTION_NOT_CANCELABLE', { status });
    },
  );

  test('of a suspended partner is PARTNER_SUSPENDED', async () => {
    expectRefusal(await cancel(SUSPENDED_API_KEY, '0'.repeat(26)), 'PARTNER_SUSPENDED', {});
  });

  test('makes a later code for the purchase INVALID_TRANSACTION_STATE', async () => {
    const purchase = await openPurchase();
    const { apiKey, id } = purchase;
    await cancel(apiKey, id);

    const answer = await confirmMfa(apiKey, id, await codeOf(purchase));

    expectRefusal(answer, 'INVALID_TRANSACTION_STATE', { status: 'CANCELED' });
  });
});
