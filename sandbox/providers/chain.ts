import { type Context, Hono } from 'hono';
import { findScenario } from './scenarios.ts';
import type { World } from './world.ts';

/** The local chain for scenarios that act on it. `tokens` are the contracts' addresses. */
type Chain = { rpcUrl: string; tokens: Record<string, string> };

/**
 * The destination of a paid purchase's stablecoin. The payer's bank does not know it, so the sandbox passes it on.
 */
export type Destination = { asset: string; walletAddress: string; units: string };

const KEY = 'chain';

/**
 * Ports are chosen when a sandbox starts, so its seed stores the chain's address. A deployed sandbox has no local
 * chain.
 */
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
 * Makes a purchase's transfer revert as often as its client's scenario says. The trap is set before anyone hears of
 * the payment. Answers a note where a scenario should act and cannot.
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
  // Loaded here because only these two scenarios need the chain's library, and it slows the start.
  const { setTrap } = await import('../chain/traps.ts');
  const { walletAddress: to, units } = destination;
  await setTrap(chain.rpcUrl, { token, to, units: BigInt(units), reverts });
  return undefined;
}
