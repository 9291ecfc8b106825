import { describe, expect, test } from 'vitest';
import { codeOf, confirmMfa, editRow, getStatus, moveRow, openPurchase } from '../support/partner-api.ts';
import { rowOf } from '../support/sandbox.ts';

const KEY = { headers: { 'Idempotency-Key': 'pay' } };

/** A purchase that was confirmed under a key, and the repetition of that request. */
async function confirmed() {
  const purchase = await openPurchase();
  const code = await codeOf(purchase);
  const confirm = () => confirmMfa(purchase.apiKey, purchase.id, code, KEY);
  const first = await confirm();
  expect([first.status, first.data.status]).toEqual([200, 'AWAITING_PIX']);
  return {
    first,
    replay: confirm,
    changeRow: (changes: Record<string, unknown>) => editRow('TablesTransactions', purchase.id, changes),
    readRow: async () => (await rowOf('TablesTransactions', purchase.id))!,
    readStatus: () => getStatus(purchase.apiKey, purchase.id),
    id: purchase.id,
  };
}

describe('the replay of a confirmation', () => {
  test('is the first answer while its Pix can be paid', async () => {
    const { first, replay } = await confirmed();

    const replayed = await replay();

    expect(replayed.text).toBe(first.text);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  });

  // Spec, Limits: "returns the cached response of the first"
  // docs/decisions.md, "Idempotency"
  test.each(['EXPIRED', 'CANCELED', 'PROCESSING', 'COMPLETED', 'FAILED'] as const)(
    'shows %s as it is now, and nothing to pay',
    async (status) => {
      const { replay, id } = await confirmed();
      await moveRow(id, status, { expiresAt: undefined });

      const replayed = await replay();

      expect(replayed.status).toBe(200);
      expect(replayed.headers.get('idempotent-replayed')).toBe('true');
      expect(replayed.data).toEqual({ transactionId: id, status });
    },
  );

  // Spec, Get transaction status: "and pixPayload once available"
  test('shows nothing to pay after the deadline, even if the row has not moved yet', async () => {
    const { replay, changeRow, readStatus, id } = await confirmed();
    // The test removes the wait. Otherwise the sweep would resume the wait and move the row.
    await changeRow({ expiresAt: Date.now() - 1, wait: undefined });

    const replayed = await replay();
    const read = await readStatus();

    expect(replayed.data).toEqual({ transactionId: id, status: 'AWAITING_PIX' });
    expect(read.data).toMatchObject({ status: 'AWAITING_PIX' });
    expect(read.data).not.toHaveProperty('pixPayload');
  });
});
