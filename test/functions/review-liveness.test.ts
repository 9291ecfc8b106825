import { describe, expect, test } from 'vitest';
import { cancelTransaction } from '../../functions/api/cancel-transaction.ts';
import { getTransactionStatus } from '../../functions/api/get-transaction-status.ts';
import { livenessIdOf } from '../../functions/domain/kyc/identity.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { livenessUrlOf } from '../../functions/logic/purchase/liveness-link.ts';
import { processCallback } from '../../functions/queues/process-callback.ts';
import { sweepStuckTransactions } from '../../functions/schedules/sweep-stuck-transactions.ts';
import { expireTransaction } from '../../functions/steps/expire-transaction.ts';
import { aClient, aLockedQuote, MINUTE_MS } from '../support/builders.ts';
import { limitsWith } from '../support/charge-limits.ts';
import {
  eventsOf,
  MFA_UNTIL,
  openPorts,
  PIX_UNTIL,
  putPurchaseIn,
  reread,
  START_AT,
  type TestPorts,
} from '../support/ports.ts';

import { type InTurns, ordersOf, raceIn } from '../support/turns.ts';

const PARTNER: Partner = {
  id: 'p',
  name: 'Exchange',
  status: 'ACTIVE',
  spreadBasisPoints: 100,
  webhookEndpoints: [],
  keyIds: [],
  createdAt: START_AT,
  version: 1,
};
const TOKEN = 'token-1';

/** A purchase whose client is at the liveness page. The link was made with it. */
async function atLiveness(changes: Partial<Transaction> = {}) {
  const opened = openPorts();
  const ports = { ...opened, partners: { ...opened.partners, findPartner: async () => PARTNER } };
  const { rateLock } = changes;
  if (rateLock) {
    const terms = { limits: opened.promiseLimits, now: START_AT };
    await opened.quoteOffers.create(aLockedQuote({ id: rateLock.quoteId }), terms);
  }
  const purchase = await putPurchaseIn(opened, 'AWAITING_MFA', {
    challenge: { type: 'LIVENESS' },
    riskTier: 'HIGH',
    wait: { status: 'AWAITING_MFA', token: TOKEN },
    liveness: { attempt: 1, url: 'https://identity.example/first', urlExpiresAt: START_AT + 10 * MINUTE_MS },
    ...changes,
  });
  const { clientId: id } = purchase;
  const cpfCipher = await ports.vault.encrypt('52998224725', id);
  await ports.clients.create(aClient({ id, cpfCipher }));
  const news = (attempt = 1) => processCallback({ livenessIds: [livenessIdOf(purchase.id, attempt)] }, ports);
  const end = (status: 'PASSED' | 'FAILED', reviewedAt = ports.clock.now(), attempt = 1) =>
    ports.identity.checks.set(livenessIdOf(purchase.id, attempt), { status, reviewedAt });
  const read = (outside = ports) =>
    getTransactionStatus(
      { id: purchase.id },
      { partner: { ...PARTNER, id: purchase.partnerId }, ids: undefined as never },
      outside,
    );
  return { ports, purchase, news, end, read };
}

const typesOf = async (ports: TestPorts, purchase: Transaction) =>
  (await eventsOf(ports, purchase)).map(({ type, data }) => [type, data.sequence]);
const CLEARED = [
  ['transaction.mfa_cleared', 1],
  ['transaction.pix_ready', 2],
];

describe('the news of a passed liveness check', () => {
  test.each<[string, (ports: TestPorts, isWaiting: boolean) => void]>([
    [
      'a treasury that is low',
      (ports, isWaiting) => {
        ports.liquidity.isEmpty = isWaiting;
      },
    ],
    [
      'a limit of the client’s',
      (ports, isWaiting) => {
        ports.chargeLimits = limitsWith({ dailyBrl: isWaiting ? 50 : 50_000 });
      },
    ],
    [
      'the promises of others',
      (ports, isWaiting) => {
        ports.promiseLimits.assetBrl = isWaiting ? 50 : 50_000;
      },
    ],
    [
      'a price that can be trusted',
      (ports, isWaiting) => {
        ports.prices.ask = isWaiting ? '2.60' : '5.45';
      },
    ],
  ])('waits in time for %s, and issues the payload afterwards', async (_, wait) => {
    const { ports, purchase, news, end } = await atLiveness();
    end('PASSED');
    wait(ports, true);

    await news();
    expect(await reread(ports, purchase)).toMatchObject({ status: 'AWAITING_MFA' });
    expect(ports.pix.charges.size).toBe(0);

    wait(ports, false);
    await news();
    expect(await reread(ports, purchase)).toMatchObject({ status: 'AWAITING_PIX' });
  });

  // docs/decisions.md, "Quotes and open promises"
  test.each([
    [1, 'AWAITING_PIX', 1],
    [0, 'AWAITING_MFA', 0],
  ])('issues a payload only %d ms before the end of the quote', async (leftMs, status, charges) => {
    const { ports, purchase, news, end } = await atLiveness({
      rateLock: { quoteId: 'quote_X', until: START_AT + leftMs },
    });
    end('PASSED');

    await news();

    expect(await reread(ports, purchase)).toMatchObject({ status });
    expect(ports.pix.charges.size).toBe(charges);
  });

  // Spec, Transaction states: "AWAITING_PIX: liveness completed"
  // Spec, Events: "transaction.pix_ready: Includes pixPayload"
  // docs/decisions.md, "Facts that partners learn"
  test('issues the Pix payload, sends both events in their order, and wakes the machine', async () => {
    const { ports, purchase, news, end } = await atLiveness();
    end('PASSED');

    await news();

    const cleared = await reread(ports, purchase);
    expect(cleared).toMatchObject({ status: 'AWAITING_PIX', pix: { payload: `BRCODE-${purchase.id}` } });
    expect(await typesOf(ports, purchase)).toEqual(CLEARED);
    const [, ready] = await eventsOf(ports, purchase);
    expect(ready?.data).toMatchObject({
      pixPayload: `BRCODE-${purchase.id}`,
      pixExpiresAt: expect.any(String),
    });
    expect(ports.machine.resumed).toEqual([
      { token: TOKEN, output: { transactionId: purchase.id, status: 'AWAITING_PIX' } },
    ]);
  });

  test('counts only if the provider says the same when it is read again', async () => {
    const { ports, purchase, news } = await atLiveness();

    await news();

    expect((await reread(ports, purchase)).status).toBe('AWAITING_MFA');
    expect(ports.pix.charges.size).toBe(0);
  });

  test('changes nothing more if it comes twice', async () => {
    const { ports, purchase, news, end } = await atLiveness();
    end('PASSED');

    await Promise.all([news(), news()]);
    await news();

    expect(await typesOf(ports, purchase)).toEqual(CLEARED);
    expect((await reread(ports, purchase)).history).toHaveLength(2);
  });

  test('is not lost while the payment provider is out: it comes again and then issues the charge', async () => {
    const { ports, purchase, news, end } = await atLiveness();
    end('PASSED');
    ports.pix.isDown = true;

    await expect(news()).rejects.toThrow('the payment provider is unavailable');
    expect((await reread(ports, purchase)).status).toBe('AWAITING_MFA');
    ports.pix.isDown = false;
    await news();

    expect(await typesOf(ports, purchase)).toEqual(CLEARED);
  });

  test.each([
    { shown: 'before', reviewedAt: START_AT - 1, left: START_AT },
    { shown: 'after', reviewedAt: START_AT, left: undefined },
  ])('of a face shown $shown a reset of TOTP counts as far as it can', async ({ reviewedAt, left }) => {
    const { ports, purchase, news, end } = await atLiveness();
    await ports.clients.resetTotp(purchase.clientId, 'another cipher', START_AT);
    end('PASSED', reviewedAt);

    await news();

    expect((await reread(ports, purchase)).status).toBe('AWAITING_PIX');
    expect((await ports.clients.findClient(purchase.clientId))?.mustProve).toBe(left);
  });

  test('ends the client’s duty to prove themselves even if it breaks off before the purchase moves on', async () => {
    const { ports, purchase, news, end } = await atLiveness();
    await ports.clients.resetTotp(purchase.clientId, 'another cipher', START_AT);
    end('PASSED');
    const broken = { ...ports.transactions, save: () => Promise.reject(new Error('killed')) };

    await expect(
      processCallback({ livenessIds: [livenessIdOf(purchase.id, 1)] }, { ...ports, transactions: broken }),
    ).rejects.toThrow('killed');
    await news();

    expect((await reread(ports, purchase)).status).toBe('AWAITING_PIX');
    expect((await ports.clients.findClient(purchase.clientId))?.mustProve).toBeUndefined();
  });

  test('ends the duty of a client whose TOTP was reset to prove themselves', async () => {
    const { ports, purchase, news, end } = await atLiveness();
    await ports.clients.resetTotp(purchase.clientId, 'another cipher', START_AT);
    end('PASSED');

    await news();

    const client = await ports.clients.findClient(purchase.clientId);
    expect(client).toMatchObject({ totpCipher: 'another cipher' });
    expect(client?.mustProve).toBeUndefined();
  });
});

describe('a failed liveness check', () => {
  test('leaves the purchase open, and the next status has a link to a new attempt', async () => {
    const { ports, purchase, news, end, read } = await atLiveness();
    end('FAILED');

    await news();
    const answer = await read();

    expect(answer).toMatchObject({ status: 'AWAITING_MFA', authChallenge: { type: 'LIVENESS' } });
    const { liveness } = await reread(ports, purchase);
    expect(liveness?.url).toContain(livenessIdOf(purchase.id, 2));
    expect(answer.authChallenge?.livenessUrl).toBe(livenessUrlOf(ports.apiUrl, purchase.id, liveness!));
    end('PASSED', ports.clock.now(), 2);
    await news(2);
    expect((await reread(ports, purchase)).status).toBe('AWAITING_PIX');
  });

  test('gives one new attempt if it is reported twice', async () => {
    const { ports, purchase, news, end } = await atLiveness();
    end('FAILED');

    await news();
    await news();

    expect((await reread(ports, purchase)).liveness).toEqual({ attempt: 2, url: '', urlExpiresAt: 0 });
  });
});

describe('a link', () => {
  // docs/decisions.md, "The liveness check"
  test('leads to our page, unchanged while it is valid', async () => {
    const { ports, purchase, read } = await atLiveness();
    const before = (await read()).authChallenge?.livenessUrl;
    ports.clock.advance(10 * MINUTE_MS - 1);

    expect((await read()).authChallenge?.livenessUrl).toBe(before);
    expect(before).toBe(livenessUrlOf('https://api.test', purchase.id, purchase.liveness!));
    expect(before).toMatch(/^https:\/\/api\.test\/liveness\/[0-9A-Z]{26}\/[\w-]{43}$/);
    expect(ports.identity.links).toEqual([]);
  });

  // Spec, Limits: "Liveness URL validity: 10 minutes"
  test('is replaced after ten minutes by a fresh one for ten minutes, to the same attempt', async () => {
    const { ports, purchase, read } = await atLiveness();
    const before = (await read()).authChallenge?.livenessUrl;
    ports.clock.advance(10 * MINUTE_MS);

    const { authChallenge } = await read();

    expect(ports.identity.links).toEqual([
      { clientId: purchase.clientId, livenessId: livenessIdOf(purchase.id, 1), ttlSeconds: 600 },
    ]);
    const { liveness } = await reread(ports, purchase);
    expect(liveness).toMatchObject({ attempt: 1, urlExpiresAt: START_AT + 20 * MINUTE_MS });
    expect(authChallenge?.livenessUrl).toBe(livenessUrlOf(ports.apiUrl, purchase.id, liveness!));
    expect(authChallenge?.livenessUrl).not.toBe(before);
  });

  test('is the same in two answers at once', async () => {
    const { ports, purchase, read } = await atLiveness();
    ports.clock.advance(10 * MINUTE_MS);

    const answers = await Promise.all([read(), read(), read()]);

    const { liveness } = await reread(ports, purchase);
    const valid = livenessUrlOf(ports.apiUrl, purchase.id, liveness!);
    expect(answers.map(({ authChallenge }) => authChallenge?.livenessUrl)).toEqual([valid, valid, valid]);
  });

  test('is not made after the fifteen minutes', async () => {
    const { ports, read } = await atLiveness();
    ports.clock.advance(MFA_UNTIL - START_AT);

    expect((await read()).authChallenge?.livenessUrl).toBeUndefined();
    expect(ports.identity.links).toEqual([]);
  });

  test('does not hide the status if it cannot be made now', async () => {
    const { ports, read } = await atLiveness();
    ports.clock.advance(11 * MINUTE_MS);
    ports.identity.isDown = true;

    expect(await read()).toMatchObject({ status: 'AWAITING_MFA', authChallenge: { type: 'LIVENESS' } });
    ports.identity.isDown = false;
    expect((await read()).authChallenge?.livenessUrl).toBeTruthy();
  });

  test('does not hide the status if the provider refuses it, and this is logged', async () => {
    const { ports, read } = await atLiveness();
    ports.clock.advance(11 * MINUTE_MS);
    const refused = { ...ports.identity, livenessLink: () => Promise.reject(new Error('HTTP 403')) };

    expect(await read({ ...ports, identity: refused })).toMatchObject({ status: 'AWAITING_MFA' });
    expect(ports.log.lines.join()).toContain('no liveness link');
  });
});

describe('the fifteen minutes', () => {
  const expire = (ports: TestPorts, { id }: Transaction) => expireTransaction({ transactionId: id }, ports);

  test('end a purchase without a passed check', async () => {
    const { ports, purchase } = await atLiveness();
    ports.clock.advance(MFA_UNTIL - START_AT);

    expect(await expire(ports, purchase)).toMatchObject({ status: 'EXPIRED' });
    expect(await typesOf(ports, purchase)).toEqual([['transaction.expired', 1]]);
  });

  test('do not end one whose check passed in time, even if the news of it was lost', async () => {
    const { ports, purchase, end } = await atLiveness();
    end('PASSED', MFA_UNTIL - 1);
    ports.clock.advance(MFA_UNTIL - START_AT);

    expect(await expire(ports, purchase)).toMatchObject({ status: 'AWAITING_PIX' });
    expect(await typesOf(ports, purchase)).toEqual(CLEARED);
    expect((await reread(ports, purchase)).expiresAt).toBe(PIX_UNTIL + MFA_UNTIL - START_AT);
  });

  test('wait for a payment provider that is out, because the client has done their part', async () => {
    const { ports, purchase, end } = await atLiveness();
    end('PASSED');
    ports.pix.isDown = true;
    ports.clock.advance(MFA_UNTIL - START_AT);

    await expect(expire(ports, purchase)).rejects.toThrow('the payment provider is unavailable');
    expect((await reread(ports, purchase)).status).toBe('AWAITING_MFA');
    ports.pix.isDown = false;
    expect(await expire(ports, purchase)).toMatchObject({ status: 'AWAITING_PIX' });
  });

  test('wait an hour for a silent identity provider, then end the purchase with an alarm', async () => {
    const { ports, purchase } = await atLiveness();
    ports.identity.isDown = true;
    ports.clock.advance(MFA_UNTIL - START_AT + 60 * MINUTE_MS - 1);
    await expect(expire(ports, purchase)).rejects.toThrow('the identity provider is unavailable');

    ports.clock.advance(1);

    expect(await expire(ports, purchase)).toMatchObject({ status: 'EXPIRED' });
    expect(ports.log.lines.join()).toContain('expired without its liveness check');
    expect(await typesOf(ports, purchase)).toEqual([['transaction.expired', 1]]);
  });

  test('end one whose check passed too late, and close its possible charge', async () => {
    const { ports, purchase, news, end } = await atLiveness();
    end('PASSED', MFA_UNTIL);
    ports.clock.advance(MFA_UNTIL - START_AT);

    await news();
    expect(await expire(ports, purchase)).toMatchObject({ status: 'EXPIRED' });
    expect(ports.pix.closed).toEqual([purchase.id]);
  });

  /** Calls of the store: N is the news, E the time-out, at the very last moment. */
  test.each(ordersOf({ N: 2, E: 2 }))(
    'and a check that passed at the last moment have one winner in the order %s',
    async (order) => {
      const { ports, purchase, end } = await atLiveness();
      end('PASSED', MFA_UNTIL - 1);
      ports.clock.advance(MFA_UNTIL - START_AT);
      const news = { livenessIds: [livenessIdOf(purchase.id, 1)] };

      await raceIn(order, {
        N: (inTurns) => processCallback(news, { ...ports, transactions: inTurns(ports.transactions) }),
        E: (inTurns) =>
          expireTransaction(
            { transactionId: purchase.id },
            { ...ports, transactions: inTurns(ports.transactions) },
          ),
      });

      expect(await typesOf(ports, purchase)).toEqual(CLEARED);
      expect((await reread(ports, purchase)).status).toBe('AWAITING_PIX');
      expect(ports.pix.closed).toEqual([]);
    },
  );
});

describe('a cancel and the news of a passed check', () => {
  /**
   * The most calls of each racer. The cancel K finds, saves, finds, closes, saves and finds. The news N finds, charges,
   * saves, finds and closes.
   */
  test('leave the purchase canceled and its charge closed in every order, and no message fails for good', async () => {
    for (const order of ordersOf({ K: 6, N: 5 })) {
      const { ports, purchase, end } = await atLiveness();
      end('PASSED');
      const inTurnsOf = (inTurns: InTurns) => ({
        ...ports,
        pix: inTurns(ports.pix),
        transactions: inTurns(ports.transactions),
      });
      const caller = { partner: { ...PARTNER, id: purchase.partnerId }, ids: undefined as never };
      const message = { livenessIds: [livenessIdOf(purchase.id, 1)] };

      const { K: canceled, N: heard } = await raceIn(order, {
        K: (inTurns) => cancelTransaction({ id: purchase.id }, caller, inTurnsOf(inTurns)),
        N: (inTurns) => processCallback(message, inTurnsOf(inTurns)).catch((error: Error) => error.name),
      });

      expect(canceled, order).toMatchObject({ status: 'CANCELED' });
      expect([undefined, 'Unavailable'], order).toContain(heard);
      expect(['CLOSED', undefined], order).toContain(ports.pix.charges.get(purchase.id)?.status);
      await processCallback(message, ports);
      expect((await reread(ports, purchase)).status, order).toBe('CANCELED');
      expect(ports.log.errors, order).toEqual([]);
    }
  });
});

test('the sweep reads the check of a purchase at the liveness page again, because its news may be lost', async () => {
  const { ports, purchase } = await atLiveness({ nextCheckAt: START_AT - 1 });
  ports.machine.running.add(`${purchase.id}#0`);

  await sweepStuckTransactions(ports);

  expect(ports.callbackQueue.sent).toContainEqual({ livenessIds: [livenessIdOf(purchase.id, 1)] });
});

test('the sweep leaves a purchase past its deadline to the machine, whose wait it ends', async () => {
  const { ports, purchase } = await atLiveness({ nextCheckAt: START_AT - 1 });
  ports.machine.running.add(`${purchase.id}#0`);
  ports.clock.advance(MFA_UNTIL - START_AT);

  await sweepStuckTransactions(ports);

  expect(ports.callbackQueue.sent).toEqual([]);
  const output = { transactionId: purchase.id, status: 'AWAITING_MFA' };
  expect(ports.machine.resumed).toEqual([{ token: purchase.wait?.token, output }]);
});
