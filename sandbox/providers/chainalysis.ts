import { type Context, Hono } from 'hono';
import type { World } from './world.ts';

// Source: Chainalysis, "Entity Risking API": GET /v2/entities/{address}, the header Token, and the fields of
// the answer. The error bodies are not documented. Here they have a `message`, which Chainalysis's own
// clients expect.
type Risk = 'Low' | 'Medium' | 'High' | 'Severe';
/**
 * The answer of Chainalysis about one wallet. With `status` the call fails with that HTTP status, and the
 * answer has no risk.
 */
type Judgement = { risk?: Risk; riskReason?: string; status?: 429 | 500 | 503 };

/** A wallet with severe risk that no sanctions list contains. */
export const RISKY_WALLET = '0xAbe9586ED76B5E5055400Ce092025b325A8B3929';

const JUDGEMENTS: Record<string, Judgement> = {
  [RISKY_WALLET.toLowerCase()]: { risk: 'Severe', riskReason: 'Identified as Stolen Funds' },
};
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const keyOf = (address: string) => `chainalysis/address/${address.toLowerCase()}`;

export function chainalysis(world: World): Hono {
  const app = new Hono();
  app.get('/v2/entities/:address', async (c) => {
    const address = c.req.param('address');
    if (c.req.header('token') !== world.settings.chainalysis.token) return failure(c, 403, 'Forbidden');
    if (!ADDRESS.test(address)) return failure(c, 400, 'Invalid address');
    const judgement = await judgementOf(address, world);
    if (judgement.status) return failure(c, judgement.status, 'Service unavailable');
    return c.json(entityOf(address, judgement));
  });
  return app;
}

export function chainalysisControl(world: World): Hono {
  const app = new Hono();
  /** Sets the answer about one wallet: `{risk?, riskReason?, status?}`. */
  app.put('/addresses/:address', async (c) => {
    const judgement = (await c.req.json()) as Judgement;
    await world.store.put(keyOf(c.req.param('address')), judgement);
    return c.json(judgement);
  });
  return app;
}

async function judgementOf(address: string, { store }: World): Promise<Judgement> {
  return (await store.get<Judgement>(keyOf(address)))?.value ?? JUDGEMENTS[address.toLowerCase()] ?? {};
}

const entityOf = (address: string, { risk = 'Low', riskReason }: Judgement) => ({
  address,
  risk,
  riskReason: riskReason ?? null,
  addressType: 'PRIVATE_WALLET',
  cluster: null,
  addressIdentifications: [],
  exposures: [],
  triggers: [],
  status: 'COMPLETE',
});

const failure = (c: Context, status: 400 | 403 | 429 | 500 | 503, message: string): Response =>
  c.json({ message }, status);
