import { describe, expect, test } from 'vitest';
import { approvedClient, askQuote, expectRefusal, initiate, openPurchase } from '../support/partner-api.ts';
import { aPurchase } from '../support/requests.ts';

// docs/decisions.md, "Quotes and open promises"
describe('POST /v1/laas/quotes', () => {
  test('locks a price, which the purchase that names it has', async () => {
    const owner = await approvedClient();

    const { status, data } = await askQuote(owner.apiKey, { assetAmount: '45.5' });
    const { quoteId, amountBrl, assetAmount, rate, feeBrl } = data;
    const opened = await initiate(owner.apiKey, aPurchase(owner.kycToken, { amountBrl, quoteId }));

    expect(status).toBe(200);
    expect(data).toMatchObject({ assetAmount: '45.500000', networkFeeBrl: 0 });
    expect(opened).toMatchObject({ status: 200, data: { quote: { rate, feeBrl, assetAmount } } });
  });

  test('gives no partner the quote of another', async () => {
    const [owner, other] = [await approvedClient(), await openPurchase()];
    const { quoteId } = (await askQuote(owner.apiKey)).data;

    expectRefusal(
      await initiate(other.apiKey, aPurchase(other.kycToken, { quoteId })),
      'QUOTE_NOT_FOUND',
      {},
    );
  });

  test('names the two fields of which it takes one', async () => {
    const { apiKey } = await approvedClient();

    const answer = await askQuote(apiKey, { amountBrl: 250, assetAmount: '45.5' });

    const message = 'is required without amountBrl, and refused with it';
    expectRefusal(answer, 'INVALID_REQUEST', { issues: [{ path: 'assetAmount', message }] });
  });
});
