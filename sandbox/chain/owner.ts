import { rpc, waitForReceipt } from './rpc.ts';

/** anvil's first well-known account: unlocked there, owner of all that we deploy, worthless anywhere else. */
export const DEPLOYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

type Act = Record<string, string>;

const lastActs = new Map<string, Promise<void>>();

/**
 * Has the owner's transaction mined; throws where it reverted. One at a time on each node: of two sent at the same
 * moment the node gives both one nonce, or estimates the gas of one as if the other were not there.
 */
export function actAsOwner(rpcUrl: string, act: Act): Promise<void> {
  const before = lastActs.get(rpcUrl)?.catch(() => {});
  const done = (before ?? Promise.resolve()).then(async () =>
    confirm(rpcUrl, await sendAsOwner(rpcUrl, act)),
  );
  lastActs.set(rpcUrl, done);
  return done;
}

/** Hands a transaction of the owner to the node, which signs it; answers its hash. */
export function sendAsOwner(rpcUrl: string, act: Act): Promise<string> {
  return rpc<string>(rpcUrl, 'eth_sendTransaction', [{ from: DEPLOYER, ...act }]);
}

/** Returns once it is mined; throws where it reverted. */
export async function confirm(rpcUrl: string, hash: string): Promise<void> {
  // A block at once: setting a chain up need not wait for the next tick.
  await rpc(rpcUrl, 'evm_mine');
  const { status } = await waitForReceipt(rpcUrl, hash);
  if (status !== '0x1') throw new Error(`transaction ${hash} reverted`);
}
