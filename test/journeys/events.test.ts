import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { openPix, SLOW_MS } from '../support/purchases.ts';
import { type Received, startReceiver } from '../support/receiver.ts';
import { eventually, newPartner } from '../support/sandbox.ts';

/** The event, as the reference package of Standard Webhooks accepts it. Throws for any other message. */
const verified = (secret: string, { payload, headers }: Received) =>
  new Webhook(secret).verify(payload, headers as Record<string, string>) as { type: string; data: unknown };

const of = (id: string, received: Received[]) => received.filter((each) => each.id === id);

describe('a partner whose receiver was down', () => {
  // Spec, Events: "HTTP POST to the partner"
  // docs/decisions.md, "Webhooks"
  test('reads what it missed, and has it sent again, signed for the reference receiver', async () => {
    const receiver = await startReceiver({ status: 503 });
    const partner = await newPartner({ webhookEndpoints: [] });
    const { client } = partner;
    const { id: endpointId, secret } = await client.partner.addWebhookEndpoint({ url: receiver.url });
    const from = new Date(Date.now() - 60_000).toISOString();
    const { transactionId } = await openPix({ partner });
    await client.sandbox.pay(transactionId);
    await client.waitForStatus(transactionId, ['COMPLETED'], { intervalMs: 50 });

    const { events } = await client.events.list({ transactionId });
    expect(events.map(({ type }) => type)).toEqual(['transaction.completed', 'transaction.processing']);
    const [{ id }] = events as unknown as [{ id: string }];
    const failed = await eventually(
      () => client.events.get(id),
      ({ deliveries }) => (deliveries[0]?.attempts.length ?? 0) > 0,
      SLOW_MS,
    );
    expect(failed.deliveries).toMatchObject([
      { endpointId, attempts: expect.arrayContaining([expect.objectContaining({ statusCode: 503 })]) },
    ]);

    receiver.answerWith({ status: 204 });
    const delivered = async () =>
      (await Promise.all(events.map((event) => client.events.get(event.id)))).map(
        ({ deliveries }) => deliveries[0]?.status,
      );
    await eventually(delivered, (all) => all.every((status) => status === 'DELIVERED'), SLOW_MS);
    const before = of(id, receiver.received).length;
    expect(await client.events.replay(id)).toEqual({ id, endpointIds: [endpointId] });
    await eventually(
      async () => of(id, receiver.received).length,
      (count) => count > before,
      SLOW_MS,
    );

    await eventually(delivered, (all) => all.every((status) => status === 'DELIVERED'), SLOW_MS);
    const to = new Date(Date.now() + 60_000).toISOString();
    const range = await client.events.replayRange({ from, to, endpointId });
    expect(range.deliveries).toBe(events.length);
    expect(await client.events.replayRange({ from, to, endpointId, missedOnly: true })).toMatchObject({
      deliveries: 0,
    });
    await eventually(
      async () => of(id, receiver.received).length,
      (count) => count > before + 1,
      SLOW_MS,
    );

    for (const message of receiver.received) {
      const { type, data } = verified(secret, message);
      expect(events.find((event) => event.id === message.id)).toMatchObject({ type, data });
    }
    const other = await newPartner();
    await expect(other.client.events.get(id)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
    await expect(other.client.events.replay(id)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' });
  });
});
