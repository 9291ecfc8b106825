import type { Limit, Runbook } from './alarm.ts';
import type { Condition } from './conditions.ts';

export const PARTNER_ALARMS = {
  WebhookEndpointPaused: {
    when: 'A webhook endpoint took nothing for five days, and the service has paused it',
    means: '`webhook_endpoint.paused` has told the partner’s other endpoints.',
    look: '`partnerId` and `endpointId` in the line; `ops partners show`.',
    ends: 'Tell the partner. It repairs the receiver, enables the endpoint, and replays what it missed.',
    urgency: 'TODAY',
  },
} as const satisfies Partial<Record<Condition, Runbook & Limit>>;
