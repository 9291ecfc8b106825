import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import type { KycRecord } from '../../domain/kyc/kyc.ts';
import type { KycRecords, KycReviews, KycSettlement, TokenUse } from '../../domain/kyc/kyc-ports.ts';
import type { Random } from '../../domain/ports.ts';
import { ttlOf } from '../../domain/retention.ts';
import { DUE, SCREENED } from '../../tables/sharded.ts';
import { openReviewCase } from './case-opening.ts';
import { eventRow, evidenceRow } from './records.ts';
import type { KycRecordRow, TokenUseRow } from './rows.ts';
import { keyIn, listDueIds } from './shards.ts';
import { find, isDone, putNew, type Store, updateOf, updateRow, type WriteItem, writeAll } from './table.ts';

type Client = DynamoDBDocumentClient;
type Changes = Pick<ReturnType<typeof updateOf>, 'UpdateExpression'> & Partial<ReturnType<typeof updateOf>>;
type KycTables = { kycRecords: string; evidence: string; cases: string };

const CLIENT_INDEX = 'client';
/**
 * The keys of the index of due records, and of the index of a client's pending records. Only PENDING rows have them.
 */
export const INDEXED = ['nextCheckAt', 'sweep', 'pendingClientId'] as const;

/** Stores KYC records. One write makes a record and its evidence, so neither exists without the other. */
export function kycRecordStore(client: Client, tables: KycTables, random: Random): KycRecords {
  const store = { client, table: tables.kycRecords };
  return {
    findRecord: (token) => findRecord(store, token),
    async create(record, evidence, { use, cases = [] } = {}) {
      const row = toKycRecordRow(record);
      const items = [
        { Put: putNew(tables.kycRecords, row) },
        { Put: putNew(tables.evidence, evidenceRow(evidence)) },
        ...(use ? [{ Put: putNew(tables.kycRecords, useRow(use, record)) }] : []),
        ...cases.map((each) => openReviewCase(tables.cases, each)),
      ];
      if ((await writeAll(client, items, random)) === 'WRITTEN') return row;
      // The write was refused, or its answer was lost. If the record exists, its evidence exists too, because
      // one write makes both.
      const there = await findRecord(store, record.token);
      if (there) return there;
      if (use) return findUsed(store, use);
      throw new Unavailable('the KYC records table');
    },
  };
}

/** Finds a record. Undefined also if the id belongs to a row of another kind in this table. */
async function findRecord(store: Store, token: string): Promise<KycRecord | undefined> {
  const row = await find<KycRecord>(store, token);
  return row?.token === token ? row : undefined;
}

function toKycRecordRow(record: KycRecord): KycRecordRow {
  const isDue = record.nextCheckAt !== undefined;
  const row = { ...record, id: record.token, ttl: ttlOf('kycRecords', record.expiresAt) };
  return {
    ...row,
    ...(isDue && { sweep: keyIn(DUE, record.token), pendingClientId: record.clientId }),
    ...(isLive(record) && { live: keyIn(SCREENED, record.token) }),
  };
}

/**
 * Whether the record must be searched again when the sanctions lists change. Not if it is rejected, because a
 * rejection is final. Not if it was never searched, because it is searched before its decision anyway.
 */
function isLive({ status, screenedWith }: Pick<KycRecord, 'status' | 'screenedWith'>): boolean {
  return status !== 'REJECTED' && screenedWith !== undefined;
}

const useId = ({ partnerId, tokenIdHash }: TokenUse) => `JTI#${partnerId}#${tokenIdHash}`;

function useRow(use: TokenUse, { token, expiresAt }: KycRecord): TokenUseRow {
  const ttl = ttlOf('partnerTokenUses', expiresAt);
  return { id: useId(use), requestHash: use.requestHash, usedFor: token, ttl };
}

/**
 * Finds the record that the first request with this partner token has made. Undefined if the first request
 * had another content.
 */
async function findUsed(store: Store, use: TokenUse): Promise<KycRecord | undefined> {
  const first = await find<TokenUseRow>(store, useId(use));
  if (!first) throw new Unavailable('the KYC records table');
  return first.requestHash === use.requestHash ? findRecord(store, first.usedFor) : undefined;
}

/** Makes the store for the schedule that tries to decide PENDING records again. */
export function kycReviewStore(
  client: Client,
  tables: KycTables & { events: string },
  random: Random,
): KycReviews {
  const store = { client, table: tables.kycRecords, random };

  /** Updates the record only if it is still PENDING. */
  async function updatePending(token: string, changes: Changes): Promise<void> {
    await isDone(updateRow(store, token, ifPending(changes)));
  }

  return {
    listDue: (now, limit) => listDueIds(store, DUE, { now, limit }),
    async listOfClient(clientId, limit) {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: store.table,
          IndexName: CLIENT_INDEX,
          KeyConditionExpression: 'pendingClientId = :client',
          ExpressionAttributeValues: { ':client': clientId },
          ScanIndexForward: false,
          Limit: limit,
        }),
      );
      return Items.map((item) => String(item.id));
    },
    async settle(settlement) {
      const written = await writeAll(client, kycWrites(settlement, tables), random);
      // It is unknown whether the write succeeded. The next visit reads the record.
      if (written === 'UNKNOWN') throw new Unavailable('the KYC records table');
      return written === 'WRITTEN';
    },
    postpone: (token, nextCheckAt, checks) => updatePending(token, updateOf({ nextCheckAt, checks })),
    async saveOpen(token, { unanswered, openPairs, screened, evidence }, cases) {
      const live = screened?.screenedWith ? keyIn(SCREENED, token) : undefined;
      const fields = { unanswered, openPairs, ...screened, live, decidedAt: evidence?.at };
      const changes = ifPending(updateOf(fields), screened?.screenedWith && IF_NOT_OLDER);
      const record = { Update: { TableName: store.table, Key: { id: token }, ...changes } };
      const opened = cases.map((each) => openReviewCase(tables.cases, each));
      // If the record is no longer PENDING, another visit has decided, and nothing is written. If the answer was lost,
      // the next visit reads the record.
      const recorded = evidence ? [{ Put: putNew(tables.evidence, evidenceRow(evidence)) }] : [];
      await writeAll(client, [record, ...recorded, ...opened], random);
    },
    abandon: (token) => updatePending(token, { UpdateExpression: `REMOVE ${INDEXED.join(', ')}` }),
  };
}

/** A search in an older index of the lists must not replace the result of a search in a newer one. */
const IF_NOT_OLDER = 'AND (attribute_not_exists(screenedWith) OR screenedWith <= :screenedWith)';

function ifPending(changes: Changes, more = '') {
  return {
    ...changes,
    ConditionExpression: `#status = :pending AND attribute_exists(nextCheckAt) ${more}`.trim(),
    ExpressionAttributeNames: { ...changes.ExpressionAttributeNames, '#status': 'status' },
    ExpressionAttributeValues: { ...changes.ExpressionAttributeValues, ':pending': 'PENDING' },
  };
}

function kycWrites(
  { token, outcome, evidence, event, cases = [], screened }: KycSettlement,
  tables: KycTables & { events: string },
): WriteItem[] {
  const { status, riskTier, reason } = outcome;
  const live = isLive({ status, ...screened }) ? keyIn(SCREENED, token) : undefined;
  const fields = { status, riskTier, reason, ...screened, live };
  const changes = updateOf({ ...fields, decidedAt: evidence.at, sequence: event.sequence }, [
    ...INDEXED,
    ...ONLY_PENDING,
    ...(live ? [] : ['live']),
  ]);
  const condition = live ? IF_NOT_OLDER : undefined;
  return [
    { Update: { TableName: tables.kycRecords, Key: { id: token }, ...ifPending(changes, condition) } },
    { Put: putNew(tables.evidence, evidenceRow(evidence)) },
    { Put: putNew(tables.events, eventRow(event)) },
    ...cases.map((each) => openReviewCase(tables.cases, each)),
  ];
}

/** The attributes that a record loses at its decision, because only a PENDING record needs them. */
export const ONLY_PENDING = [
  'checks',
  'cnpjCipher',
  'keyedBiometric',
  'keyedCollected',
  'unanswered',
  'openPairs',
] as const;
