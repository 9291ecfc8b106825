/** The tables of the treasury. */
import { describe, MARKING } from './describe.ts';
import { DUE, HELD } from './sharded.ts';

export const TREASURY_TABLES = describe({
  settlements: {
    indexes: { due: DUE },
    grants: {
      treasury: { rows: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
      // A refund is claimed on condition that no nonce is owned.
      transactions: { rows: ['ConditionCheckItem'] },
      outflows: { rows: ['GetItem'] },
      // A look at a transfer changes no nonce, no signed bytes and no try.
      transfers: {
        rows: ['GetItem'],
        only: {
          actions: ['UpdateItem'],
          attributes: ['state', 'txHash', 'blockNumber', 'nextCheckAt', 'sweep'],
        },
        queries: ['due'],
      },
      // The wish to cancel. A function with this grant can neither sign nor end the settlement.
      cancellations: { only: { actions: ['UpdateItem'], attributes: ['cancel', 'state'] } },
      // The books show whether somebody else signs with a wallet.
      hotWallets: { rows: ['BatchGetItem', 'GetItem'] },
      holds: MARKING,
      'holds:read': { rows: ['GetItem'] },
    },
  },

  floats: {
    grants: {
      // All attributes but the pause, which only operators set.
      floats: {
        rows: ['GetItem'],
        only: {
          actions: ['UpdateItem'],
          attributes: [
            'room',
            'largest',
            'taken',
            'revision',
            'readAt',
            'block',
            'isGasLow',
            'hotWallets',
            'lowSince',
          ],
        },
      },
      'floats:read': { rows: ['GetItem'] },
      liquidity: {
        only: {
          actions: ['UpdateItem'],
          attributes: ['room', 'largest', 'taken', 'readAt', 'isGasLow', 'paused', 'shortfall'],
        },
      },
      refundCover: { only: { actions: ['UpdateItem'], attributes: ['shortfall'] } },
      priceHistories: {
        rows: ['GetItem'],
        only: { actions: ['UpdateItem'], attributes: ['spans', 'asks', 'ptax', 'distrust', 'revision'] },
      },
      'priceHistories:read': { rows: ['GetItem'] },
    },
  },

  promises: {
    ttl: 'ttl',
    isWithoutOutput: true,
    indexes: { held: HELD },
    grants: {
      // A purchase is opened in one write with the use of its quote.
      quotes: { rows: ['GetItem'], only: { actions: ['UpdateItem'], attributes: ['usedBy'] } },
      quoteOffers: {
        rows: ['GetItem', 'PutItem'],
        only: { actions: ['UpdateItem'], attributes: ['centavos', 'ttl'] },
      },
      promises: {
        rows: ['GetItem', 'PutItem'],
        only: { actions: ['UpdateItem'], attributes: ['heldKey', 'centavos', 'ttl'] },
      },
      // A release makes no promise.
      openPromises: {
        rows: ['BatchGetItem'],
        only: { actions: ['UpdateItem'], attributes: ['heldKey', 'centavos', 'ttl'] },
        queries: ['held'],
      },
    },
  },

  reservations: {
    ttl: 'ttl',
    isWithoutOutput: true,
    indexes: { held: HELD },
    grants: {
      // A reading releases, and never reserves.
      floats: {
        rows: ['BatchGetItem'],
        only: { actions: ['UpdateItem'], attributes: ['units', 'heldKey', 'ttl'] },
        queries: ['held'],
      },
      liquidity: { rows: ['GetItem', 'PutItem', 'UpdateItem'] },
    },
  },

  witness: {
    isWithoutBackups: true,
    grants: { holds: MARKING, 'holds:read': { rows: ['GetItem'] } },
  },
});
