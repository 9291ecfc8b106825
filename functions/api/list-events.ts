import * as z from 'zod';
import { EVENT_TYPES } from '../domain/partners/events.ts';
import type { Needs } from '../domain/ports.ts';
import { TRANSACTION_ID } from '../entry/answer-parts.ts';
import { type Caller, endpoint, GET_NEEDS } from '../entry/endpoint.ts';
import { EventAnswer } from '../entry/event-answers.ts';
import { LIST_FIELDS } from '../entry/list-fields.ts';
import { CURSOR_NEEDS, cursorAt, placeAt } from '../logic/cursor.ts';
import { eventView } from '../logic/partners/event-views.ts';
import { routeOf } from '../routes.ts';

/** Unknown fields are refused, because a misspelled filter would otherwise show every event. */
const Request = z.strictObject({
  type: z.enum(EVENT_TYPES).optional(),
  transactionId: z.string().regex(TRANSACTION_ID, 'must be the 26 characters of a purchase’s id').optional(),
  ...LIST_FIELDS,
});

const Answer = () => z.object({ events: z.array(EventAnswer()), nextCursor: z.string().optional() });

export const needs = [...GET_NEEDS, ...CURSOR_NEEDS, 'eventLog'] as const;
type Ports = Needs<typeof needs>;

/**
 * Lists the partner's events of the last year, the newest first: docs/decisions.md, "Webhooks".
 */
export async function listEvents(request: z.output<typeof Request>, { partner }: Caller, ports: Ports) {
  const { type, transactionId, limit, cursor } = request;
  const listing = { partnerId: partner.id, name: 'events', filter: { type, transactionId } };
  const after = await placeAt(cursor, listing, ports);
  const wanted = { partnerId: partner.id, types: type ? [type] : EVENT_TYPES, transactionId };
  const { events, next } = await ports.eventLog.listEvents(wanted, { limit, order: 'NEWEST_FIRST', after });
  return {
    events: events.map(eventView),
    nextCursor: await cursorAt(next, listing, ports),
  };
}

export const handler = endpoint(
  routeOf('ListEvents'),
  { request: Request, answer: Answer, errors: [], needs },
  listEvents,
);
