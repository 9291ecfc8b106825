/**
 * All alarms. The deployment's alarms, its dashboard and docs/runbooks.md are made from this table. No Lambda function
 * imports it.
 */
import type { Alarm, Limit, Runbook } from './alarm.ts';
import { AWS_ALARMS } from './aws-alarms.ts';
import { CERTIFICATE_ALARMS } from './certificate-alarms.ts';
import { CLIENT_ALARMS } from './client-alarms.ts';
import type { Condition } from './conditions.ts';
import { FUNCTION_ALARMS } from './function-alarms.ts';
import { MONEY_ALARMS } from './money-alarms.ts';
import { PARTNER_ALARMS } from './partner-alarms.ts';
import { REFUSAL_ALARMS } from './refusal-alarms.ts';
import { SCHEDULES, SILENT_SCHEDULE } from './schedules.ts';
import { TREASURY_ALARMS } from './treasury-alarms.ts';

/** The run-book of each condition that code can raise. If one is missing, this does not compile. */
const OF_CONDITIONS: Record<Condition, Runbook & Limit> = {
  ...MONEY_ALARMS,
  ...TREASURY_ALARMS,
  ...CLIENT_ALARMS,
  ...PARTNER_ALARMS,
  ...FUNCTION_ALARMS,
};

const USUAL_MINUTES = 5;

const ofConditions = (Object.entries(OF_CONDITIONS) as [Condition, Runbook & Limit][]).map(
  ([id, { count = 1, minutes = USUAL_MINUTES, ...rest }]): Alarm => ({
    ...rest,
    id,
    source: { kind: 'OWN', name: id, statistic: 'Sum' },
    threshold: count,
    minutes,
    isDeadMans: false,
  }),
);

const ofSchedules = Object.entries(SCHEDULES).map(
  ([schedule, { silentAfterMinutes, means, urgency }]): Alarm => ({
    id: `${schedule}Silent`,
    when: `\`${schedule}\` has not succeeded for ${silentAfterMinutes} minutes`,
    means,
    ...SILENT_SCHEDULE,
    urgency,
    source: { kind: 'SUCCESSES', of: { schedule } },
    threshold: 1,
    minutes: silentAfterMinutes,
    isDeadMans: true,
  }),
);

const ofAws = Object.entries(AWS_ALARMS).map(([id, alarm]): Alarm => ({ ...alarm, id, isDeadMans: false }));

const ofRefusals = Object.entries(REFUSAL_ALARMS).map(
  ([id, alarm]): Alarm => ({ ...alarm, id, isDeadMans: false }),
);

const ofCertificates = Object.entries(CERTIFICATE_ALARMS).map(
  ([id, alarm]): Alarm => ({ ...alarm, id, isDeadMans: true }),
);

export const ALARMS: readonly Alarm[] = [
  ...ofConditions,
  ...ofSchedules,
  ...ofAws,
  ...ofRefusals,
  ...ofCertificates,
];

/** The alarms by subject, for the widgets of the dashboard: CloudWatch shows at most 100 alarms in one. */
export const ALARM_SUBJECTS = {
  Money: Object.keys(MONEY_ALARMS),
  Treasury: Object.keys(TREASURY_ALARMS),
  Clients: Object.keys(CLIENT_ALARMS),
  Partners: [...Object.keys(PARTNER_ALARMS), ...ofRefusals.map(({ id }) => id)],
  Functions: Object.keys(FUNCTION_ALARMS),
  Schedules: ofSchedules.map(({ id }) => id),
  AWS: [...ofAws, ...ofCertificates].map(({ id }) => id),
} as const satisfies Record<string, readonly string[]>;
