import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvedClient, initiate } from '../support/partner-api.ts';
import { aPurchase } from '../support/requests.ts';
import { sandbox } from '../support/sandbox.ts';

/** Sets the asks of one exchange. The other two outvote it, so no other test sees another price. */
async function ask(price: string) {
  const { simulatorsUrl, controlKey } = sandbox();
  const response = await fetch(`${simulatorsUrl}/control/price/books/USDTBRL?venue=FOXBIT`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'x-control-key': controlKey },
    body: JSON.stringify({ asks: [[price, '1000000.00000000']] }),
  });
  expect(response.status).toBe(200);
}

beforeAll(() => ask('2.60000000'));
afterAll(() => ask('5.43210000'));

// docs/decisions.md, "A price that may be sold at"
test('one exchange that asks 2.60 sells nothing at that price', async () => {
  const { apiKey, kycToken } = await approvedClient();

  const { status, data } = await initiate(apiKey, aPurchase(kycToken, { asset: 'USDT' }));

  expect(status).toBe(200);
  expect(Number((data.quote as { rate: string }).rate)).toBeGreaterThan(5.4);
});
