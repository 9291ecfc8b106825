import { type DynamoDBDocumentClient, paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import type { ClientVerdict, KycRecord } from '../../domain/kyc/kyc.ts';
import type { KycReviews } from '../../domain/kyc/kyc-ports.ts';
import type { RejectionReason } from '../../domain/kyc/kyc-reasons.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import {
  type CaseDecision,
  type CaseStatus,
  DECIDED_FROM,
  type DecidedReviewCase,
  isDecidable,
  isDecided,
  isDecidedSo,
  type OpenReviewCase,
  type ReviewCase,
} from '../../domain/screening/review-case.ts';
import type { ReviewCases } from '../../domain/screening/review-case-ports.ts';
import { OVERRULING } from './clients.ts';
import { find, type Store, updateOf, type WriteItem, writeAll } from './table.ts';

/**
 * Opens a case, or notes of one that is there the latest record, and whether that waits: the first opening counts, and
 * a decision stays. Part of the write of what opened it.
 */
export function openReviewCase(table: string, { id, token, opened, ...first }: OpenReviewCase): WriteItem {
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = updateOf({
    token,
    opened,
    ttl: ttlOf('cases', first.openedAt),
  });
  const fields = Object.entries(first);
  const assignments = fields.map(([name]) => `#${name} = if_not_exists(#${name}, :${name})`);
  return {
    Update: {
      TableName: table,
      Key: { id },
      UpdateExpression: `${UpdateExpression}, ${assignments.join(', ')}`,
      ExpressionAttributeNames: {
        ...ExpressionAttributeNames,
        ...Object.fromEntries(fields.map(([name]) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ...Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
      },
    },
  };
}

type CaseTables = { cases: string; clients: string; kycRecords: string };
type Beside = { random: Random; kycReviews: Pick<KycReviews, 'listOfClient'> };

const AT_ONCE = 25;
/** Of a client's records so many are looked at once a decision is there; older ones wait for their own next look. */
const NEWEST = 20;
/** Records may be decided in the very moment that the case is. */
const ROUNDS = 5;

/** What reviewers do with cases. */
export function reviewCaseStore(
  client: DynamoDBDocumentClient,
  tables: CaseTables,
  { random, kycReviews }: Beside,
): ReviewCases {
  const store = { client, table: tables.cases };
  const records = { client, table: tables.kycRecords };
  const clients = { client, table: tables.clients };

  async function decide(id: string, decision: CaseDecision): Promise<DecidedReviewCase> {
    for (let round = 0; round < ROUNDS; round++) {
      const known = await requireCase(store, id);
      if (isDecided(known) && (isDecidedSo(known, decision) || !isDecidable(known, decision.status)))
        return known;
      const rejectedAt = await bindingInstant(known, decision, { clients, records });
      const waiting = await waitingFor(known, records, kycReviews);
      const written = await writeAll(
        client,
        writesOf(known, { decision, rejectedAt, waiting }, tables),
        random,
      );
      if (written === 'WRITTEN') return { ...known, ...decision };
      // Refused, or the answer was lost: the rows as they are now tell.
    }
    throw new Unavailable('the review cases table');
  }

  return {
    decide,
    findCase: (id) => find<ReviewCase>(store, id),
    async listOpen() {
      const found = await listCases(store, ['OPEN']);
      return found.filter((known) => !isDecided(known));
    },
    async listDecided() {
      const found = (await listCases(store, ['CLEARED', 'CONFIRMED'])).filter(isDecided);
      return found.sort((one, other) => one.decidedAt - other.decidedAt);
    },
  };
}

/** By their status, the oldest first. The index may be stale: what was decided a moment ago is still in its old place. */
async function listCases(store: Store, statuses: readonly CaseStatus[]): Promise<ReviewCase[]> {
  const listed: string[] = [];
  for (const status of statuses) listed.push(...(await listIndexed(store, 'status', status)));
  // One that was decided between the two is in both.
  const ids = [...new Set(listed)];
  const found: (ReviewCase | undefined)[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    found.push(...(await Promise.all(some.map((id) => find<ReviewCase>(store, id)))));
  }
  return found.filter((each) => each !== undefined).filter(({ status }) => statuses.includes(status));
}

async function requireCase(store: Store, id: string): Promise<ReviewCase> {
  const found = await find<ReviewCase>(store, id);
  if (!found) throw new Error('a case that is not there cannot be decided');
  return found;
}

const INDEX_OF = { status: 'byStatus', block: 'byBlock' } as const;

/** Ids by one of the fields that have an index, in its order: the oldest first. */
export async function listIndexed(
  { client, table }: Store,
  name: keyof typeof INDEX_OF,
  value: string,
): Promise<string[]> {
  const query = {
    TableName: table,
    IndexName: INDEX_OF[name],
    KeyConditionExpression: '#name = :value',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':value': value },
  };
  const ids: string[] = [];
  for await (const { Items = [] } of paginateQuery({ client }, query)) {
    ids.push(...Items.map(({ id }) => String(id)));
  }
  return ids;
}

/** The client's records that wait for the pair; the case's own where the index does not have it yet. */
async function waitingFor(
  { clientId, token, pair }: ReviewCase,
  records: Store,
  { listOfClient }: Pick<KycReviews, 'listOfClient'>,
): Promise<KycRecord[]> {
  const tokens = [...new Set([token, ...(await listOfClient(clientId, NEWEST))])];
  const found = await Promise.all(tokens.map((each) => find<KycRecord>(records, each)));
  return found
    .filter((record) => record !== undefined)
    .filter(({ status, nextCheckAt }) => status === 'PENDING' && nextCheckAt !== undefined)
    .filter(({ openPairs = [] }) => openPairs.includes(pair));
}

type Writing = { decision: CaseDecision; rejectedAt: number; waiting: KycRecord[] };

function writesOf(
  { id, clientId, pair }: ReviewCase,
  { decision, rejectedAt, waiting }: Writing,
  tables: CaseTables,
): WriteItem[] {
  return [
    { Update: { TableName: tables.cases, Key: { id }, ...decisionOf(decision) } },
    { Update: { TableName: tables.clients, Key: { id: clientId }, ...markOf(pair, decision, rejectedAt) } },
    ...waiting.map(({ token, issuedAt }) => ({
      Update: {
        TableName: tables.kycRecords,
        Key: { id: token },
        // An instant that is past on the service's clock too, whatever the reviewer's machine says.
        UpdateExpression: 'SET nextCheckAt = :past',
        ConditionExpression: '#status = :pending AND attribute_exists(nextCheckAt)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':past': issuedAt, ':pending': 'PENDING' },
      },
    })),
  ];
}

function decisionOf(decision: CaseDecision) {
  const changes = updateOf({ ...decision });
  const before = DECIDED_FROM[decision.status];
  return {
    ...changes,
    ConditionExpression: `#status IN (${before.map((_, at) => `:before${at}`).join(', ')})`,
    ExpressionAttributeValues: {
      ...changes.ExpressionAttributeValues,
      ...Object.fromEntries(before.map((status, at) => [`:before${at}`, status])),
    },
  };
}

/** A confirmation binds the client's older tokens too: docs/decisions.md, "A later submission binds older tokens". */
function markOf(pair: string, { status }: CaseDecision, rejectedAt: number) {
  const rejectedFor: RejectionReason = 'SANCTIONS_HIT';
  const set = status === 'CONFIRMED' ? updateOf({ rejectedAt, rejectedFor, ...OVERRULING }) : undefined;
  const added = status === 'CONFIRMED' ? 'confirmedPairs' : 'clearedPairs';
  return {
    ...set,
    UpdateExpression: `${set?.UpdateExpression ?? ''} ADD ${added} :pair`.trim(),
    ConditionExpression: 'attribute_exists(id)',
    ExpressionAttributeValues: { ...set?.ExpressionAttributeValues, ':pair': new Set([pair]) },
  };
}

/**
 * The instant before which tokens are bound: later than that of each token there is, and than an earlier one, whatever the
 * clock of the reviewer's machine says.
 */
async function bindingInstant(
  { clientId }: ReviewCase,
  { decidedAt }: CaseDecision,
  { clients, records }: { clients: Store; records: Store },
): Promise<number> {
  const newest = new QueryCommand({
    TableName: records.table,
    IndexName: 'ofClient',
    KeyConditionExpression: 'clientId = :client',
    ExpressionAttributeValues: { ':client': clientId },
    ScanIndexForward: false,
    Limit: 1,
  });
  const [{ Items = [] }, row] = await Promise.all([
    records.client.send(newest),
    find<ClientVerdict>(clients, clientId),
  ]);
  return Math.max(decidedAt, row?.rejectedAt ?? 0, ...Items.map(({ issuedAt }) => Number(issuedAt) + 1));
}
