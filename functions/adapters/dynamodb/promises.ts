import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import { getDefined } from '../../domain/get.ts';
import type { Random } from '../../domain/ports.ts';
import { refuseExpired } from '../../domain/purchase/locked-quote.ts';
import {
  type OpenPromise,
  type PromiseScope,
  type PromiseSum,
  refusePromise,
  sumsOfPromise,
} from '../../domain/purchase/open-promise.ts';
import type {
  ChargePromise,
  OpenPromises,
  Promises,
  PromiseTerms,
} from '../../domain/purchase/promise-ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { HELD } from '../../tables/sharded.ts';
import { counting } from './counters.ts';
import { findAll } from './find-all.ts';
import type { PromiseRow, PromiseSumRow } from './rows.ts';
import { keyIn, listAll, rowIds } from './shards.ts';
import { find, isRefused, putNew, updateOf, type WriteItem, writeKnowingly } from './table.ts';

/**
 * The promise of a quote already counts in the sums of its partner and its asset. A purchase that uses the
 * quote is therefore not added to these two sums.
 */
const OF_QUOTES: readonly PromiseScope[] = ['partner', 'asset'];

export type PromiseTable = { client: DynamoDBDocumentClient; table: string; random: Random };

/**
 * Stores what we have promised to sell at a fixed price. Each promise has a row. Each client, wallet, partner
 * and asset has a counter of its open promises, in centavos. One transaction writes the row and changes its
 * counters, so each counter stays equal to the sum of its open promises.
 */
export function promiseStore(at: PromiseTable): Promises & OpenPromises {
  return {
    async open(charge, terms) {
      const added = addedBy(charge, at.table, terms.now);
      if ((await addPromise(at, added, terms)) || (await find(at, charge.id))) return;
      refuseExpired(getDefined(charge.rateLock, 'quote of the promise').until);
    },

    async listOpen() {
      const ids = new Set(rowIds(await listAll(at, { index: HELD })));
      // The index is eventually consistent and may still list a promise that was released. Therefore each row
      // is read again from the table.
      const rows = [...(await findAll<PromiseRow>(at, [...ids])).values()];
      return rows.filter(({ heldKey }) => heldKey !== undefined);
    },

    async release(promise, now) {
      const sums = sumsOfPromise(promise);
      const ids = sums.map(({ id }) => id);
      const before = await findAll<PromiseSumRow>(at, ids);
      const freed = ids.map((id) => lowering(at.table, { promise, before: before.get(id), id, now }));
      await writeKnowingly(at.client, [ending(at.table, promise.id, now), ...freed], at.random);
    },
  };
}

/** The attributes that only the row of an open promise has: it is listed in the index of open promises. */
export const openSince = ({ id }: Pick<OpenPromise, 'id'>, now: number) => ({
  heldKey: keyIn(HELD, id),
  reservedAt: now,
});

type Added = { rows: WriteItem[]; centavos: number; sums: readonly PromiseSum[] };

/**
 * The row and the sums of a charge's promise. The charge replaces its quote, so the promise of the quote
 * ends.
 */
function addedBy({ rateLock, ...promise }: ChargePromise, table: string, now: number): Added {
  const row = { ...promise, ...openSince(promise, now) };
  const ofQuote = rateLock ? [ending(table, rateLock.quoteId, now)] : [];
  const sums = sumsOfPromise(promise).filter(({ scope }) => !rateLock || !OF_QUOTES.includes(scope));
  return { rows: [{ Put: putNew(table, row) }, ...ofQuote], centavos: promise.amountCentavos, sums };
}

/**
 * The writes that open the promise of a charge. Undefined if the amount of the charge alone exceeds a limit.
 */
export function promiseWrites(
  charge: ChargePromise,
  table: string,
  terms: PromiseTerms,
): WriteItem[] | undefined {
  const added = addedBy(charge, table, terms.now);
  if (tooSmallOf(added, terms)) return undefined;
  return [...added.rows, ...raisesOf(added, table, terms)];
}

const roomOf = ({ scope }: PromiseSum, { centavos }: Added, { limits }: PromiseTerms) =>
  limits[`${scope}Brl`] * 100 - centavos;

/**
 * Finds a sum whose limit is lower than the amount of this promise alone. Its write could never succeed, so it is not
 * tried.
 */
const tooSmallOf = (added: Added, terms: PromiseTerms) =>
  added.sums.find((sum) => roomOf(sum, added, terms) < 0);

const raisesOf = (added: Added, table: string, terms: PromiseTerms): WriteItem[] =>
  added.sums.map((sum) =>
    counting(table, sum.id, {
      counter: 'centavos',
      more: added.centavos,
      most: roomOf(sum, added, terms),
      remove: ['ttl'],
    }),
  );

/**
 * Writes the rows and raises the sums, all or nothing. Throws the refusal of the purchase if a sum would
 * exceed its limit. Returns false if the condition of one of `rows` was not met, for example because the
 * request is repeated.
 */
export async function addPromise(
  { client, table, random }: PromiseTable,
  added: Added,
  terms: PromiseTerms,
): Promise<boolean> {
  const { rows, sums } = added;
  const small = tooSmallOf(added, terms);
  if (small) refusePromise(small.scope);
  const written = await writeKnowingly(client, [...rows, ...raisesOf(added, table, terms)], random);
  if (written === 'WRITTEN') return true;
  if (written === 'UNKNOWN') throw new Unavailable('the sums of promises');
  if (rows.some((_, index) => isRefused(written[index]))) return false;
  const full = sums.find((_, index) => isRefused(written[rows.length + index]));
  return refusePromise(getDefined(full, 'sum that is full').scope);
}

/**
 * Ends an open promise: removes its key of the index of open promises, and begins its time to live. An open row has
 * none, because DynamoDB would delete it while its amount still counts.
 */
const ending = (table: string, id: string, now: number): WriteItem => ({
  Update: {
    TableName: table,
    Key: { id },
    ...updateOf({ ttl: ttlOf('promises', now) }, ['heldKey']),
    ConditionExpression: 'attribute_exists(heldKey)',
  },
});

type Lowering = { promise: OpenPromise; before?: PromiseSumRow; id: string; now: number };

/**
 * Takes the promise out of a sum. The time to live of the sum begins with its last promise, and ends with the next one.
 * If the sum has changed since it was read, the write is refused, and the next run repeats it.
 */
function lowering(table: string, { promise, before, id, now }: Lowering): WriteItem {
  const { amountCentavos } = promise;
  const isLast = Number(before?.centavos) === amountCentavos;
  const set = isLast ? { ttl: ttlOf('promises', now) } : undefined;
  const { Update } = counting(table, id, { counter: 'centavos', more: -amountCentavos, set });
  return {
    Update: {
      ...Update,
      ConditionExpression: `centavos ${isLast ? '=' : '<>'} :amount`,
      ExpressionAttributeValues: { ...Update.ExpressionAttributeValues, ':amount': amountCentavos },
    },
  };
}
