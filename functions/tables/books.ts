/** The tables of the books. */
import { describe } from './describe.ts';
import { BY_STATUS, DAY } from './sharded.ts';

export const BOOKS_TABLES = describe({
  ledger: {
    ttl: 'ttl',
    indexes: {
      day: DAY,
      ofTransaction: { key: 'transactionId', sort: 'at' },
      /** A purchase has few postings, and a partner's keys open few purchases in a second. Therefore no shards. */
      ofPartner: { key: 'partnerId', sort: 'at', projection: 'ALL' },
    },
    grants: {
      // A move of money is written with its postings. A policy cannot stop a put over an old row. The put's condition
      // does.
      transactions: { rows: ['PutItem'] },
      unmatchedPayments: { rows: ['PutItem'] },
      moneyCases: { rows: ['PutItem'] },
      'ledger:read': { rows: ['GetItem'], queries: ['day'] },
      partnerLedger: { queries: ['ofPartner'] },
    },
  },

  moneyCases: {
    ttl: 'ttl',
    indexes: {
      byStatus: BY_STATUS,
      /** Cases that block their client, or that blocked it before. */
      byBlock: { key: 'block', sort: 'openedAt', rare: 'a person lifts each' },
      ofClient: { key: 'clientId', sort: 'openedAt' },
    },
    grants: {
      // The attributes of an open case. No function closes a case or lifts its block.
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
            'upTo',
            'progress',
            'block',
          ],
        },
        queries: ['byStatus'],
      },
    },
  },
});
