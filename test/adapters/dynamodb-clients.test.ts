import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../functions/domain/kyc/client.ts';
import { aClient, NOW } from '../support/builders.ts';
import { newId, openPorts } from '../support/ports.ts';
import { rowIn, startTables, tapped } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const UNTIL = NOW + 900_000;
const RULE = { limit: 10, now: NOW, lockUntil: UNTIL };
const code = (step: number, transactionId: string, now = NOW) => ({
  step,
  transactionId,
  now,
  requestId: 'R1',
});
const manyOf = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** A stored client, and its present state. */
async function stored(changes: Partial<Client> = {}) {
  const { clients } = openPorts(tables);
  const client = await clients.create(aClient({ id: newId(), ...changes }));
  return { clients, client, id: client.id, now: async () => (await clients.findClient(client.id))! };
}

describe('a client', () => {
  test('keeps its first secret', async () => {
    const { clients, client, id } = await stored({ totpCipher: 'first' });

    expect(await clients.create(aClient({ id, totpCipher: 'second' }))).toEqual(client);
  });

  test('is read with its wallets after its creation', async () => {
    const { clients, id, now } = await stored({ wallets: ['0xA'] });
    await clients.addWallet(id, '0xB');

    expect((await now()).wallets?.sort()).toEqual(['0xA', '0xB']);
    expect((await clients.create(aClient({ id }))).wallets?.sort()).toEqual(['0xA', '0xB']);
  });

  test('has every wallet of twenty purchases at once, each once', async () => {
    const { clients, id, now } = await stored();
    expect((await now()).wallets).toBeUndefined();

    await manyOf(20, (index) => clients.addWallet(id, `0x${index % 10}`));

    expect((await now()).wallets?.sort()).toEqual(Array.from({ length: 10 }, (_, index) => `0x${index}`));
  });

  test.each(['addWallet', 'resetTotp'] as const)('is not made by %s', async (name) => {
    const id = newId();

    await expect(openPorts(tables).clients[name](id, 'x', NOW)).rejects.toThrow();

    expect(await rowIn(tables, 'clients', id)).toBeUndefined();
  });
});

describe('a decision about the client', () => {
  // docs/decisions.md, "Screening again"
  test('neither lowers the tier nor takes back a later one, whichever is saved first', async () => {
    const { clients, id, now } = await stored();

    await clients.noteVerdict(id, { raisedAt: NOW + 1, raisedTier: 'PEP' });
    await clients.noteVerdict(id, { raisedAt: NOW + 2, raisedTier: 'HIGH' });
    await clients.noteVerdict(id, { rejectedAt: NOW + 4, rejectedFor: 'SANCTIONS_HIT' });
    await clients.noteVerdict(id, { rejectedAt: NOW + 3, rejectedFor: 'DOCUMENT_REJECTED' });

    expect(await now()).toMatchObject({
      raisedAt: NOW + 2,
      raisedTier: 'PEP',
      rejectedAt: NOW + 4,
      rejectedFor: 'SANCTIONS_HIT',
      nextCheckAt: 0,
    });
  });

  test('is not lost if four are saved at once', async () => {
    const { clients, id, now } = await stored();

    await manyOf(4, (index) =>
      clients.noteVerdict(id, { raisedAt: NOW + index, raisedTier: index === 1 ? 'PEP' : 'HIGH' }),
    );

    expect(await now()).toMatchObject({ raisedAt: NOW + 3, raisedTier: 'PEP' });
  });

  test('is an error if there is no such client', async () => {
    const { clients } = await stored();

    await expect(clients.noteVerdict(newId(), { raisedAt: NOW, raisedTier: 'PEP' })).rejects.toThrow();
  });
});

describe('an accepted code', () => {
  test('belongs to one purchase of twenty at once', async () => {
    const { clients, client, now } = await stored({ wrongCodes: 3, lockedUntil: NOW - 1 });

    const accepted = await manyOf(20, (index) => clients.acceptCode(client, code(100, `T${index}`)));

    expect(accepted.filter(Boolean)).toHaveLength(1);
    const winner = `T${accepted.indexOf(true)}`;
    expect(await now()).toMatchObject({
      lastStep: 100,
      lastTransactionId: winner,
      lastRequestId: 'R1',
      enrolledAt: NOW,
      wrongCodes: 0,
    });
    expect(await now()).not.toHaveProperty('lockedUntil');
    expect(await clients.acceptCode(client, code(100, winner))).toBe(true);
    expect(await clients.acceptCode(client, code(99, winner))).toBe(false);
    expect(await clients.acceptCode(client, code(101, 'T-next', NOW + 1))).toBe(true);
    expect((await now()).enrolledAt).toBe(NOW);
  });

  test('is refused until the lock of the client has ended', async () => {
    const { clients, client, now } = await stored({ lockedUntil: UNTIL });

    expect(await clients.acceptCode(client, code(100, 'T1', UNTIL - 1))).toBe(false);

    expect(await now()).toEqual(client);
    expect(await clients.acceptCode(client, code(100, 'T1', UNTIL))).toBe(true);
  });

  test('is refused if it was compared with a secret that has been replaced', async () => {
    const { clients, client, id, now } = await stored({ totpCipher: 'old' });
    await clients.resetTotp(id, 'new', NOW);
    await clients.markProven(id, NOW);

    expect(await clients.acceptCode(client, code(100, 'T1'))).toBe(false);

    expect(await now()).not.toHaveProperty('enrolledAt');
    expect(await clients.acceptCode(await now(), code(100, 'T1'))).toBe(true);
  });
});

describe('a review of the person', () => {
  const SINCE = NOW - 60_000;
  const review = (livenessId: string, reviewedAt = NOW, since = SINCE) => ({ livenessId, reviewedAt, since });

  test('is used for one of twenty attempts at once, and for that one again', async () => {
    const { clients, id, now } = await stored();

    const spent = await manyOf(20, (index) => clients.spendReview(id, review(`T${index}-1`)));

    expect(spent.filter(Boolean)).toHaveLength(1);
    const winner = `T${spent.indexOf(true)}-1`;
    const again = await manyOf(20, (index) => clients.spendReview(id, review(`T${index}-1`)));
    expect(again).toEqual(spent);
    expect((await now()).spentReviews).toEqual([{ livenessId: winner, reviewedAt: NOW }]);
  });

  test('is used for attempts that began since, if it ended later, and not for older ones', async () => {
    const { clients, id } = await stored();
    expect(await clients.spendReview(id, review('first-1'))).toBe(true);

    expect(await clients.spendReview(id, review('open-1', NOW + 2))).toBe(false);
    expect(await clients.spendReview(id, review('later-1', NOW + 2, NOW))).toBe(true);
    // The row still knows the attempt that used the first review.
    expect(await clients.spendReview(id, review('first-1', NOW + 2))).toBe(true);
  });

  test('is used if the answer of the write was lost', async () => {
    const { id, now } = await stored();
    let isLost = false;
    const { clients } = openPorts(
      tapped(tables, (send) => async (command) => {
        const answer = await send(command);
        // As the SDK does: the same request again.
        if (!isLost && command instanceof UpdateCommand) {
          isLost = true;
          return send(command);
        }
        return answer;
      }),
    );

    expect(await clients.spendReview(id, review('first-1'))).toBe(true);

    expect(isLost).toBe(true);
    expect((await now()).spentReviews).toHaveLength(1);
  });
});

describe('a wrong code', () => {
  test('is counted for ten of forty at once; the tenth locks the client', async () => {
    const { clients, id, now } = await stored();

    const counted = await manyOf(40, () => clients.countWrongCode(id, RULE));

    expect(counted.filter(({ lockedUntil }) => lockedUntil === undefined)).toHaveLength(10);
    expect(counted.filter(({ lockedUntil }) => lockedUntil === UNTIL)).toHaveLength(30);
    expect(await now()).toMatchObject({ wrongCodes: 0, lockedUntil: UNTIL });
  });

  test('is not counted until the lock has ended, then ten are counted again', async () => {
    const { clients, id } = await stored({ lockedUntil: UNTIL });
    expect(await clients.countWrongCode(id, { ...RULE, now: UNTIL - 1 })).toEqual({ lockedUntil: UNTIL });

    const later = { ...RULE, now: UNTIL, lockUntil: UNTIL + 1 };
    const counted = await manyOf(25, () => clients.countWrongCode(id, later));

    expect(counted.filter(({ lockedUntil }) => lockedUntil === undefined)).toHaveLength(10);
  });

  test('of one client does not lock another', async () => {
    const [one, other] = [await stored(), await stored()];

    await manyOf(20, () => one.clients.countWrongCode(one.id, RULE));

    expect(await other.clients.countWrongCode(other.id, RULE)).toEqual({});
    expect(await other.now()).toMatchObject({ wrongCodes: 1 });
  });

  test('starts a new count instead of a lock if a code was accepted in the meantime', async () => {
    const { client, id, now } = await stored({ wrongCodes: 9 });
    let isFirst = true;
    const between = tapped(tables, (send) => async (command) => {
      const isLock =
        command instanceof UpdateCommand && command.input.UpdateExpression?.includes('lockedUntil');
      if (isLock && isFirst) {
        isFirst = false;
        await openPorts(tables).clients.acceptCode(client, code(7, 'T1'));
      }
      return send(command);
    });

    expect(await openPorts(between).clients.countWrongCode(id, RULE)).toEqual({});

    expect(isFirst).toBe(false);
    expect(await now()).toMatchObject({ wrongCodes: 1 });
    expect(await now()).not.toHaveProperty('lockedUntil');
  });

  test('leaves a lock of its time, even if its process ends', async () => {
    const { clients, id, now } = await stored({ wrongCodes: 9 });

    await clients.countWrongCode(id, RULE);

    expect(await now()).toMatchObject({ wrongCodes: 0, lockedUntil: UNTIL });
    expect(await clients.countWrongCode(id, { ...RULE, now: UNTIL })).toEqual({});
  });

  test('is an error, not an allowance, if it cannot be counted', async () => {
    const { id } = await stored();
    const broken = tapped(tables, () => () => Promise.reject(new Error('socket hang up')));

    await expect(openPorts(broken).clients.countWrongCode(id, RULE)).rejects.toThrow();
  });
});

describe('a reset of TOTP', () => {
  const USED = { enrolledAt: NOW, lastStep: 100, lastTransactionId: 'T1', lastRequestId: 'R1' };

  test('starts again without any used code, and stops what an old code cleared', async () => {
    const { clients, id, now } = await stored({ ...USED, wrongCodes: 9, lockedUntil: UNTIL });

    await clients.resetTotp(id, 'new', NOW);

    expect(await now()).toEqual(
      aClient({ id, totpCipher: 'new', mustProve: NOW, wrongCodes: 0, lastStep: 100 }),
    );
  });

  test('accepts no code until the client has proven themselves, and then only newer ones', async () => {
    const { clients, id, now } = await stored(USED);
    await clients.resetTotp(id, 'new', NOW);
    expect(await clients.acceptCode(await now(), code(101, 'T2'))).toBe(false);

    await clients.markProven(id, NOW);

    expect(await now()).not.toHaveProperty('mustProve');
    expect(await clients.acceptCode(await now(), code(100, 'T1'))).toBe(false);
    expect(await clients.acceptCode(await now(), code(101, 'T2'))).toBe(true);
  });

  test('is answered only by its own proof', async () => {
    const { clients, id, now } = await stored(USED);
    await clients.resetTotp(id, 'new', NOW);
    await clients.resetTotp(id, 'newer', NOW + 1);

    await clients.markProven(id, NOW);
    expect((await now()).mustProve).toBe(NOW + 1);
    await clients.markProven(id, NOW + 1);
    expect(await now()).not.toHaveProperty('mustProve');
  });
});
