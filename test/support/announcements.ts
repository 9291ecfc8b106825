import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { partnerRowId } from '../../functions/adapters/dynamodb/partners.ts';
import { instantOf } from '../../functions/domain/ports.ts';
import { eventData } from '../../functions/domain/purchase/announcements.ts';
import { advance } from '../../functions/domain/purchase/transitions.ts';
import { deliverWebhook } from '../../functions/queues/deliver-webhook.ts';
import { aTransaction } from './builders.ts';
import { newId, putPurchaseIn, type TestPorts } from './ports.ts';
import type { Tables } from './tables.ts';

export const urlOf = (partnerId: string, endpoint: string) => `https://${partnerId}.example/${endpoint}`;
export const secretOf = (endpoint: string) => `whsec_${endpoint}`;

/** A completed purchase whose partner has a webhook endpoint for each of the given names. */
export async function announced(tables: Tables, ports: TestPorts, endpoints: string[] = ['one']) {
  const purchase = await putPurchaseIn(ports, 'PROCESSING');
  const { partnerId } = purchase;
  const webhookEndpoints = await Promise.all(
    endpoints.map(async (id) => ({
      id,
      url: urlOf(partnerId, id),
      secretCipher: await ports.webhookSealer.encrypt(secretOf(id), partnerId),
      createdAt: ports.clock.now(),
    })),
  );
  const partner = { name: 'Test Exchange', status: 'ACTIVE', spreadBasisPoints: 100, webhookEndpoints };
  const Item = { ...partner, id: partnerRowId(partnerId) };
  await tables.client.send(new PutCommand({ TableName: tables.names.partners, Item }));
  const facts = { txHash: '0xaa' };
  await ports.transactions.save(
    advance(purchase, 'stablecoin settled on-chain', instantOf(ports.clock), facts)!,
  );
  const eventId = `${purchase.id}.1`;
  return {
    partnerId,
    eventId,
    url: (endpoint = 'one') => urlOf(partnerId, endpoint),
    deliver: () => deliverWebhook({ eventId }, ports),
    /** Another event of the partner, without a delivery yet. */
    newEvent: async () => {
      const [id, type, at] = [`${newId()}.1`, 'transaction.completed' as const, ports.clock.now()];
      const data = eventData(type, aTransaction(), 1);
      await ports.announcements.announce({ id, partnerId, type, sequence: 1, at, data });
      return id;
    },
    delivery: (endpoint = 'one') => ports.deliveries.findDelivery(eventId, endpoint),
    answer: (endpoint: string, statusCode: number | undefined) =>
      ports.webhookSender.answers.set(urlOf(partnerId, endpoint), async () => statusCode),
    /** The names of the endpoints to which the event was posted, in the order of the posts. */
    posts: () =>
      ports.webhookSender.posted.filter(({ id }) => id === eventId).map(({ url }) => url.split('/').at(-1)),
  };
}
