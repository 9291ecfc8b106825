import { isValidPixPayload } from '@brazilian-utils/brazilian-utils/is-valid-pix-payload';
import { generateSync } from 'otplib';
import { describe, expect, test } from 'vitest';
import { confirmMfa as answerMfa } from '../../functions/api/confirm-mfa.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { PIX_WINDOW_MINUTES } from '../../functions/domain/purchase/transaction.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { newTotpSecret } from '../../functions/logic/purchase/totp.ts';
import { aClient, aPartner, MINUTE_MS } from '../support/builders.ts';
import { hurriedMinutes } from '../support/hurried.ts';
import {
  type Answer,
  approvedClient,
  codeOf,
  confirmMfa,
  editRow,
  expectRefusal,
  getStatus,
  moveRow,
  openPurchase,
  wrongCodeOf,
} from '../support/partner-api.ts';
import { openPorts, putPurchaseIn, reread } from '../support/ports.ts';
import { chargeAtPsp, expectOneCharge, pspDownFor } from '../support/provider-faults.ts';
import { newPartner, rowOf } from '../support/sandbox.ts';

/** A purchase in AWAITING_MFA of a client whose secret the test knows, with ports that the test changes. */
async function challenged() {
  const ports = openPorts();
  const purchase = await putPurchaseIn(ports, 'AWAITING_MFA');
  const { clientId: id, partnerId } = purchase;
  const secret = newTotpSecret(ports.random);
  const totpCipher = await ports.totpSealer.encrypt(secret, id);
  const cpfCipher = await ports.vault.encrypt('52998224725', id);
  await ports.clients.create(aClient({ id, partnerId, totpCipher, cpfCipher }));
  return { ports, purchase, secret };
}

const UNKNOWN_ID = '0'.repeat(26);
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

describe('200', () => {
  // Spec, Transaction: "Pix copy-paste string, issued once the challenge is cleared"
  // Spec, Confirm MFA: "pixPayload and, in Model 1, also pixQrCode"
  // Spec, Transaction states: "AWAITING_PIX: MFA code accepted"
  // docs/decisions.md, "Fields of the answers"
  test('clears the challenge and gives the Pix to pay', async () => {
    const purchase = await openPurchase();
    const before = Date.now();

    const { status, data } = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));

    expect(status).toBe(200);
    expect(Object.keys(data).sort()).toEqual(
      ['pixExpiresAt', 'pixPayload', 'pixQrCode', 'status', 'transactionId'].sort(),
    );
    expect(data).toMatchObject({ transactionId: purchase.id, status: 'AWAITING_PIX' });
    expect(isValidPixPayload(String(data.pixPayload))).toBe(true);
    const [kind, image = ''] = String(data.pixQrCode).split(',');
    expect(kind).toBe('data:image/png;base64');
    expect(Buffer.from(image, 'base64').subarray(0, 8)).toEqual(PNG);
    const lifeMs = Date.parse(String(data.pixExpiresAt)) - before;
    expect(lifeMs).toBeGreaterThan(hurriedMinutes(PIX_WINDOW_MINUTES) - 5_000);
    expect(lifeMs).toBeLessThan(hurriedMinutes(PIX_WINDOW_MINUTES + 30));
  });

  test('requests one charge of the provider, under the id of the transaction', async () => {
    const purchase = await openPurchase(undefined, { amountBrl: 1234.5 });

    await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));

    const charge = await chargeAtPsp(purchase.id);
    expect(charge).toMatchObject({
      status: 'ATIVA',
      revisions: [{ valor: { original: '1234.50' }, devedor: { cpf: purchase.cpf } }],
    });
  });

  // Spec, Transaction: "Pix copy-paste string, issued once the challenge is cleared"
  // Spec, Confirm MFA: "pixPayload and, in Model 1, also pixQrCode"
  test('gives no QR code in Model 3', async () => {
    const purchase = await openPurchase(await approvedClient({ mode: 'shared' }));

    const { status, data } = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));

    expect(status).toBe(200);
    expect(isValidPixPayload(String(data.pixPayload))).toBe(true);
    expect(data).not.toHaveProperty('pixQrCode');
  });

  test.each([
    ['of now', 0],
    ['of the time step before', -1],
    ['of the time step to come', 1],
  ])('takes a code %s', async (_, steps) => {
    const purchase = await openPurchase();

    const answer = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase, steps));

    expect(answer.status).toBe(200);
  });

  test('takes the right code after four wrong ones', async () => {
    const purchase = await openPurchase();
    for (let index = 0; index < 4; index++) {
      await confirmMfa(purchase.apiKey, purchase.id, wrongCodeOf(purchase, index));
    }

    const answer = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));

    expect(answer.status).toBe(200);
  });

  test('answers two calls at once, for one charge', async () => {
    const purchase = await openPurchase();
    const code = await codeOf(purchase);

    const answers = await Promise.all([1, 2].map(() => confirmMfa(purchase.apiKey, purchase.id, code)));

    expectOneOutcome(answers);
    await expectOneCharge(purchase.id);
  });

  test('answers each call during another with the same Pix or with the status, never "too many codes"', async () => {
    for (const pauseMs of [10, 15, 20, 25, 30, 35, 40, 45]) {
      const purchase = await openPurchase();
      const code = await codeOf(purchase);

      // A purchase has five tries, which five calls must not use up. The last calls arrive as the first one ends.
      const answers = await Promise.all(
        [0, 1, 2, 3, 4].map(async (index) => {
          await new Promise((resolve) => setTimeout(resolve, index * pauseMs));
          return confirmMfa(purchase.apiKey, purchase.id, code);
        }),
      );

      expectOneOutcome(answers);
      await expectOneCharge(purchase.id);
    }
  });
});

function expectOneOutcome(answers: Answer[]): void {
  const good = answers.filter(({ status }) => status === 200);
  expect(good.length).toBeGreaterThan(0);
  expect(new Set(good.map(({ data }) => data.pixPayload)).size).toBe(1);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expectRefusal(answer, 'INVALID_TRANSACTION_STATE', { status: 'AWAITING_PIX' });
  }
}

describe('404 TRANSACTION_NOT_FOUND', () => {
  test('answers for another partner’s transaction as for an unknown one, and counts no try', async () => {
    const purchase = await openPurchase();
    const { apiKey } = await newPartner();

    const others = await confirmMfa(apiKey, purchase.id, await codeOf(purchase));
    const unknown = await confirmMfa(apiKey, UNKNOWN_ID, '123456');

    expectRefusal(others, 'TRANSACTION_NOT_FOUND', {});
    expect(others.text).toBe(unknown.text);
    expect(await rowOf('TablesTransactions', purchase.id)).toMatchObject({ mfaAttempts: 0 });
  });
});

describe('409', () => {
  test('TRANSACTION_EXPIRED answers a late code, even if the row has not moved yet', async () => {
    const purchase = await openPurchase();
    await editRow('TablesTransactions', purchase.id, { expiresAt: Date.now() - 1 });

    const answer = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));

    expectRefusal(answer, 'TRANSACTION_EXPIRED', {});
    expect(await chargeAtPsp(purchase.id)).toBeUndefined();
  });

  // docs/decisions.md, "Precedence of refusals"
  test('TRANSACTION_EXPIRED answers for an expired purchase', async () => {
    const purchase = await openPurchase();
    await editRow('TablesTransactions', purchase.id, { status: 'EXPIRED', expiresAt: undefined });

    const answer = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));

    expectRefusal(answer, 'TRANSACTION_EXPIRED', {});
  });

  test.each(['AWAITING_PIX', 'PROCESSING', 'COMPLETED', 'FAILED'] as const)(
    'INVALID_TRANSACTION_STATE answers in %s, for right and wrong codes',
    async (status) => {
      const purchase = await openPurchase();
      await moveRow(purchase.id, status);

      for (const code of [await codeOf(purchase), wrongCodeOf(purchase)]) {
        const answer = await confirmMfa(purchase.apiKey, purchase.id, code);
        expectRefusal(answer, 'INVALID_TRANSACTION_STATE', { status });
      }

      expect(await rowOf('TablesTransactions', purchase.id)).toMatchObject({ mfaAttempts: 0 });
    },
  );

  test('INVALID_TRANSACTION_STATE answers the accepted code once the charge exists', async () => {
    const purchase = await openPurchase();
    const code = await codeOf(purchase);
    await confirmMfa(purchase.apiKey, purchase.id, code);

    const again = await confirmMfa(purchase.apiKey, purchase.id, code);

    expectRefusal(again, 'INVALID_TRANSACTION_STATE', { status: 'AWAITING_PIX' });
  });

  // Spec, Confirm MFA: "Used only for MFA_TOTP challenges"
  // docs/decisions.md, "Precedence of refusals"
  test('CHALLENGE_TYPE_MISMATCH answers for a liveness challenge', async () => {
    const purchase = await openPurchase();
    await editRow('TablesTransactions', purchase.id, { challenge: { type: 'LIVENESS' } });

    const answer = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));

    expectRefusal(answer, 'CHALLENGE_TYPE_MISMATCH', {});
  });
});

describe('500', () => {
  // Spec, Errors: "INTERNAL_ERROR 500: Service-side error"
  // docs/decisions.md, "A provider is down"
  test('answers while the payment provider is down; the same code succeeds once it is back', async () => {
    const purchase = await openPurchase();
    const code = await codeOf(purchase);
    const psp = await pspDownFor(purchase.id);

    const failed = await confirmMfa(purchase.apiKey, purchase.id, code);
    const waiting = await getStatus(purchase.apiKey, purchase.id);
    await psp.heal();
    const retried = await confirmMfa(purchase.apiKey, purchase.id, code);

    expectRefusal(failed, 'INTERNAL_ERROR', {});
    expect(failed.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(waiting.data).toMatchObject({ status: 'AWAITING_MFA' });
    expect(retried.status).toBe(200);
    expect(retried.data).toMatchObject({ status: 'AWAITING_PIX' });
  });

  test('uses up no tries, however long the provider is down', async () => {
    const { ports, purchase, secret } = await challenged();
    const { createCharge } = ports.pix;
    const totpCode = generateSync({ secret, epoch: ports.clock.now() / 1000 });
    const partner = aPartner({ id: purchase.partnerId });
    const caller = { partner, keyId: 'key1', ids: reservedIds({ at: 0, seed: '' }) };
    const confirm = () => answerMfa({ id: purchase.id, totpCode }, caller, ports);

    ports.pix.createCharge = () => Promise.reject(new Unavailable('the payment provider'));
    for (let call = 0; call < 7; call++) await expect(confirm()).rejects.toThrow(Unavailable);
    Object.assign(ports.pix, { createCharge });

    expect(await confirm()).toMatchObject({ status: 'AWAITING_PIX' });
  });

  test.each([
    ['broken', new Error('the charge has another valor')],
    ['down', new Unavailable('the payment provider')],
  ])('gives back the try of a right code if a later call is %s', async (_, error) => {
    const { ports, purchase, secret } = await challenged();
    ports.pix.createCharge = () => Promise.reject(error);
    const totpCode = generateSync({ secret, epoch: ports.clock.now() / 1000 });
    const partner = aPartner({ id: purchase.partnerId });
    const caller = { partner, keyId: 'key1', ids: reservedIds({ at: 0, seed: '' }) };

    await expect(answerMfa({ id: purchase.id, totpCode }, caller, ports)).rejects.toBe(error);

    expect(await reread(ports, purchase)).toMatchObject({ mfaAttempts: 0 });
  });

  type Ports = Awaited<ReturnType<typeof challenged>>['ports'];
  const WAITING: [string, string, (ports: Ports, isWaiting: boolean) => void][] = [
    [
      'the treasury is low',
      'LIQUIDITY_UNAVAILABLE',
      (ports, isWaiting) => {
        ports.liquidity.isEmpty = isWaiting;
      },
    ],
    [
      'the client has reached a limit',
      'LIMIT_EXCEEDED',
      (ports, isWaiting) => {
        ports.chargeLimits.tiers.STANDARD.dailyBrl = isWaiting ? 50 : 50_000;
      },
    ],
    [
      'no price can be trusted',
      'PRICE_UNAVAILABLE',
      (ports, isWaiting) => {
        ports.prices.ask = isWaiting ? '2.60' : '5.45';
      },
    ],
  ];

  test.each(WAITING)(
    'gives back the try if %s, charges nothing, and continues by its key',
    async (_, code, wait) => {
      const { ports, purchase, secret } = await challenged();
      wait(ports, true);
      const totpCode = generateSync({ secret, epoch: ports.clock.now() / 1000 });
      const caller = {
        partner: aPartner({ id: purchase.partnerId }),
        ids: reservedIds({ at: 0, seed: 'one key' }),
      };
      const confirm = () => answerMfa({ id: purchase.id, totpCode }, caller, ports);

      for (let call = 0; call < 7; call++) {
        await expect(confirm()).rejects.toMatchObject({ code });
      }
      expect(await reread(ports, purchase)).toMatchObject({ status: 'AWAITING_MFA', mfaAttempts: 0 });
      expect(ports.pix.charges.size).toBe(0);
      // By then the code itself is no longer valid.
      ports.clock.advance(10 * MINUTE_MS);
      wait(ports, false);

      expect(await confirm()).toMatchObject({ status: 'AWAITING_PIX' });
    },
  );

  test.each(WAITING)(
    'does not use up the code if %s: without a key it stays right while it lasts',
    async (_, code, wait) => {
      const { ports, purchase, secret } = await challenged();
      wait(ports, true);
      const totpCode = generateSync({ secret, epoch: ports.clock.now() / 1000 });
      const partner = aPartner({ id: purchase.partnerId });
      const confirm = (seed: string) =>
        answerMfa({ id: purchase.id, totpCode }, { partner, ids: reservedIds({ at: 0, seed }) }, ports);

      for (let call = 0; call < 7; call++) {
        await expect(confirm(`call ${call}`)).rejects.toMatchObject({ code });
      }
      wait(ports, false);

      expect(await confirm('last')).toMatchObject({ status: 'AWAITING_PIX' });
    },
  );

  test('is not remembered under an Idempotency-Key', async () => {
    const purchase = await openPurchase();
    const code = await codeOf(purchase);
    const key = { headers: { 'Idempotency-Key': 'pay' } };
    const psp = await pspDownFor(purchase.id);

    const failed = await confirmMfa(purchase.apiKey, purchase.id, code, key);
    await psp.heal();
    const retried = await confirmMfa(purchase.apiKey, purchase.id, code, key);
    const replayed = await confirmMfa(purchase.apiKey, purchase.id, code, key);

    expect([failed.status, retried.status]).toEqual([500, 200]);
    expect(replayed.text).toBe(retried.text);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  });
});
