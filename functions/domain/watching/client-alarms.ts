import { CAUSE, LINE, type Limit, type Runbook } from './alarm.ts';
import type { Condition } from './conditions.ts';

const BUCKET = '`lists/current.json` in `$ListsBucket`, and its former versions.';
const REVIEW = '[Review cases](operations.md#review-cases).';
/**
 * The alarm rings only after five failures within 15 minutes. A source that fails once for a single client
 * therefore rings none.
 */
const OUTAGE = { count: 5, minutes: 15 };

export const CLIENT_ALARMS = {
  ClientListed: {
    when: 'A client with a valid KYC token is on a list now',
    means: 'The client’s purchases end.',
    look: '`ops reviews list --rejected`.',
    ends: REVIEW,
    urgency: 'TODAY',
  },
  ReviewOverdue: {
    when: 'A client has waited for a reviewer for eight hours or more',
    means: 'After a day the KYC token ends, and the client must submit again.',
    look: '`ops reviews list`.',
    ends: REVIEW,
    urgency: 'TODAY',
    minutes: 60,
  },
  PurchaseWaitsForReviewer: {
    when: 'A paid purchase waits for a reviewer',
    means: 'The lists have changed since the client was screened.',
    look: '`ops reviews list`.',
    ends: REVIEW,
    urgency: 'NOW',
  },
  ScreeningSilent: {
    when: 'A source about clients does not answer',
    means: 'New clients stay `PENDING`.',
    look: CAUSE,
    ends: 'If the quota of look-ups is used up, `ops partners quota`.',
    urgency: 'TODAY',
    ...OUTAGE,
  },
  WalletSourceSilent: {
    when: 'A source of wallet risk does not answer while another one refuses the wallet',
    means: 'Paid purchases to other wallets wait for that source.',
    look: CAUSE,
    ends: '[Wallets that cannot be checked](operations.md#wallets-that-cannot-be-checked).',
    urgency: 'TODAY',
    ...OUTAGE,
  },
  ListRefused: {
    when: 'A downloaded list is refused',
    means: 'It cannot be read, or lacks too much to be true. The lists in use stay in force.',
    look: CAUSE,
    ends: '[Sanctions lists](operations.md#sanctions-lists).',
    urgency: 'TODAY',
    minutes: 180,
  },
  ListOld: {
    when: 'A list is older than its limit',
    means: 'Its publisher may have changed it.',
    look: `${LINE} \`lines ListRefused\`.`,
    ends: '[Sanctions lists](operations.md#sanctions-lists).',
    urgency: 'TODAY',
    minutes: 180,
  },
  IndexDamaged: {
    when: 'The index of the lists in the bucket is not whole',
    means: 'The refresh has built a new index.',
    look: BUCKET,
    ends: 'Find out who could write to the bucket.',
    urgency: 'TODAY',
  },
  IndexUnusable: {
    when: 'A function cannot open the index of the lists',
    means: 'It uses the index that it holds, or the deployment’s copy.',
    look: CAUSE,
    ends: 'Invoke `$RefreshListsFunction`: it replaces a damaged index.',
    urgency: 'TODAY',
  },
  ListsUnreadable: {
    when: 'A function cannot read the published lists',
    means: 'It uses the lists that it holds, or its copy. It rings until the first refresh.',
    look: CAUSE,
    ends: 'Restore the former version of `lists/current.json` in `$ListsBucket`.',
    urgency: 'TODAY',
    count: 3,
    minutes: 15,
  },
  DeployedListsUnreadable: {
    when: 'A function cannot read the copy of the lists in its deployment',
    means: 'If the bucket fails too, no client can be screened.',
    look: CAUSE,
    ends: 'Run `npm run lists`, and deploy again.',
    urgency: 'TODAY',
  },
  FormerListUnreadable: {
    when: 'The former files of a list cannot be read',
    means: 'The new list is accepted as if all its entries were new.',
    look: BUCKET,
    ends: 'Find out who could write to the bucket.',
    urgency: 'TODAY',
  },
} as const satisfies Partial<Record<Condition, Runbook & Limit>>;
