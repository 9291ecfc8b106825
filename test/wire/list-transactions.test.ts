import { describe, expect, test } from 'vitest';
import { call, expectRefusal, openPurchase } from '../support/partner-api.ts';
import { eventually, newPartner } from '../support/sandbox.ts';

const list = (apiKey: string, query = '') => call('GET', `/v1/laas/transactions${query}`, { apiKey });

// docs/decisions.md, "Lists and searches"
describe('GET /v1/laas/transactions', () => {
  test('pages through the partner’s own purchases, and finds one by its reference', async () => {
    const { apiKey, id: first, ...client } = await openPurchase(undefined, { externalId: 'order-1' });
    const { id: second } = await openPurchase({ apiKey, ...client });
    const shown = ({ data }: Awaited<ReturnType<typeof list>>) =>
      (data.transactions as { transactionId: string }[]).map(({ transactionId }) => transactionId);
    await eventually(
      () => list(apiKey),
      (answer) => shown(answer).length === 2,
    );

    const page = await list(apiKey, '?limit=1');
    const next = await list(apiKey, `?limit=1&cursor=${String(page.data.nextCursor)}`);

    expect([...shown(page), ...shown(next)]).toEqual([second, first]);
    expect(next.data).not.toHaveProperty('nextCursor');
    expect(shown(await list(apiKey, '?externalId=order-1'))).toEqual([first]);
    expect(shown(await list(apiKey, `?kycToken=${client.kycToken}&status=AWAITING_MFA`))).toEqual([
      second,
      first,
    ]);
    const { apiKey: stranger } = await newPartner();
    expect(shown(await list(stranger))).toEqual([]);
    const issues = [
      { path: 'cursor', message: 'must be the nextCursor of this list, with the same filters' },
    ];
    expectRefusal(await list(stranger, `?cursor=${String(page.data.nextCursor)}`), 'INVALID_REQUEST', {
      issues,
    });
  });
});
