import type { Limit, Runbook } from './alarm.ts';
import type { Condition } from './conditions.ts';

export const PARTNER_ALARMS = {
  WebhookEndpointPaused: {
    when: 'A webhook endpoint took nothing for five days, and the service has paused it',
    means:
      'The partner no longer learns there what happens to its purchases. Its other endpoints were told by ' +
      '`webhook_endpoint.paused`; if it has none, nobody was.',
    look: 'Read `partnerId` and `endpointId` in the line. Run `ops partners show` for the other endpoints.',
    ends: 'Tell the partner. It repairs the receiver, enables the endpoint, and replays what it missed.',
    urgency: 'TODAY',
  },
} as const satisfies Partial<Record<Condition, Runbook & Limit>>;
