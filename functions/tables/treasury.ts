/** The tables of the treasury. */
import { describe, MARKING } from './describe.ts';
import { DUE, HELD } from './sharded.ts';

export const TREASURY_TABLES = describe({
  settlements: {
    indexes: { due: DUE },
    grants: {
      treasury: { rows: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] },
      // A refund may be claimed only if the settlement owns no nonce. The write checks this with a
      // `ConditionCheck`.
      transactions: { rows: ['ConditionCheckItem'] },
      outflows: { rows: ['GetItem'] },
      // For `WatchTransfers`, which looks at completed transfers. A look never changes a settlement's nonce, its
      // signed transactions or its failed tries.
      transfers: {
        rows: ['GetItem'],
        only: {
          actions: ['UpdateItem'],
          attributes: ['state', 'txHash', 'blockNumber', 'nextCheckAt', 'sweep', 'gas'],
        },
        queries: ['due'],
      },
      // This grant allows to request the cancel of a transfer, but not to sign a transfer. The write names
      // `state` only in its condition.
      cancellations: { only: { actions: ['UpdateItem'], attributes: ['cancel', 'state'] } },
      // The rows of the wallets show which nonces the service has used. A further nonce on the chain shows
      // that another party signs with a wallet's key.
      hotWallets: { rows: ['BatchGetItem', 'GetItem'] },
      holds: MARKING,
      'holds:read': { rows: ['GetItem'] },
    },
  },

  floats: {
    grants: {
      // All attributes except `paused`, which only operators set, and those that
      // `refundCover` and `payerWatch` set.
      floats: {
        rows: ['GetItem'],
        only: {
          actions: ['UpdateItem'],
          attributes: [
            'room',
            'largest',
            'hourlyPayout',
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
          attributes: ['room', 'largest', 'taken', 'readAt', 'isGasLow', 'paused', 'shortfall', 'unproven'],
        },
      },
      refundCover: { only: { actions: ['UpdateItem'], attributes: ['shortfall'] } },
      payerWatch: { only: { actions: ['UpdateItem'], attributes: ['unproven', 'payerUnknownSince'] } },
      priceHistories: {
        rows: ['GetItem'],
        only: { actions: ['UpdateItem'], attributes: ['spans', 'asks', 'ptax', 'distrust', 'revision'] },
      },
      'priceHistories:read': { rows: ['GetItem'] },
    },
  },

  promises: {
    ttl: 'ttl',
    indexes: { held: HELD },
    grants: {
      // The write that opens a purchase also marks its quote as used.
      quotes: { rows: ['GetItem'], only: { actions: ['UpdateItem'], attributes: ['usedBy'] } },
      quoteOffers: {
        rows: ['GetItem', 'PutItem'],
        only: { actions: ['UpdateItem'], attributes: ['centavos', 'ttl'] },
      },
      promises: {
        rows: ['GetItem', 'PutItem'],
        only: { actions: ['UpdateItem'], attributes: ['heldKey', 'centavos', 'ttl'] },
      },
      // This grant allows to release promises, but not to make one.
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
      // A reading of the treasury releases reservations, and never makes one.
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
