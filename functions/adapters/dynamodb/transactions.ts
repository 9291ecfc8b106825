import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { getDefined } from '../../domain/get.ts';
import type { Random } from '../../domain/ports.ts';
import type { Evidence } from '../../domain/purchase/evidence.ts';
import { STATUSES, type Status } from '../../domain/purchase/status.ts';
import type { NotedObstacle } from '../../domain/purchase/story-obstacles.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import type { Transactions } from '../../domain/purchase/transaction-ports.ts';
import type { PurchaseChange } from '../../domain/purchase/transitions.ts';
import { ttlOf } from '../../domain/retention.ts';
import { DUE, UNARCHIVED } from '../../tables/sharded.ts';
import { MARK } from './holds.ts';
import { postingPuts, writeMove } from './ledger.ts';
import { type PurchaseClaim, putWithClaims } from './purchase-claims.ts';
import { quoteClaim } from './quotes.ts';
import { eventRow, evidenceClaim } from './records.ts';
import { findReferenced, isReferenceId, referenceClaim } from './references.ts';
import type { TransactionRow } from './rows.ts';
import { payKey } from './settlement-rows.ts';
import { keyIn, listDueIds } from './shards.ts';
import {
  find,
  isConditionFailed,
  isDone,
  putIfAbsent,
  putNew,
  type SharedStore,
  type Store,
  updateOf,
  updateRow,
  type WriteItem,
  writeRow,
} from './table.ts';
import { releasesOf } from './usages.ts';

type Tables = {
  transactions: string;
  events: string;
  ledger: string;
  settlements: string;
  promises: string;
  usages: string;
  evidence: string;
};

/**
 * `create` calls `whenNew` only if this call has written the purchase. If an earlier request wrote it, the caller does
 * not count it again.
 */
export type TransactionStore = Omit<Transactions, 'create'> & {
  create(transaction: Transaction, evidence?: Evidence, whenNew?: () => void): Promise<Transaction>;
};

/**
 * Stores purchases. One transaction changes the purchase and adds its events (the outbox) and its postings in
 * the ledger.
 */
export function transactionStore(
  client: DynamoDBDocumentClient,
  tables: Tables,
  random: Random,
): TransactionStore {
  const store = { client, table: tables.transactions, random };
  const saveAll = ({ id, was }: PurchaseChange, items: WriteItem[]) =>
    writeMove({ client, random, ledger: tables.ledger }, items, async () => {
      const row = await find<Transaction>(store, id);
      return row?.status === was.status && row.sequence === was.sequence;
    });

  return {
    findTransaction: (id) => findPurchase(store, id),
    findIdOf: (partnerId, externalId) => findReferenced(store, partnerId, externalId),
    create: (transaction, evidence, whenNew) =>
      createPurchase(store, tables, { transaction, evidence, whenNew }),
    save: (change) =>
      saveAll(change, [...moveWrites(change, tables), ...releasesOf(change.released, tables.usages)]),
    saveRefundClaim: (change) =>
      saveAll(change, [...moveWrites(change, tables), noNonceOwned(change.id, tables.settlements)]),
    listDue: (now, limit) => listDueIds(store, DUE, { now, limit }),
    countMfaAttempt: (id, limit) => countMfaAttempt(store, id, limit),
    async returnMfaAttempt(id) {
      await updateRow(store, id, {
        UpdateExpression: 'ADD mfaAttempts :one',
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: { ':one': -1 },
      });
    },
    noteObstacle: (id, status, obstacle) => saveObstacle(store, id, { status, obstacle }),
    async saveWait(id, wait) {
      await updateRow(store, id, { ...updateOf({ wait }), ConditionExpression: 'attribute_exists(id)' });
    },
    async postpone(id, nextCheckAt, executions) {
      // A purchase may have ended since it was read. It must not get `nextCheckAt` again, because the sweeper
      // would then visit it.
      const condition = { ConditionExpression: 'attribute_exists(nextCheckAt)' };
      await isDone(updateRow(store, id, { ...updateOf({ nextCheckAt, executions }), ...condition }));
    },
  };
}

async function findPurchase(store: Store, id: string): Promise<Transaction | undefined> {
  // The id may come from a URL or from a charge's txid. The table also has the row of the `Mark` and the
  // rows of references, which are not purchases.
  if (id === MARK || isReferenceId(id)) return undefined;
  const row = await find<TransactionRow>(store, id);
  return row && transactionOfRow(row);
}

type NewPurchase = { transaction: Transaction; evidence?: Evidence; whenNew?: () => void };

async function createPurchase(
  store: SharedStore,
  tables: Tables,
  { transaction, evidence, whenNew }: NewPurchase,
): Promise<Transaction> {
  const row = toTransactionRow(transaction);
  const claims = claimsOf(store, tables, { row, evidence });
  const stored =
    claims.length > 0
      ? await putWithClaims(store, { row, claims }, store.random)
      : await writeRow(() => putIfAbsent(store, row), store.random);
  if (stored === row) whenNew?.();
  return transactionOfRow(stored);
}

function claimsOf(
  store: Store,
  tables: Tables,
  { row, evidence }: { row: TransactionRow; evidence?: Evidence },
): PurchaseClaim[] {
  const { id, externalId, rateLock } = row;
  return [
    ...(externalId === undefined ? [] : [referenceClaim(store, row, externalId)]),
    // The quotes are in the table `promises`. Only the Lambda function that opens purchases may mark a
    // quote as used, and only it writes a purchase with `rateLock`.
    ...(rateLock ? [quoteClaim({ client: store.client, table: tables.promises }, rateLock.quoteId, id)] : []),
    ...(evidence ? [evidenceClaim(tables.evidence, evidence)] : []),
  ];
}

async function countMfaAttempt(store: SharedStore, id: string, limit: number): Promise<number | undefined> {
  const counted = await updateRow(store, id, {
    UpdateExpression: 'ADD mfaAttempts :one',
    ConditionExpression: 'mfaAttempts < :limit AND #status = :awaiting',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':one': 1, ':limit': limit, ':awaiting': 'AWAITING_MFA' },
    ReturnValues: 'UPDATED_NEW',
  }).catch(undefinedIfRefused);
  return counted && Number(counted.Attributes?.mfaAttempts);
}

type ObstacleAt = { status: Status; obstacle?: NotedObstacle };

async function saveObstacle(store: SharedStore, id: string, { status, obstacle }: ObstacleAt): Promise<void> {
  const update = updateOf({ obstacle }, obstacle ? [] : ['obstacle']);
  const noted = updateRow(store, id, {
    UpdateExpression: update.UpdateExpression,
    ConditionExpression: '#status = :status',
    ExpressionAttributeNames: { ...update.ExpressionAttributeNames, '#status': 'status' },
    ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':status': status },
  });
  await isDone(noted);
}

function undefinedIfRefused(error: unknown): undefined {
  if (!isConditionFailed(error)) throw error;
}

type MoveTables = Pick<Tables, 'transactions' | 'events' | 'ledger'>;

export function moveWrites(change: PurchaseChange, tables: MoveTables): WriteItem[] {
  return [
    { Update: transactionUpdate(change, tables.transactions) },
    ...change.events.map((event) => ({ Put: putNew(tables.events, eventRow(event)) })),
    ...postingPuts(change.postings, tables.ledger, change.set.history?.at(-1)?.at),
  ];
}

/**
 * The condition that exactly `tries` tries of the refund have ended. Without it, two runs at the same time
 * could each end the same try and open a new one.
 */
export function tryIsPresent(tries: number) {
  if (tries === 0) return { condition: 'attribute_not_exists(#refund.#tries)', values: {} };
  return { condition: '#refund.#tries = :tries', values: { ':tries': tries } };
}

function transactionUpdate(change: PurchaseChange, table: string) {
  const isDone = change.remove.includes('nextCheckAt');
  const remove = isDone ? [...change.remove, 'sweep'] : change.remove;
  const mark = isDone && {
    archiveKey: keyIn(UNARCHIVED, change.id),
    archiveAt: instantOfChange(change) ?? 0,
  };
  const update = updateOf({ ...change.set, ttl: ttlAfter(change), ...mark }, remove);
  const claimsRefund = change.set.disposition === 'REFUND';
  const { status, sequence, refundTries, isClaimed } = change.was;
  const ended = refundTries === undefined ? undefined : tryIsPresent(refundTries);
  return {
    TableName: table,
    Key: { id: change.id },
    ...update,
    // `status` and `sequence` must be as they were read. A purchase is claimed for a refund only once. The
    // claim may replace the disposition `SETTLE` only if the settlement owns no nonce, which `noNonceOwned`
    // checks.
    ConditionExpression: [
      '#status = :was AND #sequence = :wasSequence',
      ...(claimsRefund ? ['(attribute_not_exists(#disposition) OR #disposition = :settle)'] : []),
      ...(ended ? [ended.condition] : []),
      ...(isClaimed === undefined ? [] : [`attribute_${isClaimed ? '' : 'not_'}exists(claim)`]),
    ].join(' AND '),
    ExpressionAttributeNames: {
      ...update.ExpressionAttributeNames,
      '#status': 'status',
      '#sequence': 'sequence',
      ...(ended && { '#tries': 'tries' }),
    },
    ExpressionAttributeValues: {
      ...update.ExpressionAttributeValues,
      ':was': status,
      ':wasSequence': sequence,
      ...ended?.values,
      ...(claimsRefund && { ':settle': 'SETTLE' }),
    },
  };
}

/**
 * The row's time to live, counted from the instant of the change: that of its last event, or else of its last
 * entry in `history`. Undefined if the change has neither. `ttl` then stays as it is.
 */
function ttlAfter(change: PurchaseChange): number | undefined {
  const at = instantOfChange(change);
  return at === undefined ? undefined : ttlOf('transactions', at);
}

const instantOfChange = ({ set, events }: PurchaseChange) => events.at(-1)?.at ?? set.history?.at(-1)?.at;

/**
 * The condition that the settlement owns no nonce, so that no transfer of this purchase can be mined:
 * docs/architecture.md, "Five ideas".
 */
function noNonceOwned(id: string, table: string): WriteItem {
  return {
    ConditionCheck: {
      TableName: table,
      Key: { id: payKey(id) },
      ConditionExpression: 'attribute_not_exists(id) OR attribute_not_exists(nonce)',
    },
  };
}

function toTransactionRow(transaction: Transaction): TransactionRow {
  const { id, createdAt } = transaction;
  return { ...transaction, sweep: keyIn(DUE, id), ttl: ttlOf('transactions', createdAt) };
}

/**
 * Converts a row to a purchase. The DynamoDB client reads small integers as numbers and large ones as bigint,
 * so `assetUnits` is converted to bigint. Throws if the purchase lacks a fact that its status requires.
 */
export function transactionOfRow(row: TransactionRow): Transaction {
  const { paid, tokens } = STATUSES[row.status];
  const of = `of the ${row.status} purchase ${row.id}`;
  if (paid) getDefined(row.payment, `payment ${of}`);
  if (tokens === 'DELIVERED') getDefined(row.txHash, `txHash ${of}`);
  if (row.status === 'FAILED') getDefined(row.failure, `failure ${of}`);
  return { ...row, quote: { ...row.quote, assetUnits: BigInt(row.quote.assetUnits) } };
}
