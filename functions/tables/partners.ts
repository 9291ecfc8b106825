/** The tables of partners, their requests, and the events for them. */
import { describe, HOLDING } from './describe.ts';
import { DELIVERIES_DUE, DUE } from './sharded.ts';

export const PARTNERS_TABLES = describe({
  partners: {
    grants: {
      // An update can also create a row. No function but the console's may write `sha256`, so no other can
      // make a key that counts as a key from an operator.
      partners: {
        rows: ['GetItem', 'BatchGetItem'],
        only: {
          actions: ['UpdateItem', 'ConditionCheckItem'],
          attributes: ['webhookEndpoints', 'addressLostAt', 'version', 'status'],
        },
      },
      partnerSettings: {
        rows: ['GetItem'],
        only: { actions: ['UpdateItem'], attributes: ['returnHosts', 'displayName', 'version'] },
      },
      // This grant allows to write the digest of a key that a partner makes. Such a key never has the scope `manage`.
      partnerKeys: {
        rows: ['GetItem', 'BatchGetItem'],
        only: {
          actions: ['UpdateItem'],
          attributes: ['partnerId', 'keyId', 'status', 'createdAt', 'made', 'heard', 'keyIds', 'version'],
        },
      },
      // A pause changes the status of an endpoint, which is part of `webhookEndpoints`.
      failingEndpoints: {
        only: { actions: ['UpdateItem'], attributes: ['webhookEndpoints', 'version'] },
      },
      // `kycTokens` is not among these, so only an operator can make a vendor's key active.
      vendorKeys: {
        rows: ['GetItem'],
        only: { actions: ['UpdateItem'], attributes: ['proposedKeys', 'withdrawnKids', 'version'] },
      },
      keyNews: { only: { actions: ['UpdateItem'], attributes: ['heard'] } },
      'partners:read': { rows: ['GetItem', 'BatchGetItem'] },
    },
  },

  requests: {
    ttl: 'ttl',
    isWithoutOutput: true,
    grants: {
      rateLimiter: { rows: ['UpdateItem'] },
      'rateLimiter:read': { rows: ['GetItem'] },
      idempotency: { rows: ['PutItem', 'UpdateItem'] },
    },
  },

  events: {
    ttl: 'ttl',
    isStreamed: true,
    indexes: {
      /** Lists events that have no deliveries yet. */
      due: DUE,
      /** Lists a partner's events of one type. */
      ofPartner: { key: 'list', sort: 'place', sortType: 'S' },
    },
    grants: {
      transactions: { rows: ['PutItem'] },
      unmatchedPayments: { rows: ['PutItem'] },
      moneyCases: { rows: ['PutItem'] },
      kycReviews: { rows: ['PutItem'] },
      rescreenings: { rows: ['PutItem'] },
      announcements: { rows: ['PutItem'] },
      partnerKeys: { rows: ['PutItem'] },
      failingEndpoints: { rows: ['PutItem'] },
      vendorKeys: { rows: ['PutItem'] },
      events: { rows: ['GetItem', 'UpdateItem'] },
      'events:read': { rows: ['GetItem'] },
      lostEvents: {
        rows: ['GetItem'],
        only: { actions: ['UpdateItem'], attributes: ['nextCheckAt'] },
        queries: ['due'],
      },
      eventLog: { rows: ['BatchGetItem'], queries: ['ofPartner'] },
      litigationHolds: HOLDING,
      eventTargets: { only: { actions: ['UpdateItem'], attributes: ['endpointIds'] } },
    },
  },

  deliveries: {
    ttl: 'ttl',
    indexes: {
      due: DELIVERIES_DUE,
      /** Lists each partner's deliveries that are not tried any more. */
      parked: { key: 'parkedFor', sort: 'parkedAt', projection: 'ALL' },
    },
    grants: {
      deliveries: { rows: ['GetItem', 'PutItem'] },
      dueDeliveries: { only: { actions: ['UpdateItem'], attributes: ['lookAt'] }, queries: ['due'] },
      failingEndpoints: { rows: ['GetItem', 'UpdateItem'] },
      litigationHolds: HOLDING,
      'deliveries:read': { rows: ['GetItem'] },
    },
  },

  callbacks: { ttl: 'ttl', grants: { callbacks: { rows: ['PutItem'] } } },
});
