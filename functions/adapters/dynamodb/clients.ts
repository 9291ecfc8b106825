import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import { getDefined } from '../../domain/get.ts';
import type { Client } from '../../domain/kyc/client.ts';
import type { Clients } from '../../domain/kyc/client-ports.ts';
import type { SpentReview } from '../../domain/kyc/identity.ts';
import { type ClientVerdict, withVerdict } from '../../domain/kyc/kyc.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { DUE } from '../../tables/sharded.ts';
import { acceptCode, countWrongCode, markProven, replaceTotp } from './client-codes.ts';
import type { ClientRow, ClientSets } from './rows.ts';
import { keyIn } from './shards.ts';
import { find, isDone, putIfAbsent, type SharedStore, type Store, updateOf, updateRow } from './table.ts';

const SETS = [
  'wallets',
  'clearedPairs',
  'confirmedPairs',
  'blockedFor',
] as const satisfies (keyof ClientSets)[];

/**
 * Part of each write that rejects a client. A schedule then visits the client and refuses the client's older
 * tokens. The instant 0 is past for every clock, so the visit is due at once.
 */
export function overrulingOf(id: string) {
  return { sweep: keyIn(DUE, id), nextCheckAt: 0, checks: 0 } as const;
}

/** The most tries to save one decision. A try fails if another decision was saved since the client was read. */
const VERDICT_ROUNDS = 8;

export function clientStore(client: DynamoDBDocumentClient, table: string, random: Random): Clients {
  const store = { client, table, random };
  return {
    findClient: (id) => findClient(store, id),
    create: (given, until) => createClient(store, given, until),
    keep: (id, until) => keepClient(store, id, until),
    acceptCode: (given, code) => acceptCode(store, given, code),
    noteVerdict: (id, verdict) => saveVerdict(store, id, verdict),
    countWrongCode: (id, rule) => countWrongCode(store, id, rule),
    resetTotp: (id, totpCipher, now) => replaceTotp(store, id, { totpCipher, now }),
    markProven: (id, resetAt) => markProven(store, id, resetAt),
    spendReview: (id, review) => spendReview(store, id, review),
    async saveLimits(id, limits) {
      await updateRow(store, id, { ...updateOf({ limits }), ConditionExpression: 'attribute_exists(id)' });
    },
    async addWallet(id, address) {
      await updateRow(store, id, {
        UpdateExpression: 'ADD wallets :address',
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: { ':address': new Set([address]) },
      });
    },
  };
}

async function createClient(store: Store, given: Client, until: number | undefined): Promise<Client> {
  const kept = until === undefined ? {} : { ttl: ttlOf('clients', until) };
  return clientOfRow(await putIfAbsent(store, { ...toClientRow(given), ...kept }));
}

async function keepClient(store: SharedStore, id: string, until: number): Promise<void> {
  const ttl = ttlOf('clients', until);
  // `ttl` follows from the end of a calendar year, so this write changes the row once a year.
  const longer = 'attribute_exists(id) AND (attribute_not_exists(#ttl) OR #ttl < :ttl)';
  await isDone(updateRow(store, id, { ...updateOf({ ttl }), ConditionExpression: longer }));
}

async function saveVerdict(store: SharedStore, id: string, verdict: ClientVerdict): Promise<void> {
  for (let round = 0; round < VERDICT_ROUNDS; round++) {
    const known = getDefined(await findClient(store, id), 'client');
    const set = withVerdict(known, verdict);
    if (Object.keys(set).length === 0) return;
    const due = set.rejectedAt === undefined ? {} : overrulingOf(id);
    const update = ifVerdictAsRead(known, updateOf({ ...set, ...due }));
    if (await isDone(updateRow(store, id, update))) return;
  }
  throw new Unavailable('the client’s row');
}

/** The condition that no decision about the client was saved since the client was read. */
function ifVerdictAsRead({ rejectedAt, raisedAt, raisedTier }: Client, changes: ReturnType<typeof updateOf>) {
  const was = Object.entries({ rejectedAt, raisedAt, raisedTier });
  const isAsRead = was.map(([name, value]) =>
    value === undefined ? `attribute_not_exists(${name})` : `${name} = :was_${name}`,
  );
  const known = was.filter(([, value]) => value !== undefined);
  return {
    ...changes,
    ConditionExpression: ['attribute_exists(id)', ...isAsRead].join(' AND '),
    ExpressionAttributeValues: {
      ...changes.ExpressionAttributeValues,
      ...Object.fromEntries(known.map(([name, value]) => [`:was_${name}`, value])),
    },
  };
}

async function spendReview(
  store: SharedStore,
  id: string,
  { since, ...review }: SpentReview & { since: number },
): Promise<boolean> {
  const spent = updateRow(store, id, {
    UpdateExpression:
      'SET reviewSpentAt = :at, spentReviews = list_append(if_not_exists(spentReviews, :none), :spent)',
    ConditionExpression:
      'attribute_exists(id) AND (attribute_not_exists(reviewSpentAt) OR reviewSpentAt <= :since)',
    ExpressionAttributeValues: {
      ':at': review.reviewedAt,
      ':since': since,
      ':none': [],
      ':spent': [review],
    },
  });
  if (await isDone(spent)) return true;
  const { spentReviews = [] } = getDefined(await findClient(store, id), 'client');
  return spentReviews.some(({ livenessId }) => livenessId === review.livenessId);
}

async function findClient(store: Store, id: string): Promise<Client | undefined> {
  const row = await find<ClientRow>(store, id);
  return row && clientOfRow(row);
}

function toClientRow(client: Client): ClientRow {
  const sets = SETS.flatMap((name) => (client[name]?.length ? [[name, new Set(client[name])]] : []));
  return { ...withoutSets(client), ...Object.fromEntries(sets) };
}

function clientOfRow(row: ClientRow): Client {
  const lists = SETS.flatMap((name) => (row[name] ? [[name, [...row[name]]]] : []));
  return { ...withoutSets(row), ...Object.fromEntries(lists) };
}

function withoutSets<Given extends Client | ClientRow>({ ...row }: Given): Omit<Given, keyof ClientSets> {
  for (const name of SETS) delete row[name];
  return row;
}
