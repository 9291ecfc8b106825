import { generateSync } from 'otplib';
import { describe, expect, test } from 'vitest';
import { confirmMfa } from '../../functions/api/confirm-mfa.ts';
import { Refusal, Unavailable } from '../../functions/domain/errors.ts';
import { challengeFor, TOTP } from '../../functions/domain/purchase/challenge.ts';
import type { Status } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { newReservation, reservedIds } from '../../functions/logic/ids.ts';
import { newTotpSecret } from '../../functions/logic/purchase/totp.ts';
import { aClient, aPartner, MINUTE_MS } from '../support/builders.ts';
import { limitsWith } from '../support/charge-limits.ts';
import { newId, openPorts, putPurchaseIn, reread, type TestPorts } from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';

const tables = memoryTables();

const partner = aPartner({ id: 'p1' });
const STEP_MS = TOTP.stepSeconds * 1000;
const LOCK_MS = 15 * MINUTE_MS;

/** Ports whose limits allow a client many charges, so that only the codes limit the client. */
const manyCharges = () => ({ ...openPorts(tables), chargeLimits: limitsWith({ openCharges: 10 }) });

/** A client who knows a secret, with purchases. The clock stands at the beginning of a time step. */
async function aKnownClient(ports: TestPorts = manyCharges()) {
  const id = `client-${newId()}`;
  let secret = newTotpSecret(ports.random);
  const cipher = (text: string) => ports.vault.encrypt(text, id);
  await ports.clients.create(
    aClient({
      id,
      partnerId: partner.id,
      totpCipher: await ports.totpSealer.encrypt(secret, id),
      cpfCipher: await cipher('52998224725'),
    }),
  );
  const codeAt = (steps = 0) =>
    generateSync({ secret, epoch: ports.clock.now() / 1000 + steps * TOTP.stepSeconds });

  return {
    ports,
    codeAt,
    row: async () => (await ports.clients.findClient(id))!,
    /** Stores a purchase of the client. Its fifteen minutes begin at the present time of the clock. */
    purchase: (status: Status = 'AWAITING_MFA') =>
      putPurchaseIn(ports, status, {
        partnerId: partner.id,
        clientId: id,
        expiresAt: ports.clock.now() + LOCK_MS,
      }),
    /** Six digits that are no code of a step near now. */
    wrongCode(index = 0): string {
      const near = [-2, -1, 0, 1, 2].map(codeAt);
      const guesses = Array.from({ length: 80 }, (_, digit) => String(digit * 11).padStart(6, '0'));
      return guesses.filter((code) => !near.includes(code))[index]!;
    },
    confirm: (purchase: Transaction, totpCode: string) =>
      confirmMfa(
        { id: purchase.id, totpCode },
        { partner, keyId: 'key1', ids: reservedIds(newReservation(ports.clock.now(), ports.random)) },
        ports,
      ),
    /** The same reset as that of the operations command. */
    async reset() {
      secret = newTotpSecret(ports.random);
      await ports.clients.resetTotp(id, await ports.totpSealer.encrypt(secret, id), 1);
    },
  };
}

type KnownClient = Awaited<ReturnType<typeof aKnownClient>>;
const manyOf = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** `AWAITING_PIX`, or the code of the refusal and the limit that was reached. */
async function outcomeOf(confirmed: Promise<{ status: string }>): Promise<string> {
  try {
    return (await confirmed).status;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { scope } = error.details;
    return scope ? `${error.code} ${scope}` : error.code;
  }
}

const guess = (client: KnownClient, purchase: Transaction, index = 0) =>
  outcomeOf(client.confirm(purchase, client.wrongCode(index)));
const giveCode = (client: KnownClient, purchase: Transaction, steps = 0) =>
  outcomeOf(client.confirm(purchase, client.codeAt(steps)));

function tally(outcomes: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

const LOOKED_AT = 'MFA_INVALID_CODE';
const USED_UP = 'MFA_ATTEMPTS_EXCEEDED transaction';
const LOCKED = 'MFA_ATTEMPTS_EXCEEDED client';

describe('parallel guesses', () => {
  test('are compared for 5 of 60 at one purchase', async () => {
    const client = await aKnownClient();
    const purchase = await client.purchase();

    const outcomes = await manyOf(60, (index) => guess(client, purchase, index));

    expect(tally(outcomes)).toEqual({ [LOOKED_AT]: 5, [USED_UP]: 55 });
    expect(await client.row()).toMatchObject({ wrongCodes: 5 });
    expect(await giveCode(client, purchase)).toBe(USED_UP);
  });

  test('are compared for 10 of 45 at nine purchases of a client, then every purchase is locked', async () => {
    const client = await aKnownClient();
    const purchases = await manyOf(9, () => client.purchase());

    const outcomes = await manyOf(45, (index) => guess(client, purchases[index % 9]!, index));

    expect(tally(outcomes)).toEqual({ [LOOKED_AT]: 10, [LOCKED]: 35 });
    const rows = await Promise.all(purchases.map((purchase) => reread(client.ports, purchase)));
    // A guess that was not compared is not counted.
    expect(rows.reduce((sum, { mfaAttempts }) => sum + mfaAttempts, 0)).toBe(10);
    const until = client.ports.clock.now() + LOCK_MS;
    expect(await client.row()).toMatchObject({ wrongCodes: 0, lockedUntil: until });
    expect(await giveCode(client, await client.purchase())).toBe(LOCKED);
  });

  test('are ten again after the fifteen minutes of a lock, and not earlier', async () => {
    const client = await aKnownClient();
    const [first, second] = [await client.purchase(), await client.purchase()];
    await manyOf(10, (index) => guess(client, index % 2 ? first : second, index));

    client.ports.clock.advance(LOCK_MS - 1);
    const late = await manyOf(3, () => client.purchase());
    expect(await giveCode(client, late[0]!)).toBe(LOCKED);
    client.ports.clock.advance(1);
    const outcomes = await manyOf(15, (index) => guess(client, late[index % 3]!, index));

    expect(tally(outcomes)).toEqual({ [LOOKED_AT]: 10, [LOCKED]: 5 });
  });

  test('lock two clients independently', async () => {
    const [one, other] = [await aKnownClient(), await aKnownClient()];
    const purchases = await manyOf(4, () => one.purchase());

    const outcomes = await manyOf(20, (index) => guess(one, purchases[index % 4]!, index));
    await guess(other, await other.purchase());

    expect(tally(outcomes)).toEqual({ [LOOKED_AT]: 10, [LOCKED]: 10 });
    expect(await other.row()).toMatchObject({ wrongCodes: 1 });
    expect(await giveCode(other, await other.purchase())).toBe('AWAITING_PIX');
  });
});

describe('a try', () => {
  test('clears count and lock if it is the tenth and right', async () => {
    const client = await aKnownClient();
    const [first, second, third] = await manyOf(3, () => client.purchase());
    await manyOf(5, (index) => guess(client, first!, index));
    await manyOf(4, (index) => guess(client, second!, index));

    expect(await giveCode(client, second!)).toBe('AWAITING_PIX');

    expect(await client.row()).toMatchObject({ wrongCodes: 0 });
    expect((await client.row()).lockedUntil).toBeUndefined();
    expect(await giveCode(client, third!, 1)).toBe('AWAITING_PIX');
  });

  test('costs the client nothing at a purchase without tries left', async () => {
    const client = await aKnownClient();
    const purchase = await client.purchase();

    await manyOf(30, (index) => guess(client, purchase, index));

    expect(await client.row()).toMatchObject({ wrongCodes: 5 });
    expect(await giveCode(client, await client.purchase())).toBe('AWAITING_PIX');
  });

  test.each(['AWAITING_PIX', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED'] as const)(
    'is not counted in %s',
    async (status) => {
      const client = await aKnownClient();
      const purchase = await client.purchase(status);

      const outcomes = await manyOf(12, (index) => guess(client, purchase, index));

      const refusal = status === 'EXPIRED' ? 'TRANSACTION_EXPIRED' : 'INVALID_TRANSACTION_STATE';
      expect(tally(outcomes)).toEqual({ [refusal]: 12 });
      expect(await client.row()).toMatchObject({ wrongCodes: 0 });
      expect(await reread(client.ports, purchase)).toMatchObject({ mfaAttempts: 0 });
    },
  );

  test.each([
    [-2, LOOKED_AT],
    [-1, 'AWAITING_PIX'],
    [0, 'AWAITING_PIX'],
    [1, 'AWAITING_PIX'],
    [2, LOOKED_AT],
  ])('with the code of the time step %i gives %s', async (steps, expected) => {
    const client = await aKnownClient();

    expect(await giveCode(client, await client.purchase(), steps)).toBe(expected);
  });

  test('is not counted while the keys cannot be reached', async () => {
    const client = await aKnownClient();
    const purchase = await client.purchase();
    const { totpOpener } = client.ports;
    client.ports.totpOpener = { ...totpOpener, decrypt: () => Promise.reject(new Unavailable('KMS')) };

    await expect(giveCode(client, purchase)).rejects.toThrow(Unavailable);

    expect(await client.row()).toMatchObject({ wrongCodes: 0 });
    expect(await reread(client.ports, purchase)).toMatchObject({ mfaAttempts: 0 });
  });

  test('costs no try of the purchase either if none is left while the keys cannot be reached', async () => {
    const client = await aKnownClient();
    const purchase = await client.purchase();
    await manyOf(5, (index) => guess(client, purchase, index));
    const { totpOpener } = client.ports;
    client.ports.totpOpener = { ...totpOpener, decrypt: () => Promise.reject(new Unavailable('KMS')) };

    expect(await giveCode(client, purchase)).toBe(USED_UP);

    expect(await reread(client.ports, purchase)).toMatchObject({ mfaAttempts: 5 });
  });

  test('with a wrong code asks no exchange, and decrypts no CPF', async () => {
    const client = await aKnownClient();
    const { ports } = client;
    const asked: string[] = [];
    ports.prices = { ...ports.prices, findBooks: async () => asked.push('prices') as never };
    ports.vault = { ...ports.vault, decrypt: async () => asked.push('vault') as never };

    expect(await guess(client, await client.purchase())).toBe(LOOKED_AT);

    expect(asked).toEqual([]);
  });

  test('with a used code answers without the reads for a charge, also if they fail later', async () => {
    const client = await aKnownClient();
    const { ports } = client;
    expect(await giveCode(client, await client.purchase())).toBe('AWAITING_PIX');
    const other = await client.purchase();
    let fail = (_: Error) => {};
    const outage = new Promise<never>((_, reject) => {
      fail = reject;
    });
    // The code is right, but the write that accepts it comes too late.
    ports.clients = { ...ports.clients, acceptCode: async () => false };
    ports.prices = { ...ports.prices, findBooks: () => outage };

    expect(await giveCode(client, other, 1)).toBe(LOOKED_AT);

    // Vitest fails the run for an unhandled rejection.
    fail(new Error('the exchanges are away'));
    await new Promise((resolve) => setImmediate(resolve));
  });

  test.each([
    ['right', 'acceptCode'],
    ['wrong', 'countWrongCode'],
  ] as const)('tells no result and is given back if the write for a %s code fails', async (kind, write) => {
    const client = await aKnownClient();
    const purchase = await client.purchase();
    const { clients } = client.ports;
    client.ports.clients = { ...clients, [write]: () => Promise.reject(new Error('socket hang up')) };
    const code = kind === 'right' ? client.codeAt() : client.wrongCode();

    await expect(client.confirm(purchase, code)).rejects.toThrow('hang up');

    expect(await reread(client.ports, purchase)).toMatchObject({ mfaAttempts: 0, status: 'AWAITING_MFA' });
    expect((await client.row()).lastStep).toBeUndefined();
  });
});

describe('a right code', () => {
  test('is refused like a wrong one if a lock begins while it is compared, and costs no try', async () => {
    const client = await aKnownClient();
    const [guessed, purchase] = [await client.purchase(), await client.purchase()];
    const more = await client.purchase();
    const { clients } = client.ports;
    client.ports.clients = {
      ...clients,
      async acceptCode(row, code) {
        client.ports.clients = clients;
        await manyOf(10, (index) => guess(client, index % 2 ? guessed : more, index));
        return clients.acceptCode(row, code);
      },
    };

    expect(await giveCode(client, purchase)).toBe(LOCKED);

    expect(await reread(client.ports, purchase)).toMatchObject({ mfaAttempts: 0, status: 'AWAITING_MFA' });
    expect((await client.row()).lastStep).toBeUndefined();
  });

  test('is accepted or locked out among 45 guesses at once', async () => {
    const client = await aKnownClient();
    const purchases = await manyOf(9, () => client.purchase());
    const own = await client.purchase();

    const right = giveCode(client, own);
    const outcomes = await manyOf(45, (index) => guess(client, purchases[index % 9]!, index));

    const isAccepted = (await right) === 'AWAITING_PIX';
    expect(await right).toBe(isAccepted ? 'AWAITING_PIX' : LOCKED);
    // An accepted code clears the count of the guesses that came before it.
    expect(tally(outcomes)[LOOKED_AT]).toBeGreaterThanOrEqual(10);
    expect(tally(outcomes)[LOOKED_AT]).toBeLessThanOrEqual(isAccepted ? 20 : 10);
  });
});

describe('an accepted code', () => {
  test('is a wrong code for every other purchase, and is counted there', async () => {
    const client = await aKnownClient();
    const [first, ...others] = await manyOf(4, () => client.purchase());
    expect(await giveCode(client, first!)).toBe('AWAITING_PIX');

    const replays = await Promise.all(others.map((purchase) => giveCode(client, purchase)));

    expect(tally(replays)).toEqual({ [LOOKED_AT]: 3 });
    expect(await client.row()).toMatchObject({ wrongCodes: 3 });
  });

  test('clears one purchase if it comes for many at once', async () => {
    const client = await aKnownClient();
    const purchases = await manyOf(8, () => client.purchase());

    const outcomes = await Promise.all(purchases.map((purchase) => giveCode(client, purchase)));

    expect(tally(outcomes)).toEqual({ AWAITING_PIX: 1, [LOOKED_AT]: 7 });
    expect(client.ports.pix.charges.size).toBe(1);
  });

  test('makes one charge if it comes twice at once for one purchase', async () => {
    const client = await aKnownClient();
    const purchase = await client.purchase();

    const [one, two] = await manyOf(2, () => client.confirm(purchase, client.codeAt()));

    expect(one).toEqual(two);
    expect([...client.ports.pix.charges.keys()]).toEqual([purchase.id]);
    const { status, history } = await reread(client.ports, purchase);
    expect([status, history.length]).toEqual(['AWAITING_PIX', 2]);
  });
});

describe.each(['pix', 'prices'] as const)('while %s is down, a right code', (provider) => {
  async function downFor(client: KnownClient) {
    const { ports } = client;
    const was = { ...ports };
    const fail = () => Promise.reject(new Unavailable('a provider', { retryAfterSeconds: 7 }));
    if (provider === 'pix') ports.pix = { ...ports.pix, createCharge: fail };
    else ports.prices = { ...ports.prices, findBooks: fail };
    return { heal: () => void Object.assign(ports, was) };
  }

  test('is not counted, however often it comes, and is accepted later within its life', async () => {
    const client = await aKnownClient();
    const purchase = await client.purchase();
    const outage = await downFor(client);

    for (let call = 0; call < 12; call++) {
      await expect(client.confirm(purchase, client.codeAt())).rejects.toMatchObject({ retryAfterSeconds: 7 });
    }
    const code = client.codeAt();
    client.ports.clock.advance(2 * STEP_MS - 1000);
    outage.heal();

    expect(await client.row()).toMatchObject({ wrongCodes: 0 });
    expect(await reread(client.ports, purchase)).toMatchObject({ mfaAttempts: 0 });
    expect(await outcomeOf(client.confirm(purchase, code))).toBe('AWAITING_PIX');
  });

  test('can be replaced by a fresh code after its life', async () => {
    const client = await aKnownClient();
    const purchase = await client.purchase();
    const outage = await downFor(client);
    const code = client.codeAt();
    await expect(client.confirm(purchase, code)).rejects.toThrow(Unavailable);

    client.ports.clock.advance(2 * STEP_MS);
    outage.heal();

    expect(await outcomeOf(client.confirm(purchase, code))).toBe(LOOKED_AT);
    expect(await giveCode(client, purchase)).toBe('AWAITING_PIX');
  });
});

describe('after operations have reset the secret', () => {
  test('the next challenge is liveness, and TOTP again afterwards', async () => {
    const client = await aKnownClient();
    await giveCode(client, await client.purchase());
    expect(challengeFor('STANDARD', await client.row())).toEqual({ type: 'MFA_TOTP' });

    await client.reset();
    expect(challengeFor('STANDARD', await client.row())).toEqual({ type: 'LIVENESS' });

    await client.ports.clients.markProven((await client.row()).id, 1);
    expect(challengeFor('STANDARD', await client.row())).toEqual({ type: 'MFA_TOTP' });
  });

  test('no old code clears an open purchase, and no new code before the client has proven themselves', async () => {
    const client = await aKnownClient();
    const purchase = await client.purchase();
    const old = client.codeAt(1);
    await client.reset();

    expect(await outcomeOf(client.confirm(purchase, old))).toBe(LOOKED_AT);
    expect(await giveCode(client, purchase, 1)).toBe(LOOKED_AT);
    await client.ports.clients.markProven((await client.row()).id, 1);

    expect(await outcomeOf(client.confirm(purchase, old))).toBe(LOOKED_AT);
    expect(await giveCode(client, purchase, 1)).toBe('AWAITING_PIX');
  });

  test('a code that is compared at that moment clears nothing', async () => {
    const client = await aKnownClient();
    const purchase = await client.purchase();
    const { clients, totpOpener } = client.ports;
    client.ports.totpOpener = {
      ...totpOpener,
      async decrypt(cipher, id) {
        const secret = await totpOpener.decrypt(cipher, id);
        await client.reset();
        await clients.markProven(id, 1);
        return secret;
      },
    };

    expect(await giveCode(client, purchase)).toBe(LOOKED_AT);

    expect((await client.row()).enrolledAt).toBeUndefined();
  });
});
