import { describe, expect, test } from 'vitest';
import {
  type Answer,
  approvedClient,
  call,
  expectRefusal,
  INITIATE_PATH,
  initiate,
  mfaPath,
  openPurchase,
  rowsWhere,
} from '../support/partner-api.ts';
import { aPurchase } from '../support/requests.ts';
import { totpCode } from '../support/sandbox.ts';

const withKey = { headers: { 'Idempotency-Key': 'the same' } };
const isReplay = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';

const transactionsOf = (partnerId: string) =>
  rowsWhere('TablesTransactions', (row) => row.partnerId === partnerId);

/** Each character as an escape, with its hexadecimal digits in the given case. */
const escaped = (text: string, letters: 'upper' | 'lower') =>
  text.replace(/./g, (character) => {
    const digits = character.charCodeAt(0).toString(16);
    return `%${letters === 'upper' ? digits.toUpperCase() : digits}`;
  });

describe('the same request with the same Idempotency-Key at another spelling of the address', () => {
  // Spec, Limits: "returns the cached response of the first"
  test.each([
    ['a slash at the end', `${INITIATE_PATH}/`],
    ['an escaped letter', INITIATE_PATH.replace('initiate', '%69nitiate')],
    ['an escape in small letters', INITIATE_PATH.replace('laas', escaped('laas', 'lower'))],
    ['an escape in capitals', INITIATE_PATH.replace('transactions', escaped('transactions', 'upper'))],
    ['the stage in front', `/sandbox${INITIATE_PATH}`],
    ['a query', `${INITIATE_PATH}?again=1`],
  ])('opens one transaction: %s', async (_, path) => {
    const { partnerId, apiKey, kycToken } = await approvedClient();
    const body = aPurchase(kycToken);
    const first = await initiate(apiKey, body, withKey);

    const second = await call('POST', path, { apiKey, body, ...withKey });

    expect(isReplay(second)).toBe(true);
    expect(second.text).toBe(first.text);
    expect(await transactionsOf(partnerId)).toHaveLength(1);
  });

  test.each(['upper', 'lower'] as const)(
    'is the same request for a parameter with escapes in %s case',
    async (letters) => {
      const { apiKey, id, otpauthUri } = await openPurchase();
      const body = { totpCode: totpCode(otpauthUri) };
      const first = await call('POST', mfaPath(id), { apiKey, body, ...withKey });

      const second = await call('POST', mfaPath(escaped(id, letters)), { apiKey, body, ...withKey });

      expect(first.status).toBe(200);
      expect(isReplay(second)).toBe(true);
      expect(second.text).toBe(first.text);
    },
  );

  test.each([
    ['a doubled slash', INITIATE_PATH.replace('/transactions', '//transactions')],
    ['an escape of an escape', INITIATE_PATH.replace('initiate', '%2569nitiate')],
    ['an escaped slash', INITIATE_PATH.replace('/initiate', '%2Finitiate')],
    ['capitals', INITIATE_PATH.toUpperCase()],
  ])('is no endpoint with %s', async (_, path) => {
    const { partnerId, apiKey, kycToken } = await approvedClient();

    const answer = await call('POST', path, { apiKey, body: aPurchase(kycToken), ...withKey });

    expectRefusal(answer, 'NOT_FOUND', {});
    expect(await transactionsOf(partnerId)).toEqual([]);
  });
});
