import * as z from 'zod';
import { EVENT_TYPES } from '../domain/partners/events.ts';
import { LONGEST_REPLAY_DAYS } from '../domain/partners/replays.ts';
import { requireEndpoint } from '../domain/partners/webhook-endpoint.ts';
import type { Needs } from '../domain/ports.ts';
import { DAY_MS } from '../domain/time.ts';
import { type Caller, endpoint, POST_NEEDS } from '../entry/endpoint.ts';
import { ReplayEndpointId } from '../entry/event-answers.ts';
import { withRules } from '../entry/field-rules.ts';
import { CURSOR_NEEDS, cursorAt, placeAt } from '../logic/cursor.ts';
import { REPLAY_NEEDS, replayAllToEndpoints as replay } from '../logic/partners/replays.ts';
import { routeOf } from '../routes.ts';

/** The most events of one call. Handling them takes much less than the function's time-out. */
const MOST = 200;

const Fields = z.strictObject({
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
  type: z.enum(EVENT_TYPES).optional(),
  endpointId: ReplayEndpointId,
  missedOnly: z.boolean().default(false),
  cursor: z.string().max(500).optional(),
});

/** A malformed field may be an object, which `Date.parse` cannot turn into text. */
const timeOf = (given: unknown) => (typeof given === 'string' ? Date.parse(given) : Number.NaN);
const lengthOf = ({ from, to }: { from?: unknown; to?: unknown }) => timeOf(to) - timeOf(from);

/** If `from` or `to` is malformed, both rules count as met, because the answer already reports that field. */
const Request = withRules(
  Fields,
  { path: 'to', message: 'must be after `from`', holds: (fields) => !(lengthOf(fields) <= 0) },
  {
    path: 'to',
    message: `must be at most ${LONGEST_REPLAY_DAYS} days after \`from\``,
    holds: (fields) => !(lengthOf(fields) > LONGEST_REPLAY_DAYS * DAY_MS),
  },
);

const Answer = () =>
  z.object({
    events: z.int().describe('events of the range that this call has looked at'),
    deliveries: z.int().describe('deliveries that begin'),
    nextCursor: z.string().optional().describe('present if the range has more events'),
  });

export const needs = [...POST_NEEDS, ...REPLAY_NEEDS, ...CURSOR_NEEDS, 'eventLog'] as const;
type Ports = Needs<typeof needs>;

/**
 * Sends the events of a period again, the oldest first: docs/decisions.md, "Webhooks".
 */
export async function replayEvents(
  request: z.output<typeof Request>,
  { partner, ids }: Caller,
  ports: Ports,
) {
  const { cursor, ...filter } = request;
  const { from, to, type, endpointId, missedOnly } = filter;
  if (endpointId !== undefined) requireEndpoint(partner.webhookEndpoints, endpointId);
  const listing = { partnerId: partner.id, name: 'replay', filter };
  const after = await placeAt(cursor, listing, ports);
  const range = { since: Date.parse(from), until: Date.parse(to) };
  const wanted = { partnerId: partner.id, types: type ? [type] : EVENT_TYPES, ...range };
  const page = { limit: MOST, order: 'OLDEST_FIRST', after } as const;
  const { events, next } = await ports.eventLog.listEvents(wanted, page);
  const order = { by: ids.request(), endpointId, missedOnly };
  return {
    events: events.length,
    deliveries: await replay(events, { partner, order }, ports),
    nextCursor: await cursorAt(next, listing, ports),
  };
}

export const handler = endpoint(
  routeOf('ReplayEvents'),
  { request: Request, answer: Answer, errors: ['WEBHOOK_ENDPOINT_NOT_FOUND'], needs },
  replayEvents,
);
