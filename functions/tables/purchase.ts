/** The tables of purchases and of unmatched payments. */
import { describe, HOLDING, MARKING } from './describe.ts';
import { DUE, OPEN, UNARCHIVED } from './sharded.ts';

export const PURCHASE_TABLES = describe({
  transactions: {
    ttl: 'ttl',
    indexes: {
      due: DUE,
      unarchived: UNARCHIVED,
      ofClient: { key: 'clientId', sort: 'createdAt' },
      /**
       * This index has no shards. A purchase is written to it only once, and the API keys of one partner
       * can open only few purchases in a second.
       */
      ofPartner: { key: 'partnerId', sort: 'createdAt' },
      /**
       * Only operators' commands and the console read this index. A purchase is written to it only once, so
       * it needs no shards.
       */
      ofWallet: { key: 'walletAddress', sort: 'createdAt' },
    },
    grants: {
      transactions: { rows: ['GetItem', 'UpdateItem'] },
      'transactions:read': { rows: ['GetItem'] },
      newPurchases: { rows: ['PutItem'] },
      purchaseWaits: { only: { actions: ['UpdateItem'], attributes: ['wait'] } },
      duePurchases: {
        only: { actions: ['UpdateItem'], attributes: ['nextCheckAt', 'executions'] },
        queries: ['due'],
      },
      // The end of a return is written together with its event, which takes the purchase's next sequence.
      unmatchedPayments: { only: { actions: ['UpdateItem'], attributes: ['sequence', 'status', 'ttl'] } },
      // The event about a MED is written together with its case, and takes the purchase's next sequence.
      moneyCases: {
        rows: ['GetItem'],
        only: { actions: ['UpdateItem'], attributes: ['sequence', 'status', 'ttl'] },
      },
      // A function that shows the status may write the link of the liveness check. The write names `status`
      // only in its condition.
      livenessAttempts: { only: { actions: ['UpdateItem'], attributes: ['liveness', 'status'] } },
      usages: { only: { actions: ['UpdateItem'], attributes: ['claim', 'status'] } },
      // The claim of a nonce and the purchase's disposition are written in one transaction, because neither
      // may exist without the other.
      treasury: { rows: ['UpdateItem'] },
      // The hash of the transfer may be written, because a reorganisation of the chain may change it.
      transfers: { only: { actions: ['UpdateItem'], attributes: ['txHash', 'formerTxHashes', 'status'] } },
      purchaseLists: { rows: ['BatchGetItem'], queries: ['ofPartner', 'ofClient'] },
      openPurchases: { rows: ['BatchGetItem'], queries: ['due'] },
      // This need can write only the two attributes that mark a purchase whose history is not archived yet.
      unarchived: {
        only: { actions: ['UpdateItem'], attributes: ['archiveKey', 'archiveAt'] },
        queries: ['unarchived'],
      },
      litigationHolds: { rows: ['BatchGetItem'], queries: ['ofClient'] },
      holds: MARKING,
      'holds:read': { rows: ['GetItem'] },
    },
  },

  usages: {
    ttl: 'ttl',
    grants: {
      usages: { rows: ['BatchGetItem', 'UpdateItem'] },
      'usages:read': { rows: ['BatchGetItem'] },
      litigationHolds: HOLDING,
      registryQuotas: { rows: ['GetItem'], only: { actions: ['UpdateItem'], attributes: ['calls', 'ttl'] } },
      // A move of a purchase gives back what the purchase has claimed of its client's limits.
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
      unmatchedPayments: { rows: ['GetItem', 'PutItem', 'UpdateItem'] },
      dueReturns: { queries: ['due'] },
      'unmatchedPayments:read': { rows: ['BatchGetItem'], queries: ['open'] },
      unmatchedLists: { rows: ['GetItem'], queries: ['ofTransaction'] },
    },
  },
});
