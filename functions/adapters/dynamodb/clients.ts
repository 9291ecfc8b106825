import { type DynamoDBDocumentClient, UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import { getDefined } from '../../domain/get.ts';
import { type Client, isLocked } from '../../domain/kyc/client.ts';
import type { Clients } from '../../domain/kyc/client-ports.ts';
import { withVerdict } from '../../domain/kyc/kyc.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { DUE } from '../../tables/sharded.ts';
import type { ClientRow, ClientSets } from './rows.ts';
import { keyIn } from './shards.ts';
import { find, isDone, putIfAbsent, type Store, updateOf, writeRow } from './table.ts';

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

/**
 * The most tries to count one wrong code. A try fails if an accepted code sets the count to zero between the
 * two writes `count` and `lock`.
 */
const COUNT_ROUNDS = 5;

/** The most tries to save one decision. A try fails if another decision was saved since the client was read. */
const VERDICT_ROUNDS = 8;

/** The condition that the client is not locked now. */
const IS_OPEN = '(attribute_not_exists(lockedUntil) OR lockedUntil <= :now)';

export function clientStore(client: DynamoDBDocumentClient, table: string, random: Random): Clients {
  const store = { client, table };
  const update = (id: string, input: Omit<UpdateCommandInput, 'TableName' | 'Key'>) =>
    // DynamoDB refuses this write while a reviewer's decision writes the same row in a transaction.
    // `writeRow` then repeats it.
    writeRow(() => client.send(new UpdateCommand({ TableName: table, Key: { id }, ...input })), random);

  return {
    findClient: (id) => findClient(store, id),
    async create(row, until) {
      const kept = until === undefined ? {} : { ttl: ttlOf('clients', until) };
      return clientOfRow(await putIfAbsent(store, { ...toClientRow(row), ...kept }));
    },

    async keep(id, until) {
      const ttl = ttlOf('clients', until);
      // `ttl` follows from the end of a calendar year, so this write changes the row once a year.
      const longer = 'attribute_exists(id) AND (attribute_not_exists(#ttl) OR #ttl < :ttl)';
      await isDone(update(id, { ...updateOf({ ttl }), ConditionExpression: longer }));
    },

    async acceptCode({ id, totpCipher }, { step, transactionId, requestId, now }) {
      const accepted = update(id, {
        UpdateExpression:
          'SET lastStep = :step, lastTransactionId = :transaction, lastRequestId = :request, ' +
          'wrongCodes = :zero, enrolledAt = if_not_exists(enrolledAt, :now) REMOVE lockedUntil',
        // A code works once, but a client may repeat it for the same purchase until the charge exists. The write also
        // requires the secret with which the code was checked.
        ConditionExpression:
          `${IS_OPEN} AND totpCipher = :cipher AND attribute_not_exists(mustProve) AND ` +
          '(attribute_not_exists(lastStep) OR lastStep < :step OR ' +
          '(lastStep = :step AND lastTransactionId = :transaction))',
        ExpressionAttributeValues: {
          ':step': step,
          ':transaction': transactionId,
          ':request': requestId,
          ':cipher': totpCipher,
          ':zero': 0,
          ':now': now,
        },
      });
      return isDone(accepted);
    },

    async noteVerdict(id, verdict) {
      for (let round = 0; round < VERDICT_ROUNDS; round++) {
        const known = getDefined(await findClient(store, id), 'client');
        const set = withVerdict(known, verdict);
        if (Object.keys(set).length === 0) return;
        const due = set.rejectedAt === undefined ? {} : overrulingOf(id);
        if (await isDone(update(id, ifVerdictAsRead(known, updateOf({ ...set, ...due }))))) return;
      }
      throw new Unavailable('the client’s row');
    },

    async countWrongCode(id, { limit, now, lockUntil }) {
      const count = () =>
        update(id, {
          UpdateExpression: 'ADD wrongCodes :one',
          ConditionExpression: `${IS_OPEN} AND wrongCodes < :last`,
          ExpressionAttributeValues: { ':one': 1, ':now': now, ':last': limit - 1 },
        });
      const lock = () =>
        update(id, {
          UpdateExpression: 'SET lockedUntil = :until, wrongCodes = :zero',
          ConditionExpression: `${IS_OPEN} AND wrongCodes >= :last`,
          ExpressionAttributeValues: { ':until': lockUntil, ':zero': 0, ':now': now, ':last': limit - 1 },
        });
      for (let round = 0; round < COUNT_ROUNDS; round++) {
        if ((await isDone(count())) || (await isDone(lock()))) return {};
        const { lockedUntil } = getDefined(await findClient(store, id), 'client');
        if (isLocked({ lockedUntil }, now)) return { lockedUntil };
      }
      throw new Unavailable('the count of wrong codes');
    },

    async resetTotp(id, totpCipher, now) {
      // After the reset, the last accepted code cannot be repeated for its purchase any more:
      // docs/decisions.md, "Codes of a challenge".
      await update(id, {
        UpdateExpression:
          'SET totpCipher = :cipher, mustProve = :now, wrongCodes = :zero ' +
          'REMOVE enrolledAt, lockedUntil, lastTransactionId, lastRequestId',
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: { ':cipher': totpCipher, ':now': now, ':zero': 0 },
      });
    },

    async markProven(id, resetAt) {
      // A later reset has another `mustProve` and needs a proof of its own. The condition therefore removes
      // only the mark of this reset.
      await isDone(
        update(id, {
          UpdateExpression: 'REMOVE mustProve',
          ConditionExpression: 'mustProve = :resetAt',
          ExpressionAttributeValues: { ':resetAt': resetAt },
        }),
      );
    },

    async spendReview(id, { since, ...review }) {
      const spent = update(id, {
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
    },

    async saveLimits(id, limits) {
      await update(id, { ...updateOf({ limits }), ConditionExpression: 'attribute_exists(id)' });
    },

    async addWallet(id, address) {
      await update(id, {
        UpdateExpression: 'ADD wallets :address',
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: { ':address': new Set([address]) },
      });
    },
  };
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
