/** Parts of the answers of endpoints below /laas/partner. `answer-parts.ts` explains their form. */
import * as z from 'zod';
import { KEY_SCOPES } from '../domain/partners/api-key.ts';
import { KEY_STATUSES } from '../domain/partners/made-key.ts';
import { REPLAY_CALL } from '../domain/partners/replays.ts';
import { VENDOR_KEY_STATUSES } from '../domain/partners/vendor-key.ts';
import { ENDPOINT_STATUSES, FILTERED_TYPES } from '../domain/partners/webhook-endpoint.ts';
import { Instant, namedSchema } from './answer-parts.ts';

export const endpointFields = () => ({
  id: z.string(),
  url: z.url(),
  createdAt: Instant(),
  description: z.string().optional(),
  status: z.enum(ENDPOINT_STATUSES),
  /** When the endpoint was disabled or paused. */
  stoppedAt: Instant().optional(),
  /** Absent if the endpoint takes every type. */
  eventTypes: z.array(z.enum(FILTERED_TYPES)).optional(),
  formerSecretUntil: Instant().optional(),
});
export const EndpointAnswer = namedSchema('WebhookEndpoint', () => z.object(endpointFields()));

const MissedReplay = namedSchema('MissedReplay', () =>
  z.object({
    call: z.literal(REPLAY_CALL),
    body: z.object({ endpointId: z.string(), missedOnly: z.literal(true), from: Instant(), to: Instant() }),
  }),
);
export const EnabledEndpointAnswer = namedSchema('EnabledWebhookEndpoint', () =>
  z.object({
    ...endpointFields(),
    replays: z
      .array(MissedReplay())
      .optional()
      .describe('if you enable it: the calls that send what it missed while it was stopped'),
  }),
);

export const keyFields = () => ({
  id: z.string(),
  status: z.enum(KEY_STATUSES),
  scopes: z.array(z.enum(KEY_SCOPES)),
  createdAt: Instant(),
  /** The next three fields exist only for a key that a partner made. */
  madeBy: z.string().optional(),
  expiresAt: Instant().optional(),
  /**
   * The instant from which the key works. Absent until an operator has approved the key, or until each
   * webhook endpoint in the key's `witnesses` has received the event about it.
   */
  worksFrom: Instant().optional(),
});
export const KeyAnswer = namedSchema('ApiKey', () => z.object(keyFields()));

export const VendorKeyAnswer = namedSchema('VendorKey', () =>
  z.object({
    kid: z.string(),
    status: z.enum(VENDOR_KEY_STATUSES),
    alg: z.string().optional(),
    thumbprint: z.string().optional(),
    /** Present while the key waits for an operator's approval. */
    proposedAt: Instant().optional(),
  }),
);
