import type { Granter } from './backend.ts';
import { changes, dueRows, rows, to, together } from './grant.ts';
import type { AnyNeed } from './sources.ts';
import { CLIENT_INDEX, OF_CLIENT_INDEX, SCREENED_INDEX, type Tables } from './tables.ts';

/** Of a case what opens it, and not who decided it, when and why. */
const CASE_OPENING = [
  ...['pair', 'clientId', 'partnerId', 'token', 'candidate', 'index', 'opened', 'status', 'openedAt', 'ttl'],
];

const openedCases = ({ cases }: Tables) => changes('CASES_TABLE', cases, ['UpdateItem'], CASE_OPENING);

/** Of a client's row that its older tokens are still to be refused. */
export const OVERRULING = ['sweep', 'nextCheckAt', 'checks'];

/** What KYC records need, from submission to whatever is decided later. */
export const KYC_GRANTS: Partial<Record<AnyNeed, Granter>> = {
  // A record is written together with the review cases that it opens.
  kycRecords: ({ tables }) =>
    together(rows('KYC_RECORDS_TABLE', tables.kycRecords, ['GetItem', 'PutItem']), openedCases(tables)),
  'kycRecords:read': ({ tables }) => rows('KYC_RECORDS_TABLE', tables.kycRecords, ['GetItem']),
  // The outcome is written together with its evidence and its event.
  kycReviews: ({ tables }) =>
    together(
      rows('KYC_RECORDS_TABLE', tables.kycRecords, ['UpdateItem']),
      dueRows(tables.kycRecords),
      { variables: {}, allow: to(['dynamodb:Query'], `${tables.kycRecords.tableArn}/index/${CLIENT_INDEX}`) },
      rows('EVENTS_TABLE', tables.events, ['PutItem']),
      openedCases(tables),
    ),
  // Clients who are due, and nothing of them but when to look again; their tokens by an index.
  overrulings: ({ tables }) =>
    together(
      dueRows(tables.clients),
      changes('CLIENTS_TABLE', tables.clients, ['UpdateItem'], ['rejectedAt', ...OVERRULING]),
      {
        variables: { KYC_RECORDS_TABLE: tables.kycRecords.tableName },
        allow: to(['dynamodb:Query'], `${tables.kycRecords.tableArn}/index/${OF_CLIENT_INDEX}`),
      },
    ),
  // What decided a record is read again; a revision is written together with its evidence, event and cases.
  rescreenings: ({ tables }) =>
    together(
      rows('KYC_RECORDS_TABLE', tables.kycRecords, ['UpdateItem']),
      rows('EVIDENCE_TABLE', tables.evidence, ['GetItem', 'PutItem']),
      rows('EVENTS_TABLE', tables.events, ['PutItem']),
      openedCases(tables),
    ),
  staleRecords: ({ tables }) =>
    together(rows('KYC_RECORDS_TABLE', tables.kycRecords, ['UpdateItem']), {
      variables: {},
      allow: to(['dynamodb:Query'], `${tables.kycRecords.tableArn}/index/${SCREENED_INDEX}`),
    }),
};
