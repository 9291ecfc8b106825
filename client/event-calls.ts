import { parse } from './answer.ts';
import type { DeliveredEvent, EventFilter, EventPage } from './event-types.ts';
import { paginate } from './pages.ts';
import { type CallOptions, segment, type Transport, withQuery } from './transport.ts';

const eventsPath = '/v1/laas/events';

/** The calls that read events again, for a receiver that was down. */
export function eventCalls({ get, send }: Transport) {
  const eventPath = (id: string) => `${eventsPath}/${segment('eventId', id)}`;
  return {
    /** Lists your events of the last year, the newest first. A `for await` loop gets the events of all pages. */
    list(filter: EventFilter = {}, call?: CallOptions) {
      const readPage = async (cursor = filter.cursor) => {
        const answer = await send(get(withQuery(eventsPath, { ...filter, cursor }), call));
        return parse<EventPage>(answer);
      };
      return paginate(readPage, ({ events }) => events);
    },

    /** Reads an event by its `webhook-id`, with the attempts at each of your endpoints. */
    async get(eventId: string, call?: CallOptions) {
      const answer = await send(get(eventPath(eventId), call));
      return parse<DeliveredEvent>(answer);
    },
  };
}
