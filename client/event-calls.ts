import { parse } from './answer.ts';
import type {
  DeliveredEvent,
  EventFilter,
  EventPage,
  ReplayedEvent,
  ReplayedRange,
  ReplayRange,
} from './event-types.ts';
import { paginate } from './pages.ts';
import { type CallOptions, type PostOptions, segment, type Transport, withQuery } from './transport.ts';

const eventsPath = '/v1/laas/events';

/**
 * The calls under `/v1/laas/events`. They read webhook events, and send them again if your receiver was down.
 */
export function eventCalls({ get, post, send }: Transport) {
  const eventPath = (id: string) => `${eventsPath}/${segment('eventId', id)}`;
  return {
    /**
     * Lists your events of the last year, the newest first. An `await` gives one page. A `for await` loop
     * gives the events of all pages.
     */
    list(filter: EventFilter = {}, call?: CallOptions) {
      const readPage = async (cursor = filter.cursor) => {
        const answer = await send(get(withQuery(eventsPath, { ...filter, cursor }), call));
        return parse<EventPage>(answer);
      };
      return paginate(readPage, ({ events }) => events);
    },

    /**
     * Reads an event by its id, which its deliveries have in the header `webhook-id`. The result also has the
     * delivery attempts at each of your endpoints.
     */
    async get(eventId: string, call?: CallOptions) {
      const answer = await send(get(eventPath(eventId), call));
      return parse<DeliveredEvent>(answer);
    },

    /**
     * Sends an event again with its former `webhook-id`. It goes to the endpoint `endpointId`. Without
     * `endpointId` it goes to each endpoint that takes events of this type.
     */
    async replay(eventId: string, body: { endpointId?: string } = {}, call?: PostOptions) {
      const answer = await send(post(`${eventPath(eventId)}/replay`, body, call));
      return parse<ReplayedEvent>(answer);
    },

    /**
     * Sends the events of a time range again, at most 200 events in one call. If the answer has a
     * `nextCursor`, pass it in the next call to send the rest.
     */
    async replayRange(body: ReplayRange, call?: PostOptions) {
      const answer = await send(post(`${eventsPath}/replay`, body, call));
      return parse<ReplayedRange>(answer);
    },
  };
}
