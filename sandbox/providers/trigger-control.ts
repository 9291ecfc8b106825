import { type Context, Hono } from 'hono';
import { takeBackAll } from './psp/med.ts';
import { payLate } from './psp/pay.ts';
import { type Armed, armTrigger, clearTriggers, type TriggerName, takeTriggers } from './triggers.ts';
import { clearMode } from './webhook-receiver.ts';
import type { World } from './world.ts';

/** A request of a partner for an event. `isOver` is true if the purchase has ended without a payment. */
type Asked = Armed & { isOver?: boolean };

/**
 * Serves the requests of partners for events, under /control/triggers. The sandbox's endpoints have already
 * checked that the purchase or the client belongs to the partner.
 */
export function triggerControl(world: World): Hono {
  const app = new Hono();
  app.post('/', (c) => trigger(c, world));
  app.post('/take', async (c) => {
    const { subject, events } = (await c.req.json()) as { subject: string; events: TriggerName[] };
    return c.json({ taken: await takeTriggers(events, subject, world) });
  });
  app.post('/clear', async (c) => {
    const { partnerId } = (await c.req.json()) as { partnerId: string };
    const [cleared] = await Promise.all([clearTriggers(partnerId, world), clearMode(partnerId, world)]);
    return c.json({ cleared });
  });
  return app;
}

/**
 * Makes an event happen now, or lets it wait if it cannot happen yet. A late payment happens now only if the purchase
 * has ended unpaid. Answers 409 if the late payment then finds no charge, or the charge refuses it.
 */
async function trigger(c: Context, world: World): Promise<Response> {
  const { isOver = false, ...armed } = (await c.req.json()) as Asked;
  const { event, subject } = armed;
  if (event === 'LATE_PIX' && isOver) {
    const isPaid = await payLate(subject, world);
    return isPaid ? c.json({ waits: false }) : c.json({ error: 'no such charge' }, 409);
  }
  if (event === 'MED' && (await takeBackAll(subject, world))) return c.json({ waits: false });
  await armTrigger(armed, world);
  return c.json({ waits: true });
}
