import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { hurriedMinutes } from '../support/hurried.ts';
import {
  type Answer,
  codeOf,
  confirmMfa,
  getStatus,
  type OpenPurchase,
  openPurchase,
  wrongCodeOf,
} from '../support/partner-api.ts';
import { chargeAtPsp, expectOneCharge } from '../support/provider-faults.ts';
import { rowOf } from '../support/sandbox.ts';

const manyOf = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

const guess = (purchase: OpenPurchase, index: number) =>
  confirmMfa(purchase.apiKey, purchase.id, wrongCodeOf(purchase, index));
const giveCode = async (purchase: OpenPurchase, steps = 0) =>
  confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase, steps));

/** Another purchase of the same client, who uses the same secret. */
const another = async (purchase: OpenPurchase): Promise<OpenPurchase> => ({
  ...(await openPurchase(purchase)),
  otpauthUri: purchase.otpauthUri,
});

/** A status, or the code of the refusal and the reached limit, with the number of answers of each. */
function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { data, error } of answers) {
    const outcome = error ? [error.code, error.details.scope].filter(Boolean).join(' ') : String(data.status);
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

const LOOKED_AT = 'MFA_INVALID_CODE';
const USED_UP = 'MFA_ATTEMPTS_EXCEEDED transaction';
const LOCKED = 'MFA_ATTEMPTS_EXCEEDED client';

describe('guesses at the codes of a client', () => {
  /** Starts as many instances as a burst uses, because minutes are shortened here. */
  beforeAll(async () => {
    const purchase = await openPurchase();
    await manyOf(20, (index) => guess(purchase, index));
  });

  test('are compared for 5 of 60 at once at one purchase', async () => {
    const purchase = await openPurchase();

    const answers = await manyOf(60, (index) => guess(purchase, index % 40));

    expect(tally(answers)).toEqual({ [LOOKED_AT]: 5, [USED_UP]: 55 });
    expect(await chargeAtPsp(purchase.id)).toBeUndefined();
  });

  test('are compared for 10 of 40 at once at eight purchases, then all are locked for 15 minutes', async () => {
    const first = await openPurchase();
    const purchases = [first];
    while (purchases.length < 8) purchases.push(await another(first));

    const answers = await manyOf(40, (index) => guess(purchases[index % 8]!, index));
    const locked = await Promise.all(
      [...purchases.slice(0, 2), await another(first)].map((each) => giveCode(each)),
    );

    expect(tally(answers)).toEqual({ [LOOKED_AT]: 10, [LOCKED]: 30 });
    expect(tally(locked)).toEqual({ [LOCKED]: 3 });
    const seconds = Number(locked[0]!.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(hurriedMinutes(15) / 1000);

    await wait(seconds * 1000);

    expect(tally([await giveCode(await another(first))])).toEqual({ AWAITING_PIX: 1 });
  });

  test('lock no other client', async () => {
    const [one, other] = [await openPurchase(), await openPurchase()];
    const purchases = [one, await another(one), await another(one)];

    const answers = await manyOf(15, (index) => guess(purchases[index % 3]!, index));

    expect(tally(answers)).toEqual({ [LOOKED_AT]: 10, [LOCKED]: 5 });
    expect(tally([await giveCode(other)])).toEqual({ AWAITING_PIX: 1 });
  });
});

describe('a right code', () => {
  test('clears one of four purchases that it is given for at once, and is wrong for the others', async () => {
    const first = await openPurchase();
    const purchases = [first, await another(first), await another(first), await another(first)];
    const code = await codeOf(first);

    const answers = await Promise.all(purchases.map(({ apiKey, id }) => confirmMfa(apiKey, id, code)));

    expect(tally(answers)).toEqual({ AWAITING_PIX: 1, [LOOKED_AT]: 3 });
    const charges = await Promise.all(purchases.map(({ id }) => chargeAtPsp(id)));
    expect(charges.filter(Boolean)).toHaveLength(1);
  });

  test('makes one charge if it is given twice at once for one purchase', async () => {
    const purchase = await openPurchase();
    const code = await codeOf(purchase);

    const give = async (): Promise<Answer> => {
      const answer = await confirmMfa(purchase.apiKey, purchase.id, code);
      // The treasury was read in between: the same request may be repeated.
      return answer.error?.code === 'LIQUIDITY_UNAVAILABLE' ? give() : answer;
    };
    const answers = await manyOf(2, give);
    const { data } = await getStatus(purchase.apiKey, purchase.id);

    expect(data.status).toBe('AWAITING_PIX');
    for (const { status, data: confirmed, error } of answers) {
      if (status === 200) expect(confirmed.pixPayload).toBe(data.pixPayload);
      else expect(error).toMatchObject({ code: 'INVALID_TRANSACTION_STATE' });
    }
    await expectOneCharge(purchase.id);
    expect(await rowOf('TablesTransactions', purchase.id)).toMatchObject({ sequence: 0 });
  });
});
