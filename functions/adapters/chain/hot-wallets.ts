import { loadPerAsset, perAsset } from '../../domain/assets.ts';
import { Unavailable } from '../../domain/errors.ts';
import { getAt } from '../../domain/get.ts';
import { smallerOf } from '../../domain/money.ts';
import { canPay } from '../../domain/treasury/hot-wallet.ts';
import type { WalletUnits } from '../../domain/treasury/liquidity.ts';
import type { HotWallets } from '../../domain/treasury/liquidity-ports.ts';
import type { Book } from '../dynamodb/settlement-book.ts';
import type { Chain } from './chain.ts';
import { readBalance } from './erc20.ts';
import type { Signer } from './kms-signer.ts';
import { readNonce } from './preflight.ts';
import { type Node, quantity, type Rpc, toHex } from './rpc.ts';
import { listAddresses } from './signers.ts';

type Ports = { rpc: Rpc; chain: Chain; signers: readonly Signer[]; book: Pick<Book, 'findWallets'> };
/** `latest` is the number of the wallet's transactions in the chain. */
type SeenWallet = WalletUnits & { latest: number };
type SeenByNode<Each = SeenWallet> = { block: number; wallets: readonly Each[] };

/**
 * Reads the balances of the wallets that can pay. `wallets` leaves out wallets in quarantine, and wallets
 * whose key another party uses. `addresses` has those wallets too. All figures from one node are of the same
 * block, so that they agree.
 */
export function hotWallets({ rpc, chain, signers, book }: Ports): HotWallets {
  async function readWallet(node: Node, address: string, at: string): Promise<SeenWallet> {
    const [gas, latest, units] = await Promise.all([
      node.call('eth_getBalance', [address, at]),
      readNonce(node, address, at),
      loadPerAsset((asset) => readBalance(node, chain.tokens[asset], address, at)),
    ]);
    return { gasWei: quantity(gas), latest, units };
  }

  async function readNode(node: Node, addresses: readonly string[]): Promise<SeenByNode> {
    const block = quantity(await node.call('eth_blockNumber', []));
    const wallets = addresses.map((address) => readWallet(node, address, toHex(block)));
    return { block: Number(block), wallets: await Promise.all(wallets) };
  }

  return {
    async readHoldings() {
      const addresses = await listAddresses(signers);
      const asked = (await rpc.nodes()).map((node) => readNode(node, addresses));
      const seen = (await Promise.allSettled(asked))
        .filter((answer) => answer.status === 'fulfilled')
        .map(({ value }) => value);
      const [first, ...others] = seen;
      if (!first) throw new Unavailable('chain RPC');
      const { block, wallets } = others.reduce<SeenByNode<WalletUnits>>(leastOf, first);
      // The rows are read after the chain. Then they already have each of our nonces that the chain shows as used.
      const rows = await book.findWallets(addresses);
      const isPaying = (_: WalletUnits, index: number) => {
        const address = getAt(addresses, index);
        const latest = agreedOn(seen.map((node) => getAt(node.wallets, index).latest));
        return canPay({ address, next: latest, ...rows.get(address), latest });
      };
      return { block, wallets: wallets.filter(isPaying), addresses };
    },
  };
}

/**
 * The highest number of transactions that at least two nodes report, or the number of the only node that
 * answers. A single node that reports too many must not take a wallet out of use. With only one wallet, that
 * would stop all sales.
 */
function agreedOn(counts: readonly number[]): number {
  const [most = 0, next = most] = [...counts].sort((one, other) => other - one);
  return next;
}

/**
 * Takes the lower figure of two nodes for each wallet, so that no node can make the service sell too much. Both
 * arguments list the same wallets in the same order.
 */
function leastOf(one: SeenByNode<WalletUnits>, other: SeenByNode<WalletUnits>): SeenByNode<WalletUnits> {
  const wallets = one.wallets.map((wallet, index) => poorerOf(wallet, getAt(other.wallets, index)));
  return { block: smallerOf(one.block, other.block), wallets };
}

function poorerOf(one: WalletUnits, other: WalletUnits): WalletUnits {
  return {
    gasWei: smallerOf(one.gasWei, other.gasWei),
    units: perAsset((asset) => smallerOf(one.units[asset], other.units[asset])),
  };
}
