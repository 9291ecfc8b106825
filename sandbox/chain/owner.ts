import { rpc, waitForReceipt } from './rpc.ts';

export const CHAIN_ID = 31337;

/**
 * anvil's first well-known account, which owns all test contracts. anvil signs for it. It has no value on any
 * other chain.
 */
export const DEPLOYER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
/** The private key of `DEPLOYER`. Everybody knows it, because anvil prints it at every start. */
export const DEPLOYER_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

/**
 * The gas limit of each transaction of the owner. The deployment of a contract needs about a third of it.
 * The node's own estimate is sometimes too low if a block is mined meanwhile. The transaction then reverts.
 */
export const OWNER_GAS = 3_000_000n;

type Act = Record<string, string>;

const lastActs = new Map<string, Promise<void>>();

/**
 * Sends a transaction of the contracts' owner and waits until it is mined. Throws if it reverted. The owner's
 * transactions on one node run one after another, because two at once could get one nonce.
 */
export function actAsOwner(rpcUrl: string, act: Act): Promise<void> {
  const before = lastActs.get(rpcUrl)?.catch(() => {});
  const done = (before ?? Promise.resolve()).then(async () =>
    confirm(rpcUrl, await sendAsOwner(rpcUrl, act)),
  );
  lastActs.set(rpcUrl, done);
  return done;
}

/** Sends a transaction of the contracts' owner, which the node signs. Returns its hash. */
export function sendAsOwner(rpcUrl: string, act: Act): Promise<string> {
  const gas = `0x${OWNER_GAS.toString(16)}`;
  return rpc<string>(rpcUrl, 'eth_sendTransaction', [{ from: DEPLOYER, gas, ...act }]);
}

/** Resolves once the transaction is mined. Throws if it reverted. */
export async function confirm(rpcUrl: string, hash: string): Promise<void> {
  // Asks for a block at once, so that the setup of a chain need not wait for the next one.
  await rpc(rpcUrl, 'evm_mine');
  const { status } = await waitForReceipt(rpcUrl, hash);
  if (status !== '0x1') throw new Error(`transaction ${hash} reverted`);
}
