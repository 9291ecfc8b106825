import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../../domain/errors.ts';
import type { KycRecord } from '../../domain/kyc/kyc.ts';
import type { KycEvidence } from '../../domain/kyc/kyc-decision.ts';
import type { KycRescreenings, KycRevision, StaleRecords } from '../../domain/kyc/kyc-ports.ts';
import type { Random } from '../../domain/ports.ts';
import { DUE, SCREENED } from '../../tables/sharded.ts';
import { openReviewCase } from './case-opening.ts';
import { INDEXED, ONLY_PENDING } from './kyc-records.ts';
import { eventRow, evidenceId, evidenceRow } from './records.ts';
import { keyIn, listPage, rowIds } from './shards.ts';
import { find, isDone, putNew, type Store, updateOf, updateRow, type WriteItem, writeAll } from './table.ts';

type Client = DynamoDBDocumentClient;
type RescreeningTables = { kycRecords: string; evidence: string; cases: string; events: string };
type Update = ReturnType<typeof updateOf>;

/** Stores the results when KYC records are searched again in changed lists. */
export function rescreeningStore(client: Client, tables: RescreeningTables, random: Random): KycRescreenings {
  const store = { client, table: tables.kycRecords, random };
  return {
    async findFacts({ token, decidedAt, issuedAt }) {
      const id = evidenceId({ subject: token, kind: 'kyc', at: decidedAt ?? issuedAt });
      const evidence = await find<KycEvidence>({ client, table: tables.evidence }, id);
      if (!evidence) return undefined;
      const { keyedBiometric, keyedCollected } = evidence.inputs;
      return { facts: evidence.findings, inputs: { keyedBiometric, keyedCollected } };
    },
    keep: (record, screenedWith) =>
      isDone(updateRow(store, record.token, ifRecordAsRead(record, updateOf({ screenedWith })))),
    async revise(revision) {
      const written = await writeAll(client, revisionWrites(revision, tables), random);
      // The outcome of the write is unknown. The next run reads the record and decides again.
      if (written === 'UNKNOWN') throw new Unavailable('the KYC records table');
      return written === 'WRITTEN';
    },
  };
}

/** Lists the KYC records that were last searched in an older index of the lists than `version`. */
export function staleRecordStore(client: Client, table: string, random: Random): StaleRecords {
  return {
    listStale: (version, limit, from) => listStale({ client, table }, { version, limit, from }),
    async retire(token) {
      await updateRow({ client, table, random }, token, {
        UpdateExpression: 'REMOVE live',
        ConditionExpression: 'attribute_exists(id)',
      });
    },
  };
}

type Page = { version: string; limit: number; from?: Record<string, unknown> };

async function listStale(store: Store, { version, limit, from }: Page) {
  const range = { condition: '#sort < :version', values: { ':version': version } };
  const { rows, next } = await listPage(store, { index: SCREENED, range }, { limit, from });
  return { tokens: rowIds(rows), next };
}

/**
 * The condition that nobody has changed the record since it was read. Each decision about the record, and
 * each search for its person, changes one of these three attributes.
 */
function ifRecordAsRead({ status, screenedWith, sequence }: KycRecord, changes: Update) {
  const was = Object.entries({ status, screenedWith, sequence });
  const conditions = was.map(([name, value]) =>
    value === undefined ? `attribute_not_exists(#${name})` : `#${name} = :was_${name}`,
  );
  const known = was.filter(([, value]) => value !== undefined);
  return {
    ...changes,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: {
      ...changes.ExpressionAttributeNames,
      ...Object.fromEntries(was.map(([name]) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ...changes.ExpressionAttributeValues,
      ...Object.fromEntries(known.map(([name, value]) => [`:was_${name}`, value])),
    },
  };
}

function revisionWrites(
  { record, set, evidence, event, cases }: KycRevision,
  tables: RescreeningTables,
): WriteItem[] {
  const isHeld = set.status === 'PENDING';
  const isRefused = set.status === 'REJECTED';
  const keys = isHeld && { sweep: keyIn(DUE, record.token), pendingClientId: record.clientId };
  const changes = updateOf(
    { ...set, ...keys, decidedAt: evidence.at, sequence: event?.sequence },
    isRefused ? [...INDEXED, ...ONLY_PENDING, 'live'] : [],
  );
  return [
    {
      Update: { TableName: tables.kycRecords, Key: { id: record.token }, ...ifRecordAsRead(record, changes) },
    },
    { Put: putNew(tables.evidence, evidenceRow(evidence)) },
    ...(event ? [{ Put: putNew(tables.events, eventRow(event)) }] : []),
    ...cases.map((each) => openReviewCase(tables.cases, each)),
  ];
}
