import { CAUSE, type Limit, type Runbook } from './alarm.ts';
import type { Condition } from './conditions.ts';

const BUCKET = 'Compare `lists/current.json` in `$ListsBucket` with its former versions.';
const STAYS = 'The lists in use stay in force.';
/**
 * The alarm rings only after five failures within 15 minutes. A source that fails once for a single client
 * therefore rings none.
 */
const OUTAGE = { count: 5, minutes: 15 };

export const CLIENT_ALARMS = {
  ClientListed: {
    when: 'A client with a valid KYC token is on a list now',
    means: 'A change of the lists has found it. The client’s purchases end.',
    look: 'Run `ops reviews list --rejected`.',
    ends: 'The compliance officer reports and freezes as the law asks.',
    urgency: 'TODAY',
  },
  ReviewOverdue: {
    when: 'A client has waited for a reviewer for eight hours or more',
    means: 'After a day the KYC token ends, and the client must submit again.',
    look: 'Run `ops reviews list`.',
    ends: 'Decide the case by `ops reviews clear` or `ops reviews confirm`.',
    urgency: 'TODAY',
    minutes: 60,
  },
  PurchaseWaitsForReviewer: {
    when: 'A paid purchase waits for a reviewer',
    means: 'The lists have changed since the client was screened. The client has paid and waits.',
    look: 'Run `ops reviews list`.',
    ends: 'Decide the case by `ops reviews clear` or `ops reviews confirm`.',
    urgency: 'NOW',
  },
  ScreeningSilent: {
    when: 'A source about clients does not answer',
    means: 'New clients stay `PENDING` until it answers.',
    look: 'Read `source` and `error` in the line. Open the status page of that provider.',
    ends: 'It ends with the next answer. If the quota of look-ups is used up, run `ops partners quota`.',
    urgency: 'TODAY',
    ...OUTAGE,
  },
  WalletSourceSilent: {
    when: 'A source of wallet risk does not answer while another one refuses the wallet',
    means: 'The wallet is refused. Paid purchases to other wallets wait for that source.',
    look: 'Read `source` in the line. Open the status page of that provider.',
    ends: 'Follow [Wallets that cannot be checked](operations.md#wallets-that-cannot-be-checked).',
    urgency: 'TODAY',
    ...OUTAGE,
  },
  ListRefused: {
    when: 'A downloaded list is refused',
    means: `It cannot be read, or lacks too much to be true. ${STAYS}`,
    look: 'Read `list` and `error` in the line. Compare with the publisher’s page.',
    ends: 'Follow [Sanctions lists](operations.md#sanctions-lists).',
    urgency: 'TODAY',
    minutes: 180,
  },
  ListOld: {
    when: 'A list is older than its limit',
    means: 'Clients are searched for in a list that its publisher may have changed.',
    look: 'Read `list` and `fetchedAt` in the line. Look for the lines of `ListRefused`.',
    ends: 'Restore the download, or force the list. It ends with the next refresh.',
    urgency: 'TODAY',
    minutes: 180,
  },
  IndexDamaged: {
    when: 'The index of the lists in the bucket is not whole',
    means: 'An object of the bucket is damaged or missing. The refresh has built a new index.',
    look: BUCKET,
    ends: 'Find out who could write to the bucket.',
    urgency: 'TODAY',
  },
  IndexUnusable: {
    when: 'A function cannot open the index of the lists',
    means: 'It uses the index that it holds, or the deployment’s copy.',
    look: BUCKET,
    ends: 'Invoke `$RefreshListsFunction`: it replaces a damaged index.',
    urgency: 'TODAY',
  },
  ListsUnreadable: {
    when: 'A function cannot read the published lists',
    means: 'It uses the lists that it holds, or its copy. It rings until the first refresh.',
    look: BUCKET,
    ends: 'Restore the former version of `lists/current.json`.',
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
    ends: 'It ends with the new list. Find out who could write to the bucket.',
    urgency: 'TODAY',
  },
} as const satisfies Partial<Record<Condition, Runbook & Limit>>;
