import { type Delivery, REOPENED_A_MINUTE, reopened } from '../functions/domain/partners/deliveries.ts';
import { instantOf } from '../functions/domain/ports.ts';
import { triesIn } from '../functions/domain/purchase/story-records.ts';
import { type Command, type Given, type Plan, requireText, requireWords } from './command.ts';
import { type Desk, requirePartner } from './desk.ts';
import type { Table } from './shown.ts';
import { columns, instant, misused, refuseOrder } from './words.ts';

export const deliveryCommands: Command[] = [
  {
    name: 'deliveries list',
    takes: '(--partner <partner> | --event <event>) [--endpoint <endpoint>]',
    about: 'a partner’s parked deliveries, or the deliveries of one event',
    options: ['partner', 'event', 'endpoint'],
    run: async (given, desk) => deliveriesTable(await select(given, desk)),
  },
  {
    name: 'deliveries redeliver',
    takes: '--event <event> [--endpoint <endpoint>] | --partner <partner> (--endpoint <endpoint> | --parked)',
    about: 'sends again: one event, or all parked deliveries of an endpoint or a partner',
    options: ['partner', 'event', 'endpoint', 'parked'],
    run: redeliver,
  },
];

/**
 * The deliveries of one event, or a partner's parked deliveries, which are not tried any more. With
 * `--endpoint`, only those to that endpoint.
 */
async function select(given: Given, desk: Desk): Promise<Delivery[]> {
  requireWords(given);
  const { event, partner, endpoint } = given.flags;
  if ((event === undefined) === (partner === undefined)) misused('Name either --event or --partner.');
  const found = event === undefined ? await parkedOf(given, desk) : await ofEvent(given, desk);
  return found.filter(({ endpointId }) => endpoint === undefined || endpointId === endpoint);
}

async function parkedOf(given: Given, desk: Desk): Promise<Delivery[]> {
  const { id } = await requirePartner(desk, requireText(given, 'partner'));
  return desk.deliveries.listParked(id);
}

async function ofEvent(given: Given, { events, deliveries }: Desk): Promise<Delivery[]> {
  const id = requireText(given, 'event');
  const event = (await events.findEvent(id)) ?? refuseOrder(`There is no event ${id}.`);
  const endpointIds = event.endpointIds ?? refuseOrder(`The event ${id} waits for its first delivery.`);
  const found = await Promise.all(endpointIds.map((endpointId) => deliveries.findDelivery(id, endpointId)));
  return found.filter((delivery) => delivery !== undefined);
}

const deliveriesTable = (found: Delivery[]): Table => ({
  head: ['event', 'endpoint', 'status', 'tries', 'last', 'when'],
  rows: found.map(deliveryCells),
  empty: 'There are no such deliveries.',
});

function deliveryCells(delivery: Delivery) {
  const { eventId, endpointId, status, attempts, lastStatusCode, nextAttemptAt, heldAt, parkedAt } = delivery;
  const next = nextAttemptAt === undefined ? '' : `again ${instant(nextAttemptAt)}`;
  const last = lastStatusCode === undefined ? 'no answer' : `HTTP ${lastStatusCode}`;
  const since = parkedAt ?? heldAt;
  const when = since === undefined ? next : `since ${instant(since)}`;
  return [eventId, endpointId, status, triesIn(attempts), last, when];
}

const SHOWN = 10;

async function redeliver(given: Given, desk: Desk): Promise<Plan> {
  const { partner, endpoint, parked } = given.flags;
  if (partner !== undefined && (endpoint === undefined) === (parked === undefined))
    misused('With --partner name either --endpoint or --parked.');
  const found = await select(given, desk);
  const open = await withFailingEndpoint(found, desk);
  const [first] = open;
  if (!first) refuseOrder('There is nothing to deliver again.');
  const rest = open.length - SHOWN;
  const lost = found.length - open.length;
  return {
    subject: first.partnerId,
    will: [
      `deliver ${open.length} again, from the beginning:`,
      ...columns(open.slice(0, SHOWN).map(deliveryCells)),
      ...(rest > 0 ? [`and ${rest} more`] : []),
      ...(lost > 0 ? [`${lost} are left out, because their endpoints were removed`] : []),
    ],
    facts: { deliveries: open.map(({ id }) => id).slice(0, RECORDED), count: open.length },
    before: { parked: open.length },
    after: { due: open.length },
    async perform() {
      const at = instantOf(desk.clock);
      for (const [place, delivery] of open.entries()) {
        await desk.deliveries.save(reopened(delivery, at, place));
      }
      return [queuedWords(open.length)];
    },
  };
}

function queuedWords(count: number): string {
  const what = count === 1 ? '1 delivery is' : `${count} deliveries are`;
  const minutes = Math.ceil(count / REOPENED_A_MINUTE);
  if (minutes === 1) return `${what} queued within a minute.`;
  return `${what} queued within ${minutes} minutes, ${REOPENED_A_MINUTE} in each.`;
}

/** A record names at most this many deliveries, because it is one row, and DynamoDB limits a row to 400 kB. */
const RECORDED = 1000;

async function withFailingEndpoint(found: Delivery[], desk: Desk): Promise<Delivery[]> {
  const [first] = found;
  if (!first) return [];
  const { webhookEndpoints } = await requirePartner(desk, first.partnerId);
  const ids = webhookEndpoints.map(({ id }) => id);
  return found.filter(({ endpointId }) => ids.includes(endpointId));
}
