/** The tables of the books. */
import { describe } from './describe.ts';
import { BY_STATUS, DAY } from './sharded.ts';

export const BOOKS_TABLES = describe({
  ledger: {
    ttl: 'ttl',
    indexes: {
      day: DAY,
      ofTransaction: { key: 'transactionId', sort: 'at' },
      /**
       * This index has no shards. A purchase has few postings, and the API keys of one partner can open
       * only few purchases in a second.
       */
      ofPartner: { key: 'partnerId', sort: 'at', projection: 'ALL' },
      /**
       * Only operators' commands and the console read this index. It finds postings by an id that outsiders
       * know, such as a transaction's hash or a Pix's end-to-end id.
       */
      ofOutsideId: { key: 'outsideId', sort: 'at' },
      late: { key: 'late', sort: 'at', projection: 'ALL', rare: 'money is recorded within three days' },
    },
    grants: {
      // A posting is written together with its movement of money. An IAM policy cannot forbid a put that
      // replaces a row, so the condition of each put forbids it.
      transactions: { rows: ['PutItem'] },
      unmatchedPayments: { rows: ['PutItem'] },
      moneyCases: { rows: ['PutItem'] },
      coinBooks: { rows: ['PutItem'] },
      daySums: { queries: ['day'] },
      // The gas of a transfer is posted with the write that makes the transfer final, or ends its try.
      treasury: { rows: ['PutItem'] },
      transfers: { rows: ['PutItem'] },
      'ledger:read': { rows: ['GetItem'], queries: ['day'] },
      partnerLedger: { queries: ['ofPartner'] },
    },
  },

  acts: {
    ttl: 'ttl',
    indexes: {
      /** An event of an operator's act never changes, so the indexes can hold whole rows. */
      ofMonth: { key: 'month', sort: 'at', projection: 'ALL' },
      ofSubject: { key: 'subject', sort: 'at', projection: 'ALL' },
    },
    // Only operators' commands and the console write this table: `infra/console-grants.ts`. The archive reads
    // it.
    grants: { actLists: { queries: ['ofMonth'] } },
  },

  archive: {
    ttl: 'ttl',
    indexes: { day: DAY },
    // An IAM policy cannot forbid a put that replaces a row, so the condition of each put forbids it.
    grants: { archiveRegister: { rows: ['GetItem', 'PutItem'], queries: ['day'] } },
  },

  moneyCases: {
    ttl: 'ttl',
    indexes: {
      byStatus: BY_STATUS,
      /** Lists the cases that block their client now, and the cases whose block was lifted. */
      byBlock: { key: 'block', sort: 'openedAt', rare: 'a person lifts each' },
      ofClient: { key: 'clientId', sort: 'openedAt' },
    },
    grants: {
      // The attributes of a new case, and of the row with the progress of `ReconcileBooks`. No function but
      // the console's can write `closed` or `unblocked`, which end a case or its block.
      moneyCases: {
        rows: ['GetItem'],
        only: {
          actions: ['UpdateItem'],
          attributes: [
            'kind',
            'status',
            'statusKey',
            'openedAt',
            'deadline',
            'transactionId',
            'partnerId',
            'clientId',
            'personId',
            'endToEndId',
            'txHash',
            'amountCentavos',
            'facts',
            'progress',
            'block',
          ],
        },
      },
      daySums: {
        rows: ['GetItem'],
        only: { actions: ['UpdateItem'], attributes: ['sums', 'isCut', 'closedDay'] },
      },
      coinBooks: {
        rows: ['GetItem'],
        only: {
          actions: ['UpdateItem'],
          attributes: ['coins', 'coinsMoved', 'kind', 'status', 'statusKey', 'openedAt', 'facts'],
        },
      },
      openCases: { rows: ['BatchGetItem'], queries: ['byStatus'] },
    },
  },
});
