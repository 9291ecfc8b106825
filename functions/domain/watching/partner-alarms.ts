import type { Limit, Runbook } from './alarm.ts';
import type { Condition } from './conditions.ts';

export const PARTNER_ALARMS = {
  WebhookEndpointPaused: {
    when: 'A webhook endpoint took nothing for five days, and the service has paused it',
    means:
      'The partner learns nothing there any more. `webhook_endpoint.paused` has told its other endpoints.',
    look: 'Read `partnerId` and `endpointId` in the line. `ops partners show` has the other endpoints.',
    ends: 'Tell the partner. It repairs the receiver, enables the endpoint, and replays what it missed.',
    urgency: 'TODAY',
  },
} as const satisfies Partial<Record<Condition, Runbook & Limit>>;
