import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { promiseStore } from '../../functions/adapters/dynamodb/promises.ts';
import { quoteStore } from '../../functions/adapters/dynamodb/quotes.ts';
import { Refusal, Unavailable } from '../../functions/domain/errors.ts';
import type { LockedQuote } from '../../functions/domain/purchase/locked-quote.ts';
import { type OpenPromise, promiseOf, sumsOfPromise } from '../../functions/domain/purchase/open-promise.ts';
import type { Status } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { releasePromises } from '../../functions/logic/purchase/release-promises.ts';
import { aLockedQuote, aTransaction, NOW } from '../support/builders.ts';
import { dice as random } from '../support/dice.ts';
import { Died, mortalClient } from '../support/mortal-client.ts';
import { memoryTables, rowIn, startTables, type Tables } from '../support/tables.ts';

const LIMITS = { clientBrl: 200, walletBrl: 200, partnerBrl: 300, assetBrl: 400 };

/** Purchases and quotes of R$ 100 in memory, and their promises in the tables. */
function openRun(tables: Tables) {
  const purchases = new Map<string, Transaction>();
  const quotes = new Map<string, LockedQuote>();
  let now = NOW;
  const terms = () => ({ limits: LIMITS, now });
  const stores = (client: DynamoDBDocumentClient = tables.client) => {
    const at = { client, table: tables.names.promises, random };
    return { ...promiseStore(at), offers: quoteStore(at) };
  };
  const some = { asset: 'USDC', amountCentavos: 100_00 } as const;

  const quote = (who: number, client?: DynamoDBDocumentClient) => {
    const id = `quote_${who}`;
    const made =
      quotes.get(id) ?? aLockedQuote({ ...some, id, partnerId: `p${who % 2}`, expiresAt: now + 10 });
    quotes.set(id, made);
    return stores(client).offers.create(made, terms());
  };
  /** Every second purchase has the quote of the same number, if there is one. */
  const purchase = (who: number) => {
    const id = `purchase-${who}`;
    const used = who % 2 === 0 ? quotes.get(`quote_${who}`) : undefined;
    const rateLock = used && { quoteId: used.id, until: used.expiresAt };
    const ids = { clientId: `c${who % 3}`, partnerId: `p${who % 2}`, walletAddress: `0x${who % 3}` };
    const made = purchases.get(id) ?? aTransaction({ ...some, id, ...ids, rateLock });
    purchases.set(id, made);
    return made;
  };
  const charge = async (who: number, client?: DynamoDBDocumentClient) => {
    const made = purchase(who);
    if (made.status !== 'AWAITING_MFA') return;
    if (made.rateLock && now >= made.rateLock.until) return;
    await stores(client).open({ ...promiseOf(made), rateLock: made.rateLock }, terms());
    if (purchases.get(made.id)?.status === 'AWAITING_MFA')
      purchases.set(made.id, { ...made, status: 'AWAITING_PIX' });
  };
  const end = (who: number, status: Status) => {
    const made = purchases.get(`purchase-${who}`);
    if (made?.status.startsWith('AWAITING')) purchases.set(made.id, aTransaction({ ...made, status }));
  };
  const release = (client?: DynamoDBDocumentClient) =>
    releasePromises({
      openPromises: stores(client),
      openPurchases: {
        listOpen: async () => [],
        listByIds: async (ids) => [...purchases.values()].filter(({ id }) => ids.includes(id)),
      },
      clock: { now: () => now, minuteMs: 60_000 },
    });
  const pass = (ms: number) => {
    now += ms;
  };
  return {
    quote,
    charge,
    end,
    release,
    pass,
    listOpen: stores().listOpen,
    charged: () => [...purchases.values()],
  };
}

async function sumsIn(tables: Tables): Promise<Record<string, number>> {
  const ids = ['client#c0', 'client#c1', 'client#c2', 'wallet#0x0', 'wallet#0x1', 'wallet#0x2'];
  ids.push('partner#p0', 'partner#p1', 'asset#USDC');
  const rows = ids.map(async (id) => [id, (await rowIn(tables, 'promises', `SUM#${id}`))?.centavos ?? 0]);
  return Object.fromEntries(await Promise.all(rows));
}

function sumsByRows(open: readonly OpenPromise[], like: Record<string, number>): Record<string, number> {
  const sums = Object.fromEntries(Object.keys(like).map((id) => [id, 0]));
  for (const promise of open)
    for (const { id } of sumsOfPromise(promise)) sums[id.slice('SUM#'.length)]! += promise.amountCentavos;
  return sums;
}

const limitOf = (id: string) => LIMITS[`${id.split('#')[0]}Brl` as keyof typeof LIMITS] * 100;

const who = fc.nat({ max: 5 });
const death = fc.option(fc.record({ call: fc.integer({ min: 1, max: 4 }), isAfter: fc.boolean() }), {
  nil: undefined,
});
const act = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('quote' as const), who, death }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('charge' as const), who, death }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('end' as const),
      who,
      status: fc.constantFrom<Status>('PROCESSING', 'EXPIRED', 'CANCELED'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('release' as const), death }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 12 }) }),
  },
);
const script = fc.array(fc.array(act, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 });

// docs/decisions.md, "Quotes and open promises"
describe('the sums of open promises', () => {
  it('are those of the rows and within their limits, whatever races and dies at any call', async () => {
    await fc.assert(
      fc.asyncProperty(script, async (groups) => {
        const tables = memoryTables();
        const run = openRun(tables);
        const play = async (one: typeof act extends fc.Arbitrary<infer One> ? One : never) => {
          if (one.does === 'pass') return run.pass(one.ms);
          if (one.does === 'end') return run.end(one.who, one.status);
          const client = mortalClient(tables.client, one.death);
          const played = one.does === 'release' ? run.release(client) : run[one.does](one.who, client);
          await played.catch((error: unknown) => {
            if (!(error instanceof Died || error instanceof Unavailable || error instanceof Refusal))
              throw error;
          });
        };
        for (const group of groups) {
          await Promise.all(group.map(play));
          const sums = await sumsIn(tables);
          expect(sums).toEqual(sumsByRows(await run.listOpen(), sums));
          for (const [id, sum] of Object.entries(sums)) expect(sum).toBeLessThanOrEqual(limitOf(id));
        }

        const open = await run.listOpen();
        const unpaid = run.charged().filter(({ status }) => status === 'AWAITING_PIX');
        expect(open.map(({ id }) => id)).toEqual(expect.arrayContaining(unpaid.map(({ id }) => id)));
        for (let each = 0; each < 6; each++) run.end(each, 'EXPIRED');
        run.pass(20);
        await run.release();
        const sums = await sumsIn(tables);
        expect(sums).toEqual(Object.fromEntries(Object.keys(sums).map((id) => [id, 0])));
      }),
      { numRuns: 60 },
    );
  });
});

describe('a promise that is over', () => {
  const LIMITLESS = { limits: { ...LIMITS, clientBrl: 1_000_000 }, now: NOW };
  const quote = aLockedQuote({ id: 'quote_1', partnerId: 'p0', asset: 'USDC', amountCentavos: 100_00 });
  const charge = aTransaction({ ...quote, id: 'purchase-1', clientId: 'c0', walletAddress: '0x0' });
  const rateLock = { quoteId: quote.id, until: quote.expiresAt };

  async function aReleasedQuote(times: number) {
    const tables = memoryTables();
    const at = { client: tables.client, table: tables.names.promises, random };
    const store = promiseStore(at);
    await quoteStore(at).create(quote, LIMITLESS);
    const [promise] = await store.listOpen();
    await Promise.all(Array.from({ length: times }, () => store.release(promise!, NOW)));
    return { tables, store };
  }

  it.each([1, 2, 3])(
    'gives back its amount once, however many runs release it at once: %i',
    async (times) => {
      const { tables } = await aReleasedQuote(times);

      expect(Object.values(await sumsIn(tables)).every((centavos) => centavos === 0)).toBe(true);
    },
  );

  // DynamoDB would otherwise delete the row of an open promise, and its amount would count for ever.
  it('is the only one whose row, and whose sums, have a time to live', async () => {
    const tables = memoryTables();
    const at = { client: tables.client, table: tables.names.promises, random };
    const store = promiseStore(at);
    const ttls = async () => {
      const ids = [quote.id, charge.id, 'SUM#asset#USDC', 'SUM#partner#p0', 'SUM#client#c0'];
      return Promise.all(ids.map(async (id) => (await rowIn(tables, 'promises', id))?.ttl));
    };
    const release = async (id: string, now: number) => {
      const open = await store.listOpen();
      await store.release(open.find((each) => each.id === id)!, now);
    };
    const inTwoDays = (NOW + 48 * 60 * 60_000) / 1000;
    const nothing = undefined;

    await quoteStore(at).create(quote, LIMITLESS);
    expect(await ttls()).toEqual([nothing, nothing, nothing, nothing, nothing]);
    await store.open(promiseOf(charge), LIMITLESS);
    await release(quote.id, NOW);
    expect(await ttls()).toEqual([inTwoDays, nothing, nothing, nothing, nothing]);
    await release(charge.id, NOW);
    expect(await ttls()).toEqual([inTwoDays, inTwoDays, inTwoDays, inTwoDays, inTwoDays]);

    await store.open({ ...promiseOf(charge), id: 'purchase-2' }, LIMITLESS);
    expect(await ttls()).toEqual([inTwoDays, inTwoDays, nothing, nothing, nothing]);
  });

  it('of a quote begins its time to live when a charge replaces it', async () => {
    const tables = memoryTables();
    const at = { client: tables.client, table: tables.names.promises, random };
    await quoteStore(at).create(quote, LIMITLESS);

    await promiseStore(at).open({ ...promiseOf(charge), rateLock }, LIMITLESS);

    expect(await rowIn(tables, 'promises', quote.id)).toHaveProperty('ttl');
    expect(await rowIn(tables, 'promises', charge.id)).not.toHaveProperty('ttl');
  });

  it('becomes no promise of a charge', async () => {
    const { tables, store } = await aReleasedQuote(1);

    const opened = store.open({ ...promiseOf(charge), rateLock }, LIMITLESS);

    await expect(opened).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
    expect(await store.listOpen()).toEqual([]);
    expect(Object.values(await sumsIn(tables)).every((centavos) => centavos === 0)).toBe(true);
  });
});

// Threat: "the market rises while promises are open"
describe('twenty promises at once', () => {
  let tables: Awaited<ReturnType<typeof startTables>>;
  beforeAll(async () => {
    tables = await startTables();
  });
  afterAll(() => tables.stop());

  it('are as many as their asset bears, and never more', async () => {
    const { offers } = {
      offers: quoteStore({ client: tables.client, table: tables.names.promises, random }),
    };
    const terms = { limits: { ...LIMITS, partnerBrl: 1_000_000 }, now: NOW };
    const ask = async (index: number): Promise<string> => {
      const quote = aLockedQuote({ id: `quote_${index}`, amountCentavos: 100_00 });
      try {
        await offers.create(quote, terms);
        return 'PROMISED';
      } catch (error) {
        // Too many others wrote at the same moment. The partner repeats its request.
        if (error instanceof Unavailable) return ask(index);
        if (!(error instanceof Refusal)) throw error;
        return `${error.code} ${error.details.scope}`;
      }
    };

    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(index)));

    expect(outcomes.filter((outcome) => outcome === 'PROMISED')).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === 'PROMISES_EXHAUSTED ASSET')).toHaveLength(16);
    expect(await rowIn(tables, 'promises', 'SUM#asset#USDC')).toMatchObject({ centavos: 400_00 });
  });
});
