/** Parts of the requests and answers about events. `answer-parts.ts` explains their form. */
import * as z from 'zod';
import { EVENT_TYPES } from '../domain/partners/events.ts';
import { Instant, namedSchema } from './answer-parts.ts';

/** No event has a longer id. An id of this form that does not exist is answered as not found. */
export const EventId = z.string().min(1).max(200);

/** One endpoint of the caller. Absent means every endpoint that takes this event. */
export const ReplayEndpointId = z.string().max(64).optional();

export const eventFields = () => ({
  /** The same id is the `webhook-id` of each delivery. */
  id: z.string().meta({ examples: ['01K9ZK3F0000000000000000AB.2'] }),
  type: z.enum(EVENT_TYPES),
  timestamp: Instant(),
  /** The data differs by type: `functions/logic/partners/event-payloads.ts`. */
  data: z.record(z.string(), z.unknown()),
});
export const EventAnswer = namedSchema('Event', () => z.object(eventFields()));

const Attempt = namedSchema('DeliveryAttempt', () =>
  z.object({
    at: Instant(),
    durationMs: z.int().optional().describe('absent: not called, because it did not answer several times'),
    statusCode: z.int().optional().describe('absent: no answer in time'),
    answer: z.string().optional().describe('the beginning of your answer, in one line'),
  }),
);

export const DeliveryAnswer = namedSchema('Delivery', () =>
  z.object({
    endpointId: z.string(),
    status: z
      .enum(['PENDING', 'HELD', 'DELIVERED', 'FAILED'])
      .describe('FAILED: no further attempt without a replay. HELD: your account is suspended'),
    attempts: z.array(Attempt()).describe('the last ones, the oldest first'),
    nextAttemptAt: Instant().optional(),
  }),
);

export const Schedule = namedSchema('RetrySchedule', () =>
  z.object({
    pausesMinutes: z.array(z.number()).describe('between an attempt that failed and the next one'),
    endsAfterMinutes: z
      .number()
      .describe('an attempt that fails later than this, from the event or its replay on, is the last'),
    pausesEndpointAfterMinutes: z.number().describe('an endpoint that takes nothing for so long is paused'),
  }),
);
