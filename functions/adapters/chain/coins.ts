import { Unavailable } from '../../domain/errors.ts';
import { getFirst } from '../../domain/get.ts';
import type { WalletCoins } from '../../domain/treasury/outflow-ports.ts';
import type { Chain } from './chain.ts';
import { readFinal, readInstant } from './final-block.ts';
import { readNonce } from './preflight.ts';
import { type Node, quantity, toHex } from './rpc.ts';

/**
 * Reads all wallets at one block. No node may differ from another: the books post what they are told here. A full
 * node keeps the state of the last 128 blocks, which a final block is among.
 */
export async function readCoins(
  nodes: readonly Node[],
  chain: Chain,
  wallets: readonly string[],
): Promise<WalletCoins[]> {
  const block = Math.min(...(await Promise.all(nodes.map((node) => readFinal(node, chain)))));
  const at = await readInstant(getFirst(nodes), block);
  return Promise.all(
    wallets.map(async (wallet) => {
      const seen = await Promise.all(nodes.map((node) => readWallet(node, wallet, toHex(block))));
      const { wei, nonce } = getFirst(seen);
      if (seen.some((each) => each.wei !== wei || each.nonce !== nonce)) throw new Unavailable('chain RPC');
      return { chainId: chain.chainId, wallet, block, at, wei, nonce };
    }),
  );
}

async function readWallet(node: Node, wallet: string, block: string) {
  const [balance, nonce] = await Promise.all([
    node.call('eth_getBalance', [wallet, block]),
    readNonce(node, wallet, block),
  ]);
  return { wei: quantity(balance), nonce };
}
