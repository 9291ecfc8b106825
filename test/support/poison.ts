/** Messages and rows that no consumer can use. Each consumer of the templates has its list. */
import type { MessageAttributeValue } from '@aws-sdk/client-sqs';

export type Poison = {
  name: string;
  body: string;
  attributes?: Record<string, MessageAttributeValue>;
  /** `DEAD_LETTER`: it fails at each try. `DROPPED`: it names something that we do not have. */
  ends: 'DEAD_LETTER' | 'DROPPED';
};

const dead = (name: string, body: string): Poison => ({ name, body, ends: 'DEAD_LETTER' });
const dropped = (name: string, body: string): Poison => ({ name, body, ends: 'DROPPED' });

const NOT_OURS: readonly Poison[] = [
  dead('no JSON', '{'),
  dead('null', 'null'),
  dead('a list', '[]'),
  dead('a text', '"text"'),
  dead('a number', '1'),
  dead('nothing', '{}'),
  dead('an unknown kind', '{"refunds":["1"]}'),
  dead('a prototype', '{"__proto__":{"txids":["1"],"eventId":"1"}}'),
  dead('a huge text', JSON.stringify('x'.repeat(200_000))),
];

const STRANGE: Record<string, MessageAttributeValue> = {
  txids: { DataType: 'String.json', StringValue: '["1"]' },
  __proto: { DataType: 'Binary', BinaryValue: new Uint8Array([0, 255]) },
};

const OF_CALLBACKS: readonly Poison[] = [
  ...NOT_OURS,
  dead('a text in the place of a list', '{"txids":"abc"}'),
  dead('numbers', '{"txids":[1,2]}'),
  dead('an empty list', '{"txids":[]}'),
  dead('an empty id', '{"livenessIds":[""]}'),
  dead('a known kind with an unknown one', '{"txids":["1"],"kind":"refund"}'),
  dropped('an unknown id', '{"txids":["00000000000000000000000000"]}'),
  dropped('the names of a prototype', '{"txids":["__proto__","constructor","toString"]}'),
  dropped('an id longer than a key', JSON.stringify({ txids: ['x'.repeat(3000)] })),
  dropped('an unknown check', '{"livenessIds":["__proto__"]}'),
  { ...dropped('strange attributes', '{"txids":["1"]}'), attributes: STRANGE },
];

const OF_DELIVERIES: readonly Poison[] = [
  ...NOT_OURS,
  dead('a number in the place of an id', '{"eventId":1}'),
  dead('an empty id', '{"eventId":""}'),
  dead('more than an id', '{"eventId":"1","partnerId":"demo"}'),
  dropped('an unknown event', '{"eventId":"00000000000000000000000000.1"}'),
  dropped('the name of a prototype', '{"eventId":"__proto__"}'),
  dropped('an id longer than a key', JSON.stringify({ eventId: 'x'.repeat(3000) })),
  { ...dropped('strange attributes', '{"eventId":"1"}'), attributes: STRANGE },
];

/** The unusable messages of each queue, by the function that reads the queue. */
export const POISON_OF_QUEUES: Readonly<Record<string, readonly Poison[]>> = {
  ProcessCallback: OF_CALLBACKS,
  DeliverWebhook: OF_DELIVERIES,
};

/** Rows in the table of events that are no events. `DeliverWebhook` refuses each of them. */
export const POISON_EVENTS: readonly ({ id: string } & Record<string, unknown>)[] = [
  { id: 'poison.nothing-else' },
  { id: 'poison "quoted"\n\u0000', type: 'transaction.expired', at: 1, data: {} },
  { id: 'poison.type', partnerId: 'demo', type: '__proto__', sequence: 1, at: 1, data: {} },
  { id: 'poison.time', partnerId: 'demo', type: 'transaction.expired', sequence: 1, at: 'now', data: {} },
  { id: 'poison.data', partnerId: 'demo', type: 'transaction.expired', sequence: 1, at: 1, data: null },
  { id: 'poison.partner', partnerId: { S: 'demo' }, type: 'transaction.expired', at: 1, data: {} },
];
