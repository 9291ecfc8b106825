import { BY_ITSELF, CAUSE, LASTING, type Limit, type Runbook, SHOW_PURCHASE } from './alarm.ts';
import type { Condition } from './conditions.ts';

/**
 * The alarm rings only if work of the same kind fails three times within 15 minutes. One failed call to AWS
 * does not raise it.
 */
const REPEATED = { count: 3, minutes: 15 };

export const FUNCTION_ALARMS = {
  RequestFailed: {
    when: 'Requests of partners end by an unexpected error',
    means: 'Partners see 500 and repeat.',
    look: CAUSE,
    ends: BY_ITSELF,
    urgency: 'NOW',
    ...REPEATED,
  },
  RequestUnanswered: {
    when: 'A provider has not answered requests for ten minutes',
    means: 'Partners see 500 with `Retry-After`.',
    look: CAUSE,
    ends: BY_ITSELF,
    urgency: 'NOW',
    ...LASTING,
    count: 2,
  },
  CallbackFailed: {
    when: 'Callbacks of providers end by an unexpected error',
    means: 'The provider repeats them.',
    look: CAUSE,
    ends: BY_ITSELF,
    urgency: 'NOW',
    ...REPEATED,
  },
  MessageFailed: {
    when: 'Messages of the queues end by an unexpected error',
    means: 'Paid clients wait, and partners hear late.',
    look: CAUSE,
    ends: BY_ITSELF,
    urgency: 'NOW',
    ...REPEATED,
  },
  StepFailed: {
    when: 'A step ends by an unexpected error',
    means: 'A purchase waits, and may be paid.',
    look: `${SHOW_PURCHASE} ${CAUSE}`,
    ends: BY_ITSELF,
    urgency: 'NOW',
    ...REPEATED,
  },
  StepWaits: {
    when: 'A provider has not answered steps of purchases for ten minutes',
    means: 'Purchases wait, and may be paid.',
    look: `${SHOW_PURCHASE} ${CAUSE}`,
    ends: BY_ITSELF,
    urgency: 'NOW',
    ...LASTING,
  },
  SweepFailed: {
    when: 'The sweeper cannot move purchases on, for ten minutes',
    means: 'They have no running execution, or cannot be woken.',
    look: `${SHOW_PURCHASE} ${CAUSE}`,
    ends: BY_ITSELF,
    urgency: 'NOW',
    ...LASTING,
  },
  HistoryNotArchived: {
    when: 'The history of a purchase cannot be archived',
    means: 'Step Functions forgets it after 90 days. Money is not affected.',
    look: CAUSE,
    ends: BY_ITSELF,
    urgency: 'TODAY',
    ...REPEATED,
  },
  ReturnVisitFailed: {
    when: 'The return of an unmatched payment cannot be visited',
    means: 'A sender waits. After a day `MoneyStuck` rings.',
    look: CAUSE,
    ends: BY_ITSELF,
    urgency: 'TODAY',
    ...REPEATED,
  },
  TransferWatchFailed: {
    when: 'A completed transfer cannot be watched',
    means: 'A reorganisation of the chain would be found late.',
    look: CAUSE,
    ends: BY_ITSELF,
    urgency: 'TODAY',
    count: 3,
    minutes: 60,
  },
  KycReviewFailed: {
    when: 'The review of a PENDING KYC record fails',
    means: 'Its client is not decided.',
    look: CAUSE,
    ends: BY_ITSELF,
    urgency: 'TODAY',
    count: 3,
    minutes: 60,
  },
  OverrulingFailed: {
    when: 'Older tokens of a refused client cannot be refused',
    means: 'Initiate refuses them anyway. The partner is not told yet.',
    look: CAUSE,
    ends: BY_ITSELF,
    urgency: 'TODAY',
    ...REPEATED,
  },
  RescreeningFailed: {
    when: 'A client cannot be screened again after a change of the lists',
    means: 'Initiate uses the former result. A paid purchase is screened before it is settled.',
    look: CAUSE,
    ends: BY_ITSELF,
    urgency: 'TODAY',
    count: 3,
    minutes: 30,
  },
} as const satisfies Partial<Record<Condition, Runbook & Limit>>;
