import { MOST_ENDPOINTS } from '../functions/domain/partners/webhook-endpoint.ts';
import { newReservation, reservedIds } from '../functions/logic/ids.ts';
import {
  ALLOWED_ADDRESS,
  addEndpoint,
  removeEndpoint,
  rotateSecret,
} from '../functions/logic/partners/webhook-endpoints.ts';
import { type Command, type Given, type Plan, requireText, requireWords } from './command.ts';
import { type Desk, requirePartner } from './desk.ts';
import { instant, misused, refuseOrder } from './words.ts';

export const endpointCommands: Command[] = [
  {
    name: 'endpoints add',
    takes: '<partner> --url <https://…>',
    about: 'adds an address for the partner’s events; its secret is shown once',
    options: ['url'],
    run: planAddedEndpoint,
  },
  {
    name: 'endpoints rotate',
    takes: '<partner> <endpoint>',
    about: 'makes a new secret and shows it once; the former one also signs for 24 hours',
    run: rotate,
  },
  {
    name: 'endpoints remove',
    takes: '<partner> <endpoint>',
    about: 'sends no more events to the address',
    run: remove,
  },
];

const newId = ({ clock, random }: Desk) => reservedIds(newReservation(clock.now(), random)).request();

async function planAddedEndpoint(given: Given, desk: Desk): Promise<Plan> {
  const [id] = requireWords(given, '<partner>');
  const url = requireText(given, 'url');
  const partner = await requirePartner(desk, id);
  if (!(await desk.webhookSender.isAllowed(url))) misused(`--url must be ${ALLOWED_ADDRESS}.`);
  if (partner.webhookEndpoints.length >= MOST_ENDPOINTS)
    refuseOrder(`${id} has ${MOST_ENDPOINTS} endpoints already.`);
  return {
    subject: id,
    will: [`post the events of ${id} (${partner.name}) to ${url} too, and show the secret once`],
    facts: { url },
    before: {},
    after: { url },
    async perform() {
      const added = await addEndpoint(partner, { id: newId(desk), url }, desk);
      return [added.secret, `It is the secret of the endpoint ${added.endpoint.id}.`];
    },
  };
}

async function rotate(given: Given, desk: Desk): Promise<Plan> {
  const { partner, endpoint } = await findEndpoint(given, desk);
  return {
    subject: partner.id,
    will: [`give ${endpoint.url} of ${partner.id} a new secret and show it once`],
    facts: { endpointId: endpoint.id },
    before: { endpoint: endpoint.id },
    after: { endpoint: endpoint.id, secret: 'another one' },
    async perform() {
      const rotated = await rotateSecret(partner, { id: endpoint.id, by: newId(desk) }, desk);
      return [rotated.secret, `The former one also signs until ${instant(rotated.formerSecretUntil)}.`];
    },
  };
}

async function remove(given: Given, desk: Desk): Promise<Plan> {
  const { partner, endpoint } = await findEndpoint(given, desk);
  return {
    subject: partner.id,
    will: [`send no more events of ${partner.id} to ${endpoint.url}; open deliveries to it are parked`],
    facts: { endpointId: endpoint.id, url: endpoint.url },
    before: { endpoint: endpoint.id, url: endpoint.url },
    after: {},
    async perform() {
      await removeEndpoint(partner, endpoint.id, desk);
      return [`The endpoint ${endpoint.id} of ${partner.id} is removed.`];
    },
  };
}

async function findEndpoint(given: Given, desk: Desk) {
  const [id, endpointId] = requireWords(given, '<partner>', '<endpoint>');
  const partner = await requirePartner(desk, id);
  const endpoint = partner.webhookEndpoints.find((each) => each.id === endpointId);
  return { partner, endpoint: endpoint ?? refuseOrder(`${id} has no endpoint ${endpointId}.`) };
}
