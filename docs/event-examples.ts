import type { EventType } from '../functions/domain/partners/events.ts';
import { openApiDocument } from './openapi/document.ts';

type Webhook = { requestBody: { content: { 'application/json': { example: { data: unknown } } } } };

/** The example of the event's `data` in the document of the API. */
export function exampleOf(type: EventType): unknown {
  const { post } = openApiDocument([]).webhooks[type] as { post: Webhook };
  return post.requestBody.content['application/json'].example.data;
}
