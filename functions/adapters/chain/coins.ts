import { ASSET_NAMES } from '../../domain/assets.ts';
import { Unavailable } from '../../domain/errors.ts';
import { getDefined, getFirst } from '../../domain/get.ts';
import type { WalletCoins } from '../../domain/treasury/outflow-ports.ts';
import type { Chain } from './chain.ts';
import { readBalance } from './erc20.ts';
import { readFinal, readInstant } from './final-block.ts';
import { readNonce } from './preflight.ts';
import { type Node, quantity, toHex } from './rpc.ts';

/**
 * Reads the coins of all wallets at one final block. Throws `Unavailable` if two nodes differ, because the books post
 * the amounts that are read here. A full node still has the state of a final block: it keeps that of the last 128
 * blocks.
 */
export async function readCoins(
  nodes: readonly Node[],
  chain: Chain,
  wallets: readonly string[],
): Promise<WalletCoins[]> {
  const block = Math.min(...(await Promise.all(nodes.map((node) => readFinal(node, chain)))));
  const at = await readInstant(getFirst(nodes), block);
  const reading = { chain, block: toHex(block) };
  const found = wallets.map(async (wallet) => {
    const seen = await Promise.all(nodes.map((node) => readWallet(node, wallet, reading)));
    const { nonce, amounts } = getFirst(seen);
    if (seen.some((each) => !isSameCoins(each, { nonce, amounts }))) throw new Unavailable('chain RPC');
    return COINS.map((coin, place) => {
      const amount = getDefined(amounts[place], `amount of ${coin}`);
      return { chainId: chain.chainId, wallet, coin, block, at, amount, nonce };
    });
  });
  return (await Promise.all(found)).flat();
}

const COINS = ['NATIVE', ...ASSET_NAMES] as const;

type InWallet = { nonce: number; amounts: bigint[] };

const isSameCoins = (one: InWallet, other: InWallet) =>
  one.nonce === other.nonce && one.amounts.every((amount, place) => amount === other.amounts[place]);

async function readWallet(
  node: Node,
  wallet: string,
  { chain, block }: { chain: Chain; block: string },
): Promise<InWallet> {
  const [nonce, native, ...tokens] = await Promise.all([
    readNonce(node, wallet, block),
    node.call('eth_getBalance', [wallet, block]).then(quantity),
    ...ASSET_NAMES.map((asset) => readBalance(node, chain.tokens[asset], wallet, block)),
  ]);
  return { nonce, amounts: [native, ...tokens] };
}
