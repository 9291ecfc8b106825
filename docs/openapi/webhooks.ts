import { EVENTS, type EventType } from '../../functions/domain/partners/events.ts';
import { EVENT_PAYLOADS } from '../../functions/logic/partners/event-payloads.ts';
import { json } from './errors.ts';
import type { Schema, SchemaBook } from './schemas.ts';

const header = (name: string, description: string, schema: Schema) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

/** The headers of Standard Webhooks. */
const SIGNED = [
  header('webhook-id', 'The event’s id. A repetition has the same: drop what you know.', { type: 'string' }),
  header('webhook-timestamp', 'When this attempt was signed: seconds since 1970.', { type: 'string' }),
  header('webhook-signature', 'One signature or several: `v1,<base64>`, with spaces between.', {
    type: 'string',
  }),
];

export function webhooksOf(types: readonly EventType[], book: SchemaBook): Record<string, Schema> {
  return Object.fromEntries(types.map((type) => [type, { post: webhookOf(type, book) }]));
}

function webhookOf(type: EventType, book: SchemaBook): Schema {
  const properties = {
    type: { const: type },
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
    data: book.of(EVENT_PAYLOADS[type], 'output'),
  };
  const body = { type: 'object', properties, required: Object.keys(properties) };
  return {
    operationId: type,
    tags: ['Webhooks'],
    // The reference page shows a summary as it is, and a description as Markdown.
    summary: EVENTS[type].replaceAll('`', ''),
    description: EVENTS[type],
    // The signature says who sent it.
    security: [],
    parameters: SIGNED,
    requestBody: { required: true, content: json(body) },
    responses: {
      '2XX': { description: 'The event is taken. After any other answer it is sent again.' },
    },
  };
}
