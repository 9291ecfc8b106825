import { rpc, waitForReceipt } from './rpc.ts';

/** anvil's first well-known account: unlocked there, owner of all that we deploy, worthless anywhere else. */
export const DEPLOYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** Hands a transaction of the owner to the node, which signs it; answers its hash. */
export function sendAsOwner(rpcUrl: string, transaction: Record<string, string>): Promise<string> {
  return rpc<string>(rpcUrl, 'eth_sendTransaction', [{ from: DEPLOYER, ...transaction }]);
}

/** Returns once it is mined; throws where it reverted. */
export async function confirm(rpcUrl: string, hash: string): Promise<void> {
  // A block at once: setting a chain up need not wait for the next tick.
  await rpc(rpcUrl, 'evm_mine');
  const { status } = await waitForReceipt(rpcUrl, hash);
  if (status !== '0x1') throw new Error(`transaction ${hash} reverted`);
}
