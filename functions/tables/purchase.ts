/** The tables of purchases and of unmatched payments. */
import { describe, MARKING } from './describe.ts';
import { DUE, OPEN } from './sharded.ts';

export const PURCHASE_TABLES = describe({
  transactions: {
    ttl: 'ttl',
    indexes: {
      due: DUE,
      ofClient: { key: 'clientId', sort: 'createdAt' },
      /** A purchase is written to it once, and a partner's keys open few in a second. Therefore it has no shards. */
      ofPartner: { key: 'partnerId', sort: 'createdAt' },
    },
    grants: {
      transactions: { rows: ['GetItem', 'PutItem', 'UpdateItem'], queries: ['due'] },
      // Without the index, because only the sweeper lists what is due, and it also writes.
      'transactions:read': { rows: ['GetItem'] },
      // The end of a return is written with its event, under the next sequence of the purchase.
      unmatchedPayments: { only: { actions: ['UpdateItem'], attributes: ['sequence', 'status', 'ttl'] } },
      // The event of a MED is written with its case, under the next sequence of the purchase.
      moneyCases: {
        rows: ['GetItem'],
        only: { actions: ['UpdateItem'], attributes: ['sequence', 'status', 'ttl'] },
      },
      // A function that shows the status writes the link of the liveness check. It cannot change the status.
      livenessAttempts: { only: { actions: ['UpdateItem'], attributes: ['liveness', 'status'] } },
      usages: { only: { actions: ['UpdateItem'], attributes: ['claim', 'status'] } },
      // The claim on a nonce is written with the purchase's disposition, each on condition of the other.
      treasury: { rows: ['UpdateItem', 'ConditionCheckItem'] },
      // The hash of the transfer that is in the chain.
      transfers: { only: { actions: ['UpdateItem'], attributes: ['txHash', 'formerTxHashes', 'status'] } },
      purchaseLists: { rows: ['BatchGetItem'], queries: ['ofPartner', 'ofClient'] },
      openPurchases: { rows: ['BatchGetItem'], queries: ['due'] },
      holds: MARKING,
      'holds:read': { rows: ['GetItem'] },
    },
  },

  usages: {
    ttl: 'ttl',
    isWithoutOutput: true,
    grants: {
      usages: { rows: ['BatchGetItem', 'UpdateItem'] },
      'usages:read': { rows: ['BatchGetItem'] },
      // A move of a purchase gives back what the purchase holds.
      transactions: { only: { actions: ['UpdateItem'], attributes: ['centavos', 'charges', 'ttl'] } },
    },
  },

  unmatchedPayments: {
    ttl: 'ttl',
    indexes: {
      due: DUE,
      open: OPEN,
      ofTransaction: { key: 'transactionId', sort: 'foundAt' },
    },
    grants: {
      unmatchedPayments: { rows: ['GetItem', 'PutItem', 'UpdateItem'], queries: ['due'] },
      'unmatchedPayments:read': { rows: ['GetItem'], queries: ['open'] },
      unmatchedLists: { rows: ['GetItem'], queries: ['ofTransaction'] },
    },
  },
});
