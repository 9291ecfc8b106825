import type { Owned } from '../../domain/treasury/settlement.ts';
import type { Chain } from './chain.ts';
import { readNonce } from './preflight.ts';
import { asSilence, type Node, quantity, type Rpc, toHex } from './rpc.ts';

/**
 * Whether somebody else used the settlement's nonce, beyond doubt (docs/settlement.md, step 7): every configured node,
 * `minimumNodes` at least, counts past it at its own final block and has none of our transactions in any block. One
 * that is silent, lags or has anything of ours leaves it open.
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
  const ours = await Promise.all(attempts.map(({ hash }) => isKnown(node, hash)));
  return !ours.includes(true);
}

/** Transactions of the wallet in final blocks, as the least of all nodes counts them. */
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

/** In a block, or still with the node: asked twice, for a node may find by one name what it lost under the other. */
async function isKnown(node: Node, hash: string): Promise<boolean> {
  const answers = await Promise.all([
    node.call('eth_getTransactionReceipt', [hash]),
    node.call('eth_getTransactionByHash', [hash]),
  ]);
  return answers.some((answer) => answer !== null);
}
