import { type Context, Hono } from 'hono';
import { change } from '../store.ts';
import type { World } from '../world.ts';
import { type CallbackResult, sendCallback } from './callback.ts';
import { takeBack } from './med.ts';
import { notifyAll, pay, payUnmatched } from './pay.ts';
import { isSettled, type PixRecord, pixKey, settledPix } from './received-pix.ts';
import { readSwitches, type Switches, setSwitches } from './switches.ts';

/** Controls of the PSP for the sandbox's own tools, under /control/psp. The service never calls them. */
export function pspControl(world: World): Hono {
  const app = new Hono();
  app.post('/pay/:txid', (c) => pay(c, world));
  app.post('/pix', (c) => payUnmatched(c, world));
  app.post('/med/:e2eid', (c) => takeBack(c, world));
  app.post('/callback', async (c) => {
    const result = await sendCallback(world, world.settings.psp.chave, await c.req.json());
    return result ? c.json(result) : refuse(c, 409, 'no webhook is registered');
  });
  app.get('/callbacks', async (c) => {
    const sent = await world.store.list<CallbackResult>('psp/callback');
    return c.json({ callbacks: sent.map(({ value }) => value) });
  });
  app.post('/tick', async (c) => c.json({ callbacks: await notifyEndedRefunds(world) }));
  app.post('/outage', async (c) => {
    const { calls } = (await c.req.json()) as { calls?: unknown };
    if (!Number.isInteger(calls) || Number(calls) < 0) return refuse(c, 400, 'calls must be a whole number');
    return c.json(await setSwitches(world, { outageCalls: Number(calls) }));
  });
  app.post('/tokens/revoke', async (c) =>
    c.json(await setSwitches(world, { tokensRevokedAt: world.now().getTime() })),
  );
  app.get('/switches', async (c) => c.json(await readSwitches(world)));
  app.post('/switches', async (c) =>
    c.json(await setSwitches(world, (await c.req.json()) as Partial<Switches>)),
  );
  return app;
}

/**
 * Sends the callbacks about refunds that have ended. A schedule or a test calls this, because the simulators
 * run only during a request.
 */
async function notifyEndedRefunds(world: World): Promise<CallbackResult[]> {
  const now = world.now();
  const isDue = (pix: PixRecord) => pix.refunds.some((one) => !one.notified && isSettled(one, now));
  const claimed: PixRecord[] = [];
  for (const { endToEndId } of (await settledPix(world)).filter(isDue)) {
    let mine = false;
    const pix = await change<PixRecord>(world.store, pixKey(endToEndId), (known) => {
      mine = known !== undefined && isDue(known);
      if (!known || !mine) return undefined;
      return { ...known, refunds: known.refunds.map((one) => ({ ...one, notified: isSettled(one, now) })) };
    });
    if (pix && mine) claimed.push(pix);
  }
  return notifyAll(world, claimed);
}

const refuse = (c: Context, status: 400 | 409, message: string) => c.json({ error: message }, status);
