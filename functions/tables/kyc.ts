/** The tables of clients and of what is decided about them. */
import { DUE, describe } from './describe.ts';

/** What opens a review case. Only a reviewer says who decided it, when and why. */
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
      /** Records that are screened again after the lists have changed, by the lists that they were last searched in. */
      screened: { key: 'live', sort: 'screenedWith', sortType: 'S' },
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
      // A put could overwrite evidence, and no policy tells a new row from an old one. The condition of the put does.
      evidence: { rows: ['PutItem'] },
      rescreenings: { rows: ['GetItem', 'PutItem'] },
    },
  },

  clients: {
    ttl: 'ttl',
    indexes: { due: DUE },
    grants: {
      // All but what reviewers decide: no function clears a pair of a client, or confirms one.
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
            'charges',
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
      // When to look at a rejected client again, and nothing else of it.
      overrulings: {
        only: { actions: ['UpdateItem'], attributes: ['rejectedAt', 'sweep', 'nextCheckAt', 'checks'] },
        queries: ['due'],
      },
      // No policy tells adding from removing. That a mark stays until a person lifts it is the rule of `moneyCaseStore`.
      moneyCases: { only: { actions: ['UpdateItem'], attributes: ['blockedFor'] } },
    },
  },

  cases: {
    ttl: 'ttl',
    indexes: {
      byStatus: { key: 'status', sort: 'openedAt' },
      ofClient: { key: 'clientId', sort: 'openedAt' },
    },
    // A case is opened in the write of what opens it.
    grants: { kycRecords: CASE_OPENING, kycReviews: CASE_OPENING, rescreenings: CASE_OPENING },
  },
});
