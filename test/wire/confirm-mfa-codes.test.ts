import { describe, expect, test } from 'vitest';
import { hurriedMinutes } from '../support/hurried.ts';
import {
  type Answer,
  codeOf,
  confirmMfa,
  editRow,
  expectRefusal,
  forgetCharges,
  type OpenPurchase,
  openPurchase,
  wrongCodeOf,
} from '../support/partner-api.ts';
import { chargeAtPsp, pspDownFor } from '../support/provider-faults.ts';
import { rowOf } from '../support/sandbox.ts';

const CLIENT_LOCKED = { scope: 'client', retryAfterSeconds: expect.any(Number) };

const guess = (purchase: OpenPurchase, index = 0) =>
  confirmMfa(purchase.apiKey, purchase.id, wrongCodeOf(purchase, index));

/** Another purchase of the same client, who uses the same secret. */
async function another(purchase: OpenPurchase): Promise<OpenPurchase> {
  return { ...(await openPurchase(purchase)), otpauthUri: purchase.otpauthUri };
}

async function clientOf({ kycToken }: OpenPurchase) {
  const { clientId } = (await rowOf('TablesKycRecords', kycToken))!;
  return (await rowOf('TablesClients', String(clientId)))! as { id: string; lockedUntil?: number };
}

describe('422 MFA_INVALID_CODE', () => {
  // Spec, Errors: "MFA_INVALID_CODE 422: TOTP code wrong or expired"
  // docs/decisions.md, "Codes of a challenge"
  test('counts the remaining tries from 4 to 0, then MFA_ATTEMPTS_EXCEEDED replaces it', async () => {
    const purchase = await openPurchase();

    const answers: Answer[] = [];
    for (let index = 0; index < 5; index++) answers.push(await guess(purchase, index));
    const exceeded = await guess(purchase, 5);
    const tooLate = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));

    for (const [index, answer] of answers.entries()) {
      expectRefusal(answer, 'MFA_INVALID_CODE', { attemptsRemaining: 4 - index });
    }
    expectRefusal(exceeded, 'MFA_ATTEMPTS_EXCEEDED', { scope: 'transaction' });
    expectRefusal(tooLate, 'MFA_ATTEMPTS_EXCEEDED', { scope: 'transaction' });
    expect(await rowOf('TablesTransactions', purchase.id)).toMatchObject({
      mfaAttempts: 5,
      status: 'AWAITING_MFA',
    });
    expect(await chargeAtPsp(purchase.id)).toBeUndefined();
  });

  test('counts five of fifteen parallel guesses, each once', async () => {
    const purchase = await openPurchase();

    const answers = await Promise.all(Array.from({ length: 15 }, (_, index) => guess(purchase, index)));

    const wrong = answers.filter(({ error }) => error.code === 'MFA_INVALID_CODE');
    const remaining = wrong.map(({ error }) => error.details.attemptsRemaining);
    expect(remaining.sort()).toEqual([0, 1, 2, 3, 4]);
    for (const answer of answers.filter((each) => !wrong.includes(each))) {
      expectRefusal(answer, 'MFA_ATTEMPTS_EXCEEDED', { scope: 'transaction' });
    }
    expect(await rowOf('TablesTransactions', purchase.id)).toMatchObject({ mfaAttempts: 5 });
  });

  // Spec, Errors: "MFA_INVALID_CODE 422: TOTP code wrong or expired"
  // docs/decisions.md, "Codes of a challenge"
  test.each([-2, -20, 2, 20])('refuses the code of the time step %d', async (steps) => {
    const purchase = await openPurchase();

    const answer = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase, steps));

    expectRefusal(answer, 'MFA_INVALID_CODE', { attemptsRemaining: 4 });
  });

  test('refuses a code of another client', async () => {
    const [one, other] = [await openPurchase(), await openPurchase()];

    const answer = await confirmMfa(one.apiKey, one.id, await codeOf(other));

    expectRefusal(answer, 'MFA_INVALID_CODE', { attemptsRemaining: 4 });
  });

  test('refuses an accepted code at another purchase of the client, and older codes', async () => {
    const first = await openPurchase();
    const second = await another(first);
    const code = await codeOf(first);
    const accepted = await confirmMfa(first.apiKey, first.id, code);

    const replayed = await confirmMfa(second.apiKey, second.id, code);
    const older = await confirmMfa(second.apiKey, second.id, await codeOf(first, -1));
    await forgetCharges(first);
    const fresh = await confirmMfa(second.apiKey, second.id, await codeOf(first, 1));

    expect(accepted.status).toBe(200);
    expectRefusal(replayed, 'MFA_INVALID_CODE', { attemptsRemaining: 4 });
    expectRefusal(older, 'MFA_INVALID_CODE', { attemptsRemaining: 3 });
    expect(fresh.status).toBe(200);
  });

  test('refuses an accepted code elsewhere even while its own charge cannot be made', async () => {
    const first = await openPurchase();
    const second = await another(first);
    const code = await codeOf(first);
    const psp = await pspDownFor(first.id);
    const accepted = await confirmMfa(first.apiKey, first.id, code);

    const replayed = await confirmMfa(second.apiKey, second.id, code);
    await psp.heal();

    expect(accepted.status).toBe(500);
    expectRefusal(replayed, 'MFA_INVALID_CODE', { attemptsRemaining: 4 });
    expect((await confirmMfa(first.apiKey, first.id, code)).status).toBe(200);
  });

  test('clears one of two purchases that are confirmed at once with one code', async () => {
    const first = await openPurchase();
    const second = await another(first);
    const code = await codeOf(first);

    const answers = await Promise.all([first, second].map(({ apiKey, id }) => confirmMfa(apiKey, id, code)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expectRefusal(answers.find(({ status }) => status === 422)!, 'MFA_INVALID_CODE');
  });

  test('is remembered under its Idempotency-Key, so that a repeated guess counts once', async () => {
    const purchase = await openPurchase();
    const key = { headers: { 'Idempotency-Key': 'guess' } };
    const code = wrongCodeOf(purchase);

    const first = await confirmMfa(purchase.apiKey, purchase.id, code, key);
    const second = await confirmMfa(purchase.apiKey, purchase.id, code, key);

    expect(second.text).toBe(first.text);
    expect(await rowOf('TablesTransactions', purchase.id)).toMatchObject({ mfaAttempts: 1 });
  });
});

describe('422 MFA_ATTEMPTS_EXCEEDED', () => {
  test('locks the client for fifteen minutes after ten wrong codes at all purchases', async () => {
    const first = await openPurchase();
    const [second, third] = [await another(first), await another(first)];
    for (const purchase of [first, second]) {
      await Promise.all(Array.from({ length: 5 }, (_, index) => guess(purchase, index)));
    }

    const locked = await confirmMfa(third.apiKey, third.id, await codeOf(third));
    const client = await clientOf(first);

    expectRefusal(locked, 'MFA_ATTEMPTS_EXCEEDED', CLIENT_LOCKED);
    expect(await rowOf('TablesTransactions', third.id)).toMatchObject({ mfaAttempts: 0 });
    const { retryAfterSeconds } = locked.error.details;
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(hurriedMinutes(15) / 1000);
    expect(locked.headers.get('retry-after')).toBe(String(retryAfterSeconds));
    expect(client.lockedUntil).toBeGreaterThan(Date.now());
    expect(client.lockedUntil).toBeLessThanOrEqual(Date.now() + hurriedMinutes(15));
  });

  test('ends with the lock', async () => {
    const purchase = await openPurchase();
    const { id } = await clientOf(purchase);
    await editRow('TablesClients', id, { lockedUntil: Date.now() + 600_000 });
    const locked = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));

    await editRow('TablesClients', id, { lockedUntil: Date.now() - 1 });
    const open = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));

    expectRefusal(locked, 'MFA_ATTEMPTS_EXCEEDED', CLIENT_LOCKED);
    expect(open.status).toBe(200);
  });

  test('names the time of a lock under an Idempotency-Key too, and is not remembered', async () => {
    const purchase = await openPurchase();
    const { id } = await clientOf(purchase);
    const code = await codeOf(purchase);
    const key = { headers: { 'Idempotency-Key': 'patient' } };
    await editRow('TablesClients', id, { lockedUntil: Date.now() + 600_000 });
    const locked = await confirmMfa(purchase.apiKey, purchase.id, code, key);

    await editRow('TablesClients', id, { lockedUntil: Date.now() - 1 });
    const open = await confirmMfa(purchase.apiKey, purchase.id, code, key);

    expectRefusal(locked, 'MFA_ATTEMPTS_EXCEEDED', CLIENT_LOCKED);
    expect(locked.headers.get('retry-after')).toBe(String(locked.error.details.retryAfterSeconds));
    expect(open.status).toBe(200);
  });

  test('does not come after nine wrong codes, and an accepted code restarts the count', async () => {
    const first = await openPurchase();
    const [second, third] = [await another(first), await another(first)];
    for (let index = 0; index < 5; index++) await guess(first, index);
    for (let index = 0; index < 4; index++) await guess(second, index);

    const accepted = await confirmMfa(second.apiKey, second.id, await codeOf(second));
    for (let index = 0; index < 4; index++) await guess(third, index);
    await forgetCharges(second);
    const next = await confirmMfa(third.apiKey, third.id, await codeOf(third, 1));

    expect([accepted.status, next.status]).toEqual([200, 200]);
  });
});
