import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RateScope } from '../../functions/domain/partners/rate-limit.ts';
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
  test('is exact under 300 requests at once', async () => {
    const { count } = limiter();
    const keyId = newId();

    const answers = await Promise.all(Array.from({ length: 300 }, () => count(keyId, MINUTE, ['all'])));

    const allowed = answers.filter(({ isAllowed }) => isAllowed).map(({ counts }) => counts.all!);
    expect(allowed.sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    const refused = answers.filter(({ isAllowed }) => !isAllowed).map(({ counts }) => counts.all);
    expect(refused).toEqual(Array(200).fill(100));
  });

  test.each([
    ['kyc', 20],
    ['initiate', 50],
  ] as const)('of %s is exact too, and a request over it counts nowhere', async (scope, limit) => {
    const { count } = limiter();
    const keyId = newId();

    const answers = await Promise.all(
      Array.from({ length: 300 }, () => count(keyId, MINUTE, ['all', scope])),
    );

    expect(answers.filter(({ isAllowed }) => isAllowed)).toHaveLength(limit);
    const row = await rowIn(tables, 'requests', `RATE#${keyId}#${MINUTE}`);
    expect(row).toMatchObject({ all: limit, [scope]: limit });
    expect(await count(keyId, MINUTE, ['all'])).toMatchObject({ isAllowed: true });
  });

  test('of all requests holds for each endpoint: then a request counts nowhere', async () => {
    const { count } = limiter();
    const keyId = newId();
    await Promise.all(Array.from({ length: 100 }, () => count(keyId, MINUTE, ['all'])));

    expect(await count(keyId, MINUTE, ['all', 'kyc'])).toEqual({
      isAllowed: false,
      counts: { all: 100, kyc: undefined, initiate: undefined },
    });
  });
});

describe('300 requests of a key at once, of every endpoint,', () => {
  const SCOPES: RateScope[][] = [['all'], ['all', 'kyc'], ['all', 'initiate']];
  const scopesOf = (index: number) => SCOPES[index % 3]!;

  test('pass 100 times in all, at most 20 and 50 times in their scopes', async () => {
    const { count } = limiter();
    const keyId = newId();

    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => count(keyId, MINUTE, scopesOf(index))),
    );

    const allowed = answers.filter(({ isAllowed }) => isAllowed).length;
    const row = (await rowIn(tables, 'requests', `RATE#${keyId}#${MINUTE}`))!;
    expect(row.all).toBe(allowed);
    expect(row.kyc).toBeLessThanOrEqual(20);
    expect(row.initiate).toBeLessThanOrEqual(50);
    // The hundred requests that count only in `all` would fill this limit alone.
    expect(allowed).toBe(100);
  });

  test('pass 100 times for each of two keys', async () => {
    const { count } = limiter();
    const keys = [newId(), newId()];

    const answers = await Promise.all(
      Array.from({ length: 600 }, (_, index) => count(keys[index % 2]!, MINUTE, ['all'])),
    );

    const allowedOf = (key: number) => answers.filter((each, index) => index % 2 === key && each.isAllowed);
    expect([allowedOf(0).length, allowedOf(1).length]).toEqual([100, 100]);
  });

  test('pass 100 times for each minute at the change of a minute', async () => {
    const { count } = limiter();
    const keyId = newId();

    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => count(keyId, MINUTE + (index % 2), ['all'])),
    );

    expect(answers.filter(({ isAllowed }) => isAllowed)).toHaveLength(200);
  });
});

describe('a count', () => {
  test('starts again with the minute, and is deleted by the table soon afterwards', async () => {
    const { count } = limiter();
    const keyId = newId();
    await count(keyId, MINUTE, ['all']);
    await count(keyId, MINUTE, ['all']);

    expect((await count(keyId, MINUTE + 1, ['all'])).counts.all).toBe(1);

    expect((await rowIn(tables, 'requests', `RATE#${keyId}#${MINUTE}`))?.ttl).toBe((MINUTE + 2) * 60);
  });

  test('is separate for each key', async () => {
    const { count } = limiter();
    await count(newId(), MINUTE, ['all']);

    expect((await count(newId(), MINUTE, ['all'])).counts.all).toBe(1);
  });

  test('is found without another count', async () => {
    const { count, findCounts } = limiter();
    const keyId = newId();
    expect(await findCounts(keyId, MINUTE)).toEqual({});
    await count(keyId, MINUTE, ['all', 'kyc']);
    await count(keyId, MINUTE, ['all']);

    expect(await findCounts(keyId, MINUTE)).toMatchObject({ all: 2, kyc: 1 });
    expect(await findCounts(keyId, MINUTE)).toMatchObject({ all: 2, kyc: 1 });
  });

  test('is an error, not an allowance, if it cannot be made', async () => {
    const broken = tapped(tables, () => () => Promise.reject(new Error('socket hang up')));

    await expect(openPorts(broken).rateLimiter.count(newId(), MINUTE, ['all'])).rejects.toThrow();
  });
});
