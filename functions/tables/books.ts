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
       * This index has no shards. A purchase has few postings, and the keys of one partner can open only few purchases
       * in a second.
       */
      ofPartner: { key: 'partnerId', sort: 'at', projection: 'ALL' },
      /** For operators alone: postings by the id that others know, such as a hash. A posting never changes. */
      ofOutsideId: { key: 'outsideId', sort: 'at' },
      late: { key: 'late', sort: 'at', projection: 'ALL', rare: 'money is recorded within three days' },
    },
    grants: {
      // A posting is written together with its movement of money. An IAM policy cannot forbid a put that replaces a
      // row. The put's own condition does.
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
      /** An event never changes, so the indexes have whole rows. */
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
    // An IAM policy cannot forbid a put that replaces a row. The put's own condition does.
    grants: { archiveRegister: { rows: ['GetItem', 'PutItem'], queries: ['day'] } },
  },

  moneyCases: {
    ttl: 'ttl',
    indexes: {
      byStatus: BY_STATUS,
      /** Cases that now block their client, and cases whose block was lifted. */
      byBlock: { key: 'block', sort: 'openedAt', rare: 'a person lifts each' },
      ofClient: { key: 'clientId', sort: 'openedAt' },
    },
    grants: {
      // The attributes of a new case, and of the row with the progress of `ReconcileBooks`. No need can
      // write `closed` or `unblocked`, which end a case or its block.
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
