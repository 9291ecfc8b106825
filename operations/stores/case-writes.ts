/** The writes of a person's decision about a review case. */

import { overrulingOf } from '../../functions/adapters/dynamodb/clients.ts';
import { keyIn } from '../../functions/adapters/dynamodb/shards.ts';
import { updateOf, type WriteItem } from '../../functions/adapters/dynamodb/table.ts';
import type { KycRecord } from '../../functions/domain/kyc/kyc.ts';
import type { RejectionReason } from '../../functions/domain/kyc/kyc-reasons.ts';
import {
  type CaseClosing,
  type CaseDecision,
  DECIDED_FROM,
  type EntryGone,
  type ReviewCase,
} from '../../functions/domain/screening/review-case.ts';
import type { ReviewCases, UndoDecision } from '../../functions/domain/screening/review-case-ports.ts';
import { BY_STATUS, DECIDED } from '../../functions/tables/sharded.ts';

export type CaseTables = { cases: string; clients: string; kycRecords: string };

type DecisionWrite = { decision: CaseDecision; rejectedAt: number; waiting: KycRecord[] };

/** The writes of a decision: to the case, to the client, and to the KYC records that wait for the decision. */
export function caseWrites(
  { id, clientId, pair }: ReviewCase,
  { decision, rejectedAt, waiting }: DecisionWrite,
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
        // The record is due at once, because `issuedAt` is past for the service. The reviewer's clock may be
        // wrong, so its time is not used.
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
  const changes = updateOf({ ...decision, statusKey, decidedKey: keyIn(DECIDED, id) }, ['undone']);
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

/**
 * The writes that undo a confirmation, to the case and to the client. They are refused if the confirmation is not the
 * case's latest decision any more.
 */
export function undoingOf(
  { id, clientId, pair }: ReviewCase,
  decision: UndoDecision,
  tables: CaseTables,
): WriteItem[] {
  const changes = updateOf({ ...decision, statusKey: keyIn(BY_STATUS, id, decision.status) });
  const { status, decidedBy, decidedAt } = decision.undone;
  const was = { ':was': status, ':wasBy': decidedBy, ':wasAt': decidedAt };
  return [
    {
      Update: {
        ...changes,
        TableName: tables.cases,
        Key: { id },
        ConditionExpression: '#status = :was AND #decidedBy = :wasBy AND #decidedAt = :wasAt',
        ExpressionAttributeValues: { ...changes.ExpressionAttributeValues, ...was },
      },
    },
    {
      Update: {
        TableName: tables.clients,
        Key: { id: clientId },
        UpdateExpression: 'DELETE confirmedPairs :pair ADD clearedPairs :pair',
        ConditionExpression: 'attribute_exists(id)',
        ExpressionAttributeValues: { ':pair': new Set([pair]) },
      },
    },
  ];
}

export type AssignmentChange = Parameters<ReviewCases['assign']>[1];

export function assigningOf(table: string, id: string, { was, now }: AssignmentChange) {
  return {
    TableName: table,
    Key: { id },
    UpdateExpression: now ? 'SET assigned = :now' : 'REMOVE assigned',
    ConditionExpression: `#status = :open AND ${was ? 'assigned = :was' : 'attribute_not_exists(assigned)'}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':open': 'OPEN', ...(was && { ':was': was }), ...(now && { ':now': now }) },
  };
}

export function reviewCaseClosing(table: string, entryGone: EntryGone, { id, ...decision }: Closes) {
  const { decidedAt } = decision;
  const set = { closing: { ...decision, entryGone }, decidedAt, decidedKey: keyIn(DECIDED, id) };
  const changes = updateOf(set, ['status', 'statusKey', 'entryGone']);
  return {
    ...changes,
    TableName: table,
    Key: { id },
    ConditionExpression: '#status = :open AND #entryGone = :gone',
    ExpressionAttributeValues: {
      ...changes.ExpressionAttributeValues,
      ':open': 'OPEN',
      ':gone': entryGone,
    },
  };
}
type Closes = { id: string } & Omit<CaseClosing, 'entryGone'>;

type Marking = Pick<DecisionWrite, 'decision' | 'rejectedAt'> & { clientId: string };

/**
 * The update of the client's row. If the reviewer confirms that the list entry names the client, the client's
 * older tokens are refused too: docs/decisions.md, "Screening again".
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
