/** The tables of partners: who they are, what they ask, and what they are told. */
import { describe } from './describe.ts';

export const PARTNERS_TABLES = describe({
  partners: {
    grants: {
      // An update can make a row where there is none. No function may write the digest of a key, so none can make a key.
      partners: {
        rows: ['GetItem', 'BatchGetItem'],
        only: {
          actions: ['UpdateItem', 'ConditionCheckItem'],
          attributes: ['webhookEndpoints', 'version', 'status'],
        },
      },
      'partners:read': { rows: ['GetItem', 'BatchGetItem'] },
    },
  },

  requests: {
    ttl: 'ttl',
    isWithoutOutput: true,
    grants: {
      rateLimiter: { rows: ['UpdateItem'] },
      idempotency: { rows: ['GetItem', 'PutItem', 'UpdateItem'] },
    },
  },

  events: {
    ttl: 'ttl',
    isStreamed: true,
    indexes: { due: { key: 'sweep', sort: 'at' } },
    grants: {
      transactions: { rows: ['PutItem'] },
      unmatchedPayments: { rows: ['PutItem'] },
      kycReviews: { rows: ['PutItem'] },
      rescreenings: { rows: ['PutItem'] },
      events: { rows: ['GetItem', 'UpdateItem'], queries: ['due'] },
      'events:read': { rows: ['GetItem'], queries: ['due'] },
    },
  },

  deliveries: {
    ttl: 'ttl',
    indexes: {
      /** What waits, by the partner and the instant, so that each partner gets its share. */
      due: { key: 'due', sort: 'lookAt', sortType: 'S' },
      /** Deliveries that are tried no more, by partner. */
      parked: { key: 'parkedFor', sort: 'parkedAt', projection: 'ALL' },
    },
    grants: {
      deliveries: { rows: ['GetItem', 'PutItem', 'UpdateItem'], queries: ['due'] },
      'deliveries:read': { rows: ['GetItem'], queries: ['due'] },
    },
  },

  callbacks: { ttl: 'ttl', grants: { callbacks: { rows: ['PutItem'] } } },
});
