import { type DynamoDBDocumentClient, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  findCase,
  listDecidedCases,
  listDecidedOf,
  listOpenCases,
} from '../../functions/adapters/dynamodb/case-rows.ts';
import { find, isDone, type Store, writeAll, writeRow } from '../../functions/adapters/dynamodb/table.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { ClientVerdict, KycRecord } from '../../functions/domain/kyc/kyc.ts';
import type { KycReviews } from '../../functions/domain/kyc/kyc-ports.ts';
import type { Random } from '../../functions/domain/ports.ts';
import {
  type CaseClosing,
  type CaseDecision,
  type DecidedReviewCase,
  isDecidable,
  isDecided,
  isDecidedSo,
  type ReviewCase,
} from '../../functions/domain/screening/review-case.ts';
import type { ReviewCases, UndoDecision } from '../../functions/domain/screening/review-case-ports.ts';
import {
  type AssignmentChange,
  assigningOf,
  type CaseTables,
  caseWrites,
  reviewCaseClosing,
  undoingOf,
} from './case-writes.ts';

type Beside = { random: Random; kycReviews: Pick<KycReviews, 'listOfClient'> };

/**
 * A decision about a case makes at most this many of the client's waiting KYC records due at once. Older records are
 * decided at their own next visit.
 */
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
      const known = await requireStoredCase(store, id);
      if (isDecided(known) && (isDecidedSo(known, decision) || !isDecidable(known, decision.status)))
        return known;
      const rejectedAt = await bindingInstant(known, decision, { clients, records });
      const waiting = await waitingFor(known, records, kycReviews);
      const written = await writeAll(
        client,
        caseWrites(known, { decision, rejectedAt, waiting }, tables),
        random,
      );
      if (written === 'WRITTEN') return { ...known, ...decision };
      // The write was refused, or its answer was lost. The next round of this loop reads the rows and tries again.
    }
    throw new Unavailable('the review cases table');
  }

  async function close(id: string, closing: Omit<CaseClosing, 'entryGone'>): Promise<ReviewCase> {
    const known = await requireStoredCase(store, id);
    if (isDecided(known) || !known.entryGone) return known;
    const update = new UpdateCommand(reviewCaseClosing(tables.cases, known.entryGone, { id, ...closing }));
    await isDone(writeRow(() => client.send(update), random));
    return requireStoredCase(store, id);
  }

  async function undo(id: string, decision: UndoDecision): Promise<ReviewCase> {
    const known = await requireStoredCase(store, id);
    // The result of the write is ignored. The stored case shows whether this decision or another one was written.
    await writeAll(client, undoingOf(known, decision, tables), random);
    return requireStoredCase(store, id);
  }

  async function assign(id: string, change: AssignmentChange): Promise<ReviewCase> {
    const update = new UpdateCommand(assigningOf(tables.cases, id, change));
    await isDone(writeRow(() => client.send(update), random));
    return requireStoredCase(store, id);
  }

  return {
    decide,
    assign,
    undo,
    close,
    findCase: (id) => findCase(store, id),
    listOpen: () => listOpenCases(store),
    listDecided: (period) => listDecidedCases(store, period),
    listDecidedOf: (clientId) => listDecidedOf(store, clientId),
  };
}

async function requireStoredCase(store: Store, id: string): Promise<ReviewCase> {
  const found = await findCase(store, id);
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
