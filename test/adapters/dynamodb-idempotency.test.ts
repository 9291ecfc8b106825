import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IdempotencyClaim } from '../../functions/domain/partners/idempotency-ports.ts';
import { newId, openPorts } from '../support/ports.ts';
import { rowIn, startTables, type Tables, tapped } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const LEASE_MS = 34_000;
const DAY_MS = 24 * 60 * 60_000;
const ANSWER = { statusCode: 200, body: '{"success":true}' };

/** Claims of one key. Each brings its own reservation. */
function aKey(from: Tables = tables) {
  const { idempotency, clock, vault } = openPorts(from);
  const scope = newId();
  let seeds = 0;
  return {
    clock,
    vault,
    idempotency,
    scope,
    row: () => rowIn(tables, 'requests', `IDEMPOTENCY#${scope}`),
    claim: (requestHash = 'hash') =>
      idempotency.claim(scope, requestHash, { at: 1, seed: `seed-${++seeds}` }, LEASE_MS),
  };
}

const ours = (seed: string): IdempotencyClaim => ({ state: 'OURS', reservation: { at: 1, seed } });
const statesOf = (claims: IdempotencyClaim[], state: IdempotencyClaim['state']) =>
  claims.filter((claim) => claim.state === state);

describe('a new key', () => {
  test('is claimed, with the reservation of the claim', async () => {
    const { claim } = aKey();

    expect(await claim()).toEqual(ours('seed-1'));
  });

  test('is claimed if the answer to the write was lost and the SDK wrote it again', async () => {
    const twice = tapped(tables, (send) => async (command) => {
      if (command instanceof PutCommand) await send(command);
      return send(command);
    });
    const { claim } = aKey(twice);

    expect(await claim()).toEqual(ours('seed-1'));
    expect(await claim()).toEqual({ state: 'IN_PROGRESS', retryAfterSeconds: 34 });
  });

  test('has one claimant of twenty at once', async () => {
    const { claim } = aKey();

    const claims = await Promise.all(Array.from({ length: 20 }, () => claim()));

    expect(statesOf(claims, 'OURS')).toHaveLength(1);
    expect(statesOf(claims, 'IN_PROGRESS')).toHaveLength(19);
  });

  test('is deleted by the table a day later', async () => {
    const { claim, clock, row } = aKey();

    await claim();

    expect((await row())?.ttl).toBe((clock.now() + DAY_MS) / 1000);
  });
});

describe('a key in progress', () => {
  test('shows how long its lease still lasts', async () => {
    const { claim, clock } = aKey();
    await claim();
    expect(await claim()).toEqual({ state: 'IN_PROGRESS', retryAfterSeconds: 34 });

    clock.advance(LEASE_MS - 1);

    expect(await claim()).toEqual({ state: 'IN_PROGRESS', retryAfterSeconds: 1 });
  });

  test('is taken over when its lease has ended, with the first reservation', async () => {
    const { claim, clock } = aKey();
    await claim();
    clock.advance(LEASE_MS);

    expect(await claim()).toEqual(ours('seed-1'));

    expect(await claim()).toEqual({ state: 'IN_PROGRESS', retryAfterSeconds: 34 });
  });

  test('is taken over if the answer to the write was lost and the SDK wrote it again', async () => {
    const twice = tapped(tables, (send) => async (command) => {
      if (command instanceof UpdateCommand) await send(command);
      return send(command);
    });
    const { claim, clock } = aKey(twice);
    await claim();
    clock.advance(LEASE_MS);

    expect(await claim()).toEqual(ours('seed-1'));
    expect(await claim()).toEqual({ state: 'IN_PROGRESS', retryAfterSeconds: 34 });
  });

  test('is taken over by one of twenty at once, time after time', async () => {
    const { claim, clock } = aKey();
    await claim();

    for (let round = 0; round < 3; round++) {
      clock.advance(LEASE_MS);
      const claims = await Promise.all(Array.from({ length: 20 }, () => claim()));

      expect(statesOf(claims, 'OURS')).toEqual([ours('seed-1')]);
      expect(statesOf(claims, 'IN_PROGRESS')).toHaveLength(19);
    }
  });

  test('is taken over at once after its lease was given back, by one of twenty', async () => {
    const { claim, idempotency, scope } = aKey();
    await claim();
    await idempotency.release(scope);

    const claims = await Promise.all(Array.from({ length: 20 }, () => claim()));

    expect(statesOf(claims, 'OURS')).toEqual([ours('seed-1')]);
  });
});

describe('an answered key', () => {
  test('gives its answer, also after its lease has ended or was given back', async () => {
    const { claim, clock, idempotency, scope } = aKey();
    await claim();
    await idempotency.remember(scope, ANSWER);
    expect(await claim()).toEqual({ state: 'ANSWERED', answer: ANSWER });

    await idempotency.release(scope);
    clock.advance(DAY_MS - 1);

    expect(await claim()).toEqual({ state: 'ANSWERED', answer: ANSWER });
  });

  test('stores it encrypted, and bound to its key', async () => {
    const { claim, idempotency, scope, row } = aKey();
    const other = aKey();
    await claim();
    await other.claim();
    await idempotency.remember(scope, { statusCode: 200, body: 'the pixPayload' });

    const { answer } = (await row())!;

    expect(answer).not.toContain('pixPayload');
    await tables.client.send(
      new UpdateCommand({
        TableName: 'requests',
        Key: { id: `IDEMPOTENCY#${other.scope}` },
        UpdateExpression: 'SET answer = :answer',
        ExpressionAttributeValues: { ':answer': answer },
      }),
    );
    await expect(other.claim()).rejects.toThrow();
  });

  test('is not taken over by a process that saw it unanswered a moment ago', async () => {
    const { claim, clock, idempotency, scope } = aKey();
    await claim();
    clock.advance(LEASE_MS);

    const [late] = await Promise.all([claim(), idempotency.remember(scope, ANSWER)]);

    expect(await claim()).toEqual({ state: 'ANSWERED', answer: ANSWER });
    expect(['OURS', 'IN_PROGRESS', 'ANSWERED']).toContain(late.state);
  });
});

describe('another request under the key', () => {
  test.each(['in progress', 'left by a crash', 'answered'])('is refused: %s', async (state) => {
    const { claim, clock, idempotency, scope } = aKey();
    await claim('hash');
    if (state === 'left by a crash') clock.advance(LEASE_MS);
    if (state === 'answered') await idempotency.remember(scope, ANSWER);

    expect(await claim('other hash')).toEqual({ state: 'OTHER_REQUEST' });
  });
});

describe('a row that the table has not deleted yet', () => {
  test('is replaced after its day: reservation, request and answer', async () => {
    const { claim, clock, idempotency, scope, row } = aKey();
    await claim('hash');
    await idempotency.remember(scope, ANSWER);
    clock.advance(DAY_MS);

    expect(await claim('other hash')).toEqual(ours('seed-2'));

    expect(await row()).not.toHaveProperty('answer');
    expect(await claim('hash')).toEqual({ state: 'OTHER_REQUEST' });
  });

  test('is replaced by one of twenty at once', async () => {
    const { claim, clock } = aKey();
    await claim();
    clock.advance(DAY_MS);

    const claims = await Promise.all(Array.from({ length: 20 }, () => claim()));

    expect(statesOf(claims, 'OURS')).toHaveLength(1);
    expect(statesOf(claims, 'OURS')).not.toEqual([ours('seed-1')]);
  });
});
