import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId, openPorts } from '../support/ports.ts';
import { rowIn, startTables, tapped } from '../support/tables.ts';

let tables: Awaited<ReturnType<typeof startTables>>;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const MINUTE = 29_000_000;
const limiter = () => openPorts(tables).rateLimiter;

describe('the limit of a minute', () => {
  test('is exact under 200 requests at once', async () => {
    const { count } = limiter();
    const keyId = newId();

    const answers = await Promise.all(Array.from({ length: 200 }, () => count(keyId, MINUTE, ['all'])));

    const allowed = answers.filter(({ isAllowed }) => isAllowed).map(({ counts }) => counts.all!);
    expect(allowed.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    const refused = answers.filter(({ isAllowed }) => !isAllowed).map(({ counts }) => counts.all);
    expect(refused).toEqual(Array(100).fill(100));
  });

  test.each([
    ['kyc', 20],
    ['initiate', 50],
  ] as const)('of %s is exact too, and a request over it counts nowhere', async (scope, limit) => {
    const { count } = limiter();
    const keyId = newId();

    const answers = await Promise.all(
      Array.from({ length: limit + 20 }, () => count(keyId, MINUTE, ['all', scope])),
    );

    expect(answers.filter(({ isAllowed }) => isAllowed)).toHaveLength(limit);
    const row = await rowIn(tables, 'requests', `RATE#${keyId}#${MINUTE}`);
    expect(row).toMatchObject({ all: limit, [scope]: limit });
    expect(await count(keyId, MINUTE, ['all'])).toMatchObject({ isAllowed: true });
  });

  test('of everything holds for each endpoint: nothing of it counts then', async () => {
    const { count } = limiter();
    const keyId = newId();
    await Promise.all(Array.from({ length: 100 }, () => count(keyId, MINUTE, ['all'])));

    expect(await count(keyId, MINUTE, ['all', 'kyc'])).toEqual({
      isAllowed: false,
      counts: { all: 100, kyc: undefined, initiate: undefined },
    });
  });
});

describe('a count', () => {
  test('begins anew with the minute, and is forgotten by the table soon after', async () => {
    const { count } = limiter();
    const keyId = newId();
    await count(keyId, MINUTE, ['all']);
    await count(keyId, MINUTE, ['all']);

    expect((await count(keyId, MINUTE + 1, ['all'])).counts.all).toBe(1);

    expect((await rowIn(tables, 'requests', `RATE#${keyId}#${MINUTE}`))?.ttl).toBe((MINUTE + 2) * 60);
  });

  test("is each key's own", async () => {
    const { count } = limiter();
    await count(newId(), MINUTE, ['all']);

    expect((await count(newId(), MINUTE, ['all'])).counts.all).toBe(1);
  });

  test('that cannot be made is an error, not an allowance', async () => {
    const broken = tapped(tables, () => () => Promise.reject(new Error('socket hang up')));

    await expect(openPorts(broken).rateLimiter.count(newId(), MINUTE, ['all'])).rejects.toThrow();
  });
});
