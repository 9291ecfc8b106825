import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { Webhook } from 'standardwebhooks';
import { change } from './store.ts';
import type { World } from './world.ts';

/** One webhook delivery that the receiver got. A delivery that is repeated has an entry for each time. */
export type Delivery = {
  id: string | null;
  type: string | null;
  timestamp: string | null;
  verified: boolean;
  body: unknown;
  receivedAt: string;
  answered: number;
};
type Mode = { status: number; delayMs: number };

const MAX_DELAY_MS = 25_000;
const secretKey = (partnerId: string) => `webhook-secret/${partnerId}`;
const modeKey = (partnerId: string) => `webhook-mode/${partnerId}`;
const deliveriesOf = (partnerId: string) => `webhook-delivery/${partnerId}`;

/**
 * A simulated webhook endpoint of a partner. As the Standard Webhooks specification says, it verifies the
 * signature, stores the delivery and answers.
 */
export function webhookReceiver(world: World): Hono {
  const app = new Hono();
  app.post('/:partnerId', (c) => receive(c, world));
  return app;
}

export function webhookControl(world: World): Hono {
  const app = new Hono();
  app.get('/:partnerId', async (c) => {
    const found = await world.store.list<Delivery>(deliveriesOf(c.req.param('partnerId')));
    return c.json({ deliveries: found.map(({ value }) => value) });
  });
  app.put('/:partnerId/secret', async (c) => {
    const { secret } = (await c.req.json()) as { secret: string };
    await world.store.put(secretKey(c.req.param('partnerId')), { secret });
    return c.body(null, 204);
  });
  app.post('/:partnerId/mode', async (c) => {
    const { status = 204, delayMs = 0 } = (await c.req.json()) as Partial<Mode>;
    const mode = { status, delayMs: Math.min(delayMs, MAX_DELAY_MS) };
    await world.store.put(modeKey(c.req.param('partnerId')), mode);
    return c.json(mode);
  });
  return app;
}

/** Ends a test's change of the answers of the partner's endpoint. */
export async function clearMode(partnerId: string, { store }: World): Promise<void> {
  await change<Mode | null>(store, modeKey(partnerId), (now) => (now ? null : undefined));
}

async function receive(c: Context, world: World): Promise<Response> {
  const partnerId = c.req.param('partnerId') ?? '';
  const raw = await c.req.text();
  const verified = isSigned(raw, c, await secretOf(partnerId, world));
  const mode = (await world.store.get<Mode | null>(modeKey(partnerId)))?.value;
  const answered = mode?.status ?? (verified ? 204 : 401);
  await keep(partnerId, { ...describe(raw, c), verified, answered }, world);
  if (mode && mode.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, mode.delayMs));
  // A redirect needs a target. A correct sender of webhooks does not follow it.
  const headers = answered >= 300 && answered < 400 ? { location: '/webhook-receiver/elsewhere' } : undefined;
  return new Response(null, { status: answered, headers });
}

function describe(raw: string, c: Context): Pick<Delivery, 'id' | 'type' | 'timestamp' | 'body'> {
  const body = parse(raw);
  const field = (name: string) => {
    const value = (body as Record<string, unknown> | null)?.[name];
    return typeof value === 'string' ? value : null;
  };
  const id = c.req.header('webhook-id') ?? null;
  return { id, type: field('type'), timestamp: field('timestamp'), body };
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}

async function keep(partnerId: string, seen: Omit<Delivery, 'receivedAt'>, world: World): Promise<void> {
  const receivedAt = world.now().toISOString();
  const key = `${deliveriesOf(partnerId)}/${receivedAt}-${randomUUID()}`;
  await world.store.put(key, { ...seen, receivedAt }, 0);
}

async function secretOf(partnerId: string, world: World): Promise<string | undefined> {
  const stored = (await world.store.get<{ secret: string }>(secretKey(partnerId)))?.value.secret;
  return stored ?? world.settings.webhookSecret;
}

function isSigned(raw: string, c: Context, secret: string | undefined): boolean {
  if (secret === undefined) return false;
  try {
    new Webhook(secret).verify(raw, c.req.header(), { jsonParse: false });
    return true;
  } catch {
    return false;
  }
}
