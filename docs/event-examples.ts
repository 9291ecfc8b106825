import type { EventType } from '../functions/domain/partners/events.ts';
import { openApiDocument } from './openapi/document.ts';

type Webhook = { requestBody: { content: { 'application/json': { example: { data: unknown } } } } };

/** Returns the example of the event's `data` from the OpenAPI document. */
export function exampleOf(type: EventType): unknown {
  const { post } = openApiDocument([]).webhooks[type] as { post: Webhook };
  return post.requestBody.content['application/json'].example.data;
}
