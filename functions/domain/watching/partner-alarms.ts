import { LINE, type Limit, type Runbook } from './alarm.ts';
import type { Condition } from './conditions.ts';

export const PARTNER_ALARMS = {
  WebhookEndpointPaused: {
    when: 'The service has paused a webhook endpoint that took nothing for five days',
    means: '`webhook_endpoint.paused` has told the partner’s other endpoints.',
    look: `${LINE} \`ops partners show\`.`,
    ends: 'Tell the partner to repair the receiver, enable the endpoint, and replay what it missed.',
    urgency: 'TODAY',
  },
} as const satisfies Partial<Record<Condition, Runbook & Limit>>;
