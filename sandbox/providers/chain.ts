import { type Context, Hono } from 'hono';
import { findScenario } from './scenarios.ts';
import type { World } from './world.ts';

/** The local chain, as far as a scenario acts on it; `tokens` are contracts' addresses. */
type Chain = { rpcUrl: string; tokens: Record<string, string> };

/** Where a paid purchase sends its tokens: what the payer's bank does not know, so the sandbox tells it. */
export type Destination = { asset: string; walletAddress: string; units: string };

const KEY = 'chain';

/** Ports are chosen when a sandbox starts, so whoever seeds it tells where its chain is. A deployed one has none. */
export function chainControl(world: World): Hono {
  const app = new Hono();
  app.put('/', async (c: Context) => {
    const { rpcUrl, tokens } = (await c.req.json()) as Chain;
    await world.store.put(KEY, { rpcUrl, tokens });
    return c.json({ rpcUrl, tokens });
  });
  return app;
}

/**
 * Makes the transfer of a purchase revert as often as its client's scenario says, before the payment is known to
 * anybody. Answers what there is to say where a scenario should act and cannot.
 */
export async function trapSettlement(
  world: World,
  debtorCpf: string | undefined,
  destination: Destination | undefined,
): Promise<string | undefined> {
  const reverts = debtorCpf === undefined ? undefined : findScenario(debtorCpf)?.revertedTransfers;
  if (reverts === undefined) return undefined;
  const chain = (await world.store.get<Chain>(KEY))?.value;
  const token = chain?.tokens[destination?.asset ?? ''];
  if (!chain || !token || !destination) {
    const note =
      'the scenario acts on nothing: the simulators know no chain, or no destination of the purchase';
    console.warn(note);
    return note;
  }
  // Only these two scenarios need it: everything else starts without a library for the chain.
  const { setTrap } = await import('../chain/traps.ts');
  const { walletAddress: to, units } = destination;
  await setTrap(chain.rpcUrl, { token, to, units: BigInt(units), reverts });
  return undefined;
}
