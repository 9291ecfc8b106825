import { expect, test } from 'vitest';
import { approvedClient, call, clientPath, expectRefusal } from '../support/partner-api.ts';
import { newPartner } from '../support/sandbox.ts';

test('the limits of a client are read by its KYC token', async () => {
  const { apiKey, kycToken } = await approvedClient();

  const answer = await call('GET', `${clientPath(kycToken)}/limits`, { apiKey });

  expect(answer.status).toBe(200);
  expect(answer.data.limits).toHaveLength(5);
  expect(answer.data.limits).toContainEqual(expect.objectContaining({ limit: 'OPEN_CHARGES', remaining: 1 }));
}, 60_000);

test('the limits of another partner’s client are unknown', async () => {
  const { kycToken } = await approvedClient();
  const { apiKey } = await newPartner();

  expectRefusal(await call('GET', `${clientPath(kycToken)}/limits`, { apiKey }), 'KYC_TOKEN_NOT_FOUND', {});
}, 60_000);
