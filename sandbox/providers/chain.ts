import { type Context, Hono } from 'hono';
import type { Chain } from '../chain/evm/head.ts';
import { type Asked, answer } from '../chain/evm/methods.ts';
import type { Trap } from '../chain/traps.ts';
import type { World } from './world.ts';

/**
 * The chain on which scenarios act, and the addresses of the token contracts, by asset. Without `rpcUrl` it
 * is the chain inside the simulators.
 */
type KnownChain = { rpcUrl?: string; tokens: Record<string, string> };

/**
 * The destination of the tokens that a purchase buys. The payer's bank does not know it, and so the sandbox's
 * endpoint tells it to the simulators together with the payment.
 */
export type Destination = { asset: string; walletAddress: string; units: string };

const KEY = 'chain';
/** The calls of a longer JSON-RPC batch are answered only up to this number, as by some public nodes. */
const MOST_IN_A_BATCH = 20;

function chainOf({ store, now, settings }: World): Chain {
  return { store, now: () => now().getTime(), blockMs: settings.blockMs };
}

/**
 * The chain inside the simulators, over JSON-RPC. The address with the control key in its path also offers
 * the methods for the sandbox's tools.
 */
export function chainNode(world: World): Hono {
  const app = new Hono();
  const reply = async (c: Context, isOwner: boolean): Promise<Response> => {
    const asked = (await c.req.json().catch(() => ({}))) as Asked | Asked[];
    const chain = chainOf(world);
    if (!Array.isArray(asked)) return c.json(await answer(chain, asked, isOwner));
    const answers = [];
    for (const each of asked.slice(0, MOST_IN_A_BATCH)) answers.push(await answer(chain, each, isOwner));
    return c.json(answers);
  };
  app.post('/', (c) => reply(c, false));
  app.post('/:controlKey', async (c) => {
    const { controlKey } = world.settings;
    const isOwner = controlKey === undefined || c.req.param('controlKey') === controlKey;
    return isOwner ? reply(c, true) : c.json({ error: 'the control key is wrong' }, 403);
  });
  return app;
}

/** Stores the chain on which scenarios act. The seed calls this: docs/operations.md, "Deploying". */
export function chainControl(world: World): Hono {
  const app = new Hono();
  app.put('/', async (c: Context) => {
    const { rpcUrl, tokens } = (await c.req.json()) as KnownChain;
    await world.store.put(KEY, { rpcUrl, tokens });
    return c.json({ rpcUrl, tokens });
  });
  return app;
}

/**
 * Makes the first `reverts` transactions with the transfer to this destination revert. The trap must be set
 * before the payment is visible. Returns a note if the chain or the destination is unknown, and undefined
 * otherwise.
 */
export async function trapSettlement(
  world: World,
  reverts: number,
  destination: Destination | undefined,
): Promise<string | undefined> {
  const chain = (await world.store.get<KnownChain>(KEY))?.value;
  const token = chain?.tokens[destination?.asset ?? ''];
  if (!chain || !token || !destination) {
    const note =
      'the scenario acts on nothing: the simulators know no chain, or no destination of the purchase';
    console.warn(note);
    return note;
  }
  const { walletAddress: to, units } = destination;
  await trap(world, chain.rpcUrl, { token, to, units: BigInt(units), reverts });
  return undefined;
}

/**
 * Sets the trap. On a chain with a `rpcUrl` it waits until the trap is mined. The simulators' own chain mines
 * in the order of arrival, and so the trap is mined before the transfer without a wait.
 */
async function trap(world: World, rpcUrl: string | undefined, wanted: Trap): Promise<void> {
  // The chain's library is loaded only here, because it slows the start and only a payment whose transfer
  // must revert needs it.
  const { setTrap, trapCall } = await import('../chain/traps.ts');
  if (rpcUrl !== undefined) return setTrap(rpcUrl, wanted);
  const { sendAsOwner } = await import('../chain/evm/send.ts');
  await sendAsOwner(chainOf(world), trapCall(wanted));
}
