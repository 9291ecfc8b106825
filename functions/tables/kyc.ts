/** The tables of clients, and of the decisions about them. */
import { describe } from './describe.ts';
import { BY_STATUS, DECIDED, DUE, EVIDENCE_DAY, SCREENED } from './sharded.ts';

/**
 * The attributes of a new review case. A decision is not among them, so no function but the console's can
 * write one.
 */
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
      'entryGone',
      'ttl',
    ],
  },
} as const;

export const KYC_TABLES = describe({
  kycRecords: {
    ttl: 'ttl',
    indexes: {
      due: DUE,
      /** Lists a client's PENDING records, which a callback about the client visits. */
      client: { key: 'pendingClientId', sort: 'issuedAt' },
      screened: SCREENED,
      ofClient: { key: 'clientId', sort: 'issuedAt' },
    },
    grants: {
      kycRecords: { rows: ['GetItem', 'PutItem'] },
      'kycRecords:read': { rows: ['GetItem'] },
      kycReviews: { rows: ['UpdateItem'], queries: ['client'] },
      dueReviews: { queries: ['due'] },
      overrulings: { queries: ['ofClient'] },
      litigationHolds: { rows: ['BatchGetItem'], queries: ['ofClient'] },
      rescreenings: { rows: ['UpdateItem'] },
      staleRecords: { rows: ['UpdateItem'], queries: ['screened'] },
    },
  },

  evidence: {
    ttl: 'ttl',
    indexes: {
      subject: { key: 'subject', sort: 'at' },
      /** Lists the evidence about one client. */
      client: { key: 'clientId', sort: 'at' },
      day: EVIDENCE_DAY,
    },
    grants: {
      // An IAM policy cannot forbid a put that replaces a row, so the condition of each put forbids it.
      evidence: { rows: ['PutItem'] },
      rescreenings: { rows: ['GetItem', 'PutItem'] },
      evidenceLists: { rows: ['BatchGetItem'], queries: ['day'] },
    },
  },

  clients: {
    ttl: 'ttl',
    indexes: { due: DUE },
    grants: {
      // All attributes except the decisions of reviewers, the marks of money cases, and `limits`, which
      // only operators set. No function but the console's can clear or confirm a pair of a client and a
      // list entry.
      clients: {
        rows: ['GetItem'],
        only: {
          actions: ['UpdateItem'],
          attributes: [
            'totpCipher',
            'enrolledAt',
            'lastStep',
            'lastTransactionId',
            'lastRequestId',
            'wrongCodes',
            'lockedUntil',
            'mustProve',
            'wallets',
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
      newClients: {
        only: {
          actions: ['PutItem'],
          attributes: ['partnerId', 'cpfCipher', 'totpCipher', 'wrongCodes', 'createdAt', 'ttl'],
        },
      },
      'clients:read': { rows: ['GetItem'] },
      // The attributes that plan the next visit to a rejected client. `rejectedAt` appears only in the
      // condition of the write.
      overrulings: {
        only: { actions: ['UpdateItem'], attributes: ['rejectedAt', 'sweep', 'nextCheckAt', 'checks'] },
        queries: ['due'],
      },
      // A policy cannot allow adding to a set and forbid removing from it. The code of `moneyCaseStore` never removes a
      // mark, unless an operator lifts the block.
      moneyCases: { only: { actions: ['UpdateItem'], attributes: ['blockedFor', 'medAt'] } },
    },
  },

  personBlocks: {
    ttl: 'ttl',
    indexes: { byState: { key: 'state', sort: 'at', rare: 'a person sets each' } },
    grants: {
      'personBlocks:read': { rows: ['GetItem'] },
      // This grant covers only the rows with a person's open MED cases. No function but the console's can
      // set or lift a block, or let its row end.
      moneyCases: {
        only: { actions: ['UpdateItem'], attributes: ['cases', 'ttl', 'heldTtl'], ids: ['MED#*'] },
      },
      // No function can set or lift a hold.
      litigationHolds: {
        rows: ['GetItem', 'ConditionCheckItem'],
        only: { actions: ['UpdateItem'], attributes: ['keptAt'] },
        queries: ['byState'],
      },
    },
  },

  cases: {
    ttl: 'ttl',
    indexes: {
      byStatus: BY_STATUS,
      decided: DECIDED,
      ofClient: { key: 'clientId', sort: 'openedAt' },
    },
    grants: {
      // A new case is written in one transaction with the KYC record or the review that needs it.
      kycRecords: CASE_OPENING,
      kycReviews: CASE_OPENING,
      rescreenings: CASE_OPENING,
      // This grant allows to change only `entryGone`, the mark of an open case. No function but the
      // console's can decide or close a case.
      caseMarks: {
        rows: ['BatchGetItem'],
        only: { actions: ['UpdateItem'], attributes: ['status', 'entryGone'] },
        queries: ['byStatus'],
      },
    },
  },
});
