import { describe, expect, test } from 'vitest';
import { type Besides, begun } from '../../functions/domain/begun.ts';
import { Refusal, Unavailable } from '../../functions/domain/errors.ts';
import type {
  Idempotency,
  Reservation,
  StoredAnswer,
} from '../../functions/domain/partners/idempotency-ports.ts';
import { claimKey, giveBack, runOnce } from '../../functions/entry/idempotency.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { Death } from '../support/faults.ts';
import { newId, openPorts, type TestPorts } from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';

const tables = memoryTables();

const TIMEOUT_MS = 29_000;
const LEASE_MS = TIMEOUT_MS + 5000;

/** One request of a partner, and the ids that its tries used, each from its reservation. */
function aRequest(changes: { key?: string; scope?: string; request?: unknown } = {}) {
  const ports = openPorts(tables);
  const keyed = {
    key: newId() as string | undefined,
    scope: 'partner POST /path',
    request: { amountBrl: 250 } as unknown,
    timeoutMs: TIMEOUT_MS,
    ...changes,
  };
  const made: string[] = [];
  const run = async (reservation: Reservation): Promise<StoredAnswer> => {
    const id = reservedIds(reservation).transaction();
    made.push(id);
    return { statusCode: 200, body: JSON.stringify({ id }) };
  };
  const ask = async (
    how: (reservation: Reservation, besides: Besides) => Promise<StoredAnswer> = run,
    others: Partial<TestPorts> = {},
  ) => {
    const all = { ...ports, ...others };
    return runOnce(all, await claimKey(all, keyed), how);
  };
  return { ports, keyed, made, run, ask };
}

describe('a repeated request', () => {
  // Spec, Limits: "a repeated request with the same Idempotency-Key"
  test('gets the first answer, and does not run again', async () => {
    const { made, ask } = aRequest();

    const first = await ask();
    const second = await ask();

    expect(first.isReplay).toBe(false);
    expect(second).toEqual({ answer: first.answer, isReplay: true });
    expect(made).toHaveLength(1);
  });

  // docs/decisions.md, "Idempotency"
  test('gets the first answer for 24 hours, and is new afterwards', async () => {
    const { ports, made, ask } = aRequest();
    await ask();
    ports.clock.advance(24 * 60 * 60_000 - 1);
    expect(await ask()).toMatchObject({ isReplay: true });

    ports.clock.advance(1);

    expect(await ask()).toMatchObject({ isReplay: false });
    expect(new Set(made).size).toBe(2);
  });

  test('runs once if many come at the same moment; the others must wait', async () => {
    const { made, run, ask } = aRequest();
    const refused: Refusal[] = [];
    let finish = () => {};
    const othersAreRefused = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const keep = (refusal: Refusal) => {
      if (refused.push(refusal) === 19) finish();
    };

    const slowly = (reservation: Reservation) => othersAreRefused.then(() => run(reservation));
    await Promise.all(Array.from({ length: 20 }, () => ask(slowly).catch(keep)));

    expect(made).toHaveLength(1);
    for (const { code, details } of refused) {
      expect([code, details]).toEqual(['IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: LEASE_MS / 1000 }]);
    }
  });

  test('is refused with another body', async () => {
    const { ports, keyed, made, run, ask } = aRequest();
    await ask();

    const other = await claimKey(ports, { ...keyed, request: { amountBrl: 251 } });

    await expect(runOnce(ports, other, run)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(made).toHaveLength(1);
  });

  test('is another request under the same key in another scope', async () => {
    const { ports, keyed, made, run, ask } = aRequest();
    await ask();

    const claimed = await claimKey(ports, { ...keyed, scope: 'partner POST /other' });
    expect(await runOnce(ports, claimed, run)).toMatchObject({ isReplay: false });

    expect(new Set(made).size).toBe(2);
  });

  // Spec, Endpoints: "accepts an optional Idempotency-Key header"
  test('is new each time without a key', async () => {
    const { made, ask } = aRequest({ key: undefined });

    await ask();
    await ask();

    expect(new Set(made).size).toBe(2);
  });

  // Spec, Limits: "any unique string"
  test('is remembered with spaces inside its key', async () => {
    const { ask } = aRequest({ key: `${newId()} of order 1` });

    expect([await ask(), await ask()].map(({ isReplay }) => isReplay)).toEqual([false, true]);
  });

  test.each(['', ' ', '  ', 'a\tb', 'ü', 'x'.repeat(256)])('is malformed with the key %j', async (key) => {
    const { made, ask } = aRequest({ key });

    await expect(ask()).rejects.toMatchObject({ code: 'INVALID_REQUEST' });

    expect(made).toEqual([]);
  });
});

describe('work besides an answer', () => {
  /** A request that leaves work, and the end of that work. */
  function leaving() {
    const request = aRequest();
    let end = { well: () => {}, badly: (_: Error) => {} };
    const ended = new Promise<void>((resolve, reject) => {
      end = { well: resolve, badly: reject };
    });
    const work = begun(ended);
    const how = (reservation: Reservation, besides: Besides) => {
      besides.push(work);
      return request.run(reservation);
    };
    return { ...request, end, asked: () => request.ask(how) };
  }

  test.each(['a key', undefined])('ends before the answer (%s)', async (key) => {
    const { end, asked, keyed } = leaving();
    keyed.key = key && newId();
    let isAnswered = false;
    const answered = asked().then(() => {
      isAnswered = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);

    end.well();

    await answered;
  });

  test('fails the request, whose repetition is a replay that does the work again', async () => {
    const { end, asked, made } = leaving();
    const first = asked();
    end.badly(new Error('the machine does not start'));

    await expect(first).rejects.toThrow('does not start');

    expect(await asked()).toMatchObject({ isReplay: true });
    expect(made).toHaveLength(1);
  });
});

describe('a key that is given back', () => {
  test('is free at once, for the same ids', async () => {
    const { ports, keyed, made, ask } = aRequest();
    const claimed = await claimKey(ports, keyed);

    await giveBack(ports, Promise.resolve(claimed));

    expect(claimed.state).toBe('OURS');
    expect(await ask()).toMatchObject({ isReplay: false });
    if (claimed.state === 'OURS') expect(made).toEqual([reservedIds(claimed.reservation).transaction()]);
  });

  test('stays with the request that runs under it', async () => {
    const { ports, keyed, ask } = aRequest();
    await claimKey(ports, keyed);

    await giveBack(ports, claimKey(ports, keyed));

    await expect(ask()).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
  });

  test('fails silently if it was not claimed, because the caller gets the refusal', async () => {
    const { ports, keyed } = aRequest();
    const broken = { ...ports.idempotency, release: () => Promise.reject(new Error('DynamoDB is away')) };

    await giveBack(ports, Promise.reject(new Error('DynamoDB is away')));
    await giveBack(ports, claimKey(ports, { ...keyed, key: undefined }));
    await giveBack({ ...ports, idempotency: broken }, claimKey(ports, keyed));
  });
});

describe('a refusal', () => {
  test('of the domain is remembered like an answer', async () => {
    const { ask } = aRequest();
    const refusing = () => Promise.reject(new Refusal('AMOUNT_OUT_OF_RANGE', { minimum: 50 }));

    const first = await ask(refusing);
    const second = await ask();

    expect(first.answer.statusCode).toBe(422);
    expect(second).toEqual({ answer: first.answer, isReplay: true });
  });

  test.each([new Unavailable('the price feed'), new Error('a bug')])(
    'of the moment is not remembered (%s): the retry runs at once, with the same ids',
    async (error) => {
      const { made, run, ask } = aRequest();
      const failing = async (reservation: Reservation) => {
        await run(reservation);
        throw error;
      };

      await expect(ask(failing)).rejects.toBe(error);
      expect(await ask()).toMatchObject({ isReplay: false });

      expect(made).toHaveLength(2);
      expect(new Set(made).size).toBe(1);
    },
  );
});

describe('a refusal that names its time', () => {
  test('is not remembered: the retry runs after that time, and the caller learns the time', async () => {
    const { made, run, ask } = aRequest();
    const locked = new Refusal('MFA_ATTEMPTS_EXCEEDED', { scope: 'client', retryAfterSeconds: 900 });
    const refusing = async (reservation: Reservation) => {
      await run(reservation);
      throw locked;
    };

    await expect(ask(refusing)).rejects.toBe(locked);
    expect(await ask()).toMatchObject({ isReplay: false, answer: { statusCode: 200 } });

    expect(new Set(made).size).toBe(1);
  });
});

describe('a lease that cannot be given back', () => {
  test('hides no error, and ends in its time', async () => {
    const { ports, ask } = aRequest();
    const release = () => Promise.reject(new Error('DynamoDB is away'));
    const error = new Unavailable('the price feed');

    const idempotency = { ...ports.idempotency, release };
    await expect(ask(() => Promise.reject(error), { idempotency })).rejects.toBe(error);
    ports.clock.advance(LEASE_MS);

    expect(await ask()).toMatchObject({ isReplay: false });
  });
});

type Call = keyof Idempotency;

/** A store whose process ends before or after one call. Nothing happens any more after that. */
function mortal(store: Idempotency, when: 'before' | 'after', call: Call): Idempotency {
  let isDead = false;
  const wrap =
    (name: Call) =>
    async (...args: never[]) => {
      if (isDead) throw new Death('already');
      isDead = name === call;
      if (isDead && when === 'before') throw new Death(`before ${call}`);
      const answer = await (store[name] as (...args: never[]) => Promise<unknown>)(...args);
      if (isDead) throw new Death(`after ${call}`);
      return answer;
    };
  return { claim: wrap('claim'), remember: wrap('remember'), release: wrap('release') } as Idempotency;
}

describe('a process that dies', () => {
  const POINTS = (['claim', 'remember'] as const).flatMap((call) =>
    (['before', 'after'] as const).map((when) => ({ when, call })),
  );

  test.each(POINTS)('$when $call is retried with the same ids', async ({ when, call }) => {
    const { ports, made, ask } = aRequest();

    await expect(ask(undefined, { idempotency: mortal(ports.idempotency, when, call) })).rejects.toThrow();
    ports.clock.advance(LEASE_MS);
    const { answer } = await ask();
    const again = await ask();

    expect(new Set(made).size).toBe(1);
    expect(answer).toEqual({ statusCode: 200, body: JSON.stringify({ id: made[0] }) });
    expect(again).toEqual({ answer, isReplay: true });
  });

  test.each(['before', 'after'] as const)('%s release is retried with the same ids', async (when) => {
    const { ports, made, run, ask } = aRequest();
    const idempotency = mortal(ports.idempotency, when, 'release');
    const failing = async (reservation: Reservation) => {
      await run(reservation);
      throw new Unavailable('the price feed');
    };

    await expect(ask(failing, { idempotency })).rejects.toThrow();
    ports.clock.advance(LEASE_MS);
    await ask();

    expect(made).toHaveLength(2);
    expect(new Set(made).size).toBe(1);
  });

  test('keeps the retry out while its own function could still be running', async () => {
    const { ports, made, ask } = aRequest();
    const idempotency = mortal(ports.idempotency, 'before', 'remember');
    await expect(ask(undefined, { idempotency })).rejects.toThrow();

    ports.clock.advance(LEASE_MS - 1);
    await expect(ask()).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
      details: { retryAfterSeconds: 1 },
    });

    expect(made).toHaveLength(1);
  });

  test('between its effects continues with them: no id is drawn again, however often it dies', async () => {
    const { ports, made, run, ask } = aRequest();
    const dying = async (reservation: Reservation) => {
      await run(reservation);
      throw new Death('in the operation');
    };
    for (let tries = 0; tries < 3; tries++) {
      const idempotency = mortal(ports.idempotency, 'before', 'release');
      await expect(ask(dying, { idempotency })).rejects.toThrow();
      ports.clock.advance(LEASE_MS);
    }

    await ask();

    expect(made).toHaveLength(4);
    expect(new Set(made).size).toBe(1);
  });

  test('after its answer was written answers the retry at once, although its caller got an error', async () => {
    const { ports, made, ask } = aRequest();
    const remember: Idempotency['remember'] = async (scope, answer) => {
      await ports.idempotency.remember(scope, answer);
      throw new Error('the answer of DynamoDB was lost');
    };

    await expect(ask(undefined, { idempotency: { ...ports.idempotency, remember } })).rejects.toThrow('lost');

    expect(await ask()).toMatchObject({ isReplay: true });
    expect(made).toHaveLength(1);
  });
});
