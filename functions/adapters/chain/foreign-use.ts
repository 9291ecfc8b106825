import type { Owned } from '../../domain/treasury/settlement.ts';
import type { Chain } from './chain.ts';
import { readNonce } from './preflight.ts';
import { asSilence, type Node, quantity, type Rpc, toHex } from './rpc.ts';

/**
 * True if a party outside the service has certainly used the settlement's nonce (docs/settlement.md, step 7).
 * At least `minimumNodes` nodes must be configured. At the final block of every node, the wallet's number of
 * transactions must be higher than the nonce. No node may know a transaction of ours at that nonce. False if
 * a node lags or does not answer.
 */
export async function isUsedByOthers(rpc: Rpc, chain: Chain, settlement: Owned): Promise<boolean> {
  const nodes = await rpc.nodes();
  if (nodes.length < (chain.minimumNodes ?? 1)) return false;
  const shown = await Promise.all(nodes.map((node) => shows(node, chain, settlement).catch(asSilence)));
  return shown.every((each) => each === true);
}

async function shows(node: Node, chain: Chain, { wallet, nonce, attempts }: Owned): Promise<boolean> {
  const final = await finalBlock(node, chain);
  if (final === undefined) return false;
  if ((await readNonce(node, wallet, final)) <= nonce) return false;
  const ours = await Promise.all(attempts.map(({ hash }) => isKnownToNode(node, hash)));
  return !ours.includes(true);
}

/**
 * How many transactions of the wallet are in final blocks. The lowest count of all nodes is taken. It throws if one
 * node does not answer.
 */
export async function settledNonce(rpc: Rpc, chain: Chain, wallet: string): Promise<number> {
  const counts = (await rpc.nodes()).map(async (node) => {
    const final = await finalBlock(node, chain);
    return final === undefined ? 0 : readNonce(node, wallet, final);
  });
  return Math.min(...(await Promise.all(counts)));
}

export async function finalBlock(node: Node, chain: Chain): Promise<string | undefined> {
  if (chain.finality === 'finalized') return chain.finality;
  const head = quantity(await node.call('eth_blockNumber', []));
  const block = head - BigInt(chain.finality) + 1n;
  return block < 0n ? undefined : toHex(block);
}

/**
 * Whether the node knows the transaction. It asks for the receipt and for the transaction, because a node may
 * have lost one of the two.
 */
async function isKnownToNode(node: Node, hash: string): Promise<boolean> {
  const answers = await Promise.all([
    node.call('eth_getTransactionReceipt', [hash]),
    node.call('eth_getTransactionByHash', [hash]),
  ]);
  return answers.some((answer) => answer !== null);
}
