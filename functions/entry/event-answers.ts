/** Parts of the answers about events: see `answer-parts.ts`. */
import * as z from 'zod';
import { EVENT_TYPES } from '../domain/partners/events.ts';
import { Instant, named } from './answer-parts.ts';

export const eventFields = () => ({
  /** The `webhook-id` of each delivery. */
  id: z.string(),
  type: z.enum(EVENT_TYPES),
  timestamp: Instant(),
  /** By type: `functions/logic/partners/event-payloads.ts`. */
  data: z.record(z.string(), z.unknown()),
});
export const EventAnswer = named('Event', () => z.object(eventFields()));
