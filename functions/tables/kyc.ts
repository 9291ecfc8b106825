/** The tables of clients, and of the decisions about them. */
import { describe } from './describe.ts';
import { BY_STATUS, DUE, SCREENED } from './sharded.ts';

/** The attributes of an open review case. Only a reviewer's command writes the decision. */
const CASE_OPENING = {
  only: {
    actions: ['UpdateItem'],
    attributes: [
      'pair',
      'clientId',
      'partnerId',
      'token',
      'candidate',
      'index',
      'opened',
      'status',
      'statusKey',
      'openedAt',
      'ttl',
    ],
  },
} as const;

export const KYC_TABLES = describe({
  kycRecords: {
    ttl: 'ttl',
    indexes: {
      due: DUE,
      /** Records that wait for news of their client. */
      client: { key: 'pendingClientId', sort: 'issuedAt' },
      screened: SCREENED,
      ofClient: { key: 'clientId', sort: 'issuedAt' },
    },
    grants: {
      kycRecords: { rows: ['GetItem', 'PutItem'] },
      'kycRecords:read': { rows: ['GetItem'] },
      kycReviews: { rows: ['UpdateItem'], queries: ['due', 'client'] },
      overrulings: { queries: ['ofClient'] },
      rescreenings: { rows: ['UpdateItem'] },
      staleRecords: { rows: ['UpdateItem'], queries: ['screened'] },
    },
  },

  evidence: {
    ttl: 'ttl',
    indexes: {
      subject: { key: 'subject', sort: 'at' },
      /** Evidence that rests on the data of one client. */
      client: { key: 'clientId', sort: 'at' },
    },
    grants: {
      // A policy cannot stop a put over an old row. The condition of the put does.
      evidence: { rows: ['PutItem'] },
      rescreenings: { rows: ['GetItem', 'PutItem'] },
    },
  },

  clients: {
    ttl: 'ttl',
    indexes: { due: DUE },
    grants: {
      // All attributes but the decisions of reviewers: no function clears or confirms a pair.
      clients: {
        rows: ['GetItem'],
        only: {
          actions: ['PutItem', 'UpdateItem'],
          attributes: [
            'partnerId',
            'cpfCipher',
            'totpCipher',
            'enrolledAt',
            'lastStep',
            'lastTransactionId',
            'lastRequestId',
            'wrongCodes',
            'lockedUntil',
            'mustProve',
            'wallets',
            'createdAt',
            'ttl',
            'spentReviews',
            'reviewSpentAt',
            'rejectedAt',
            'rejectedFor',
            'raisedAt',
            'raisedTier',
            'sweep',
            'nextCheckAt',
            'checks',
          ],
        },
      },
      'clients:read': { rows: ['GetItem'] },
      // Only the instant of the next visit to a rejected client.
      overrulings: {
        only: { actions: ['UpdateItem'], attributes: ['rejectedAt', 'sweep', 'nextCheckAt', 'checks'] },
        queries: ['due'],
      },
      // A policy cannot tell adding from removing. In `moneyCaseStore` a mark stays until a person lifts it.
      moneyCases: { only: { actions: ['UpdateItem'], attributes: ['blockedFor', 'medAt'] } },
    },
  },

  personBlocks: {
    ttl: 'ttl',
    indexes: { byState: { key: 'state', sort: 'at', rare: 'a person sets each' } },
    grants: {
      'personBlocks:read': { rows: ['GetItem'] },
      // The open MED cases of a person. No function sets or lifts a block.
      moneyCases: { only: { actions: ['UpdateItem'], attributes: ['cases'] } },
    },
  },

  cases: {
    ttl: 'ttl',
    indexes: {
      byStatus: BY_STATUS,
      ofClient: { key: 'clientId', sort: 'openedAt' },
    },
    // A case is opened in the same write as the record or the review that causes it.
    grants: { kycRecords: CASE_OPENING, kycReviews: CASE_OPENING, rescreenings: CASE_OPENING },
  },
});
