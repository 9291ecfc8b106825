import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
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
import { BY_STATUS } from '../../tables/sharded.ts';
import { overrulingOf } from './clients.ts';
import type { CaseRow } from './rows.ts';
import { idsOf, keyIn, listAll } from './shards.ts';
import { find, type Store, updateOf, type WriteItem, writeAll } from './table.ts';

/**
 * Opens a review case, as part of the write of the KYC record that needs it. If the case exists, the write
 * replaces only the case's latest record, that record's status and the time to live. The first opening and
 * the decision stay.
 */
export function openReviewCase(table: string, { id, token, opened, ...first }: OpenReviewCase): WriteItem {
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = updateOf({
    token,
    opened,
    ttl: ttlOf('cases', first.openedAt),
  });
  const fields = Object.entries({ ...first, statusKey: keyIn(BY_STATUS, id, first.status) });
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
/** A decision makes this number of the client's records due at once. Older ones wait for their own next visit. */
const NEWEST = 20;
/** The most tries to write a decision. A write is refused if a record is decided at the same moment. */
const ROUNDS = 5;

/** The cases as reviewers see and decide them. */
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
      // The write was refused, or its answer was lost. The next round of this loop reads the rows and tries again.
    }
    throw new Unavailable('the review cases table');
  }

  return {
    decide,
    findCase: (id) => findRow(store, id),
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

/**
 * Lists the cases with these statuses, the oldest first. The index may lag, so each row is read again and its status is
 * compared.
 */
async function listCases(store: Store, statuses: readonly CaseStatus[]): Promise<ReviewCase[]> {
  const listed: string[] = [];
  for (const value of statuses) listed.push(...idsOf(await listAll(store, { index: BY_STATUS, value })));
  // A case that is decided between the two queries is in both answers.
  const ids = [...new Set(listed)];
  const found: (ReviewCase | undefined)[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    found.push(...(await Promise.all(some.map((id) => findRow(store, id)))));
  }
  return found.filter((each) => each !== undefined).filter(({ status }) => statuses.includes(status));
}

async function findRow(store: Store, id: string): Promise<ReviewCase | undefined> {
  const { statusKey: _, ...found } = (await find<CaseRow>(store, id)) ?? {};
  return 'id' in found ? found : undefined;
}

async function requireCase(store: Store, id: string): Promise<ReviewCase> {
  const found = await findRow(store, id);
  if (!found) throw new Error('the case does not exist, so it cannot be decided');
  return found;
}

/**
 * Lists the client's records that wait for the decision about `pair`, the data of this client and this list
 * entry. The index may not list the case's own record yet, so it is added.
 */
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
    { Update: { TableName: tables.cases, Key: { id }, ...decisionOf(id, decision) } },
    {
      Update: {
        TableName: tables.clients,
        Key: { id: clientId },
        ...markOf(pair, { clientId, decision, rejectedAt }),
      },
    },
    ...waiting.map(({ token, issuedAt }) => ({
      Update: {
        TableName: tables.kycRecords,
        Key: { id: token },
        // `issuedAt` is certainly in the past for the service, even if the reviewer's clock is wrong.
        UpdateExpression: 'SET nextCheckAt = :past',
        ConditionExpression: '#status = :pending AND attribute_exists(nextCheckAt)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':past': issuedAt, ':pending': 'PENDING' },
      },
    })),
  ];
}

function decisionOf(id: string, decision: CaseDecision) {
  const statusKey = keyIn(BY_STATUS, id, decision.status);
  const changes = updateOf({ ...decision, statusKey });
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

type Marking = Pick<Writing, 'decision' | 'rejectedAt'> & { clientId: string };

/**
 * The update of the client's row. A confirmation also refuses the client's older tokens: docs/decisions.md, "A later
 * submission binds older tokens".
 */
function markOf(pair: string, { clientId, decision: { status }, rejectedAt }: Marking) {
  const rejectedFor: RejectionReason = 'SANCTIONS_HIT';
  const set =
    status === 'CONFIRMED' ? updateOf({ rejectedAt, rejectedFor, ...overrulingOf(clientId) }) : undefined;
  const added = status === 'CONFIRMED' ? 'confirmedPairs' : 'clearedPairs';
  return {
    ...set,
    UpdateExpression: `${set?.UpdateExpression ?? ''} ADD ${added} :pair`.trim(),
    ConditionExpression: 'attribute_exists(id)',
    ExpressionAttributeValues: { ...set?.ExpressionAttributeValues, ':pair': new Set([pair]) },
  };
}

/**
 * The rejection applies to all tokens issued before this instant. It is later than every token and every earlier
 * rejection, even if the reviewer's clock is wrong.
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
