import { ASSET_NAMES } from '../../domain/assets.ts';
import { Unavailable } from '../../domain/errors.ts';
import { getFirst } from '../../domain/get.ts';
import type { Outflows, TransferOut } from '../../domain/treasury/outflow-ports.ts';
import type { Book } from '../dynamodb/settlement-book.ts';
import { type Chain, isSameAddress } from './chain.ts';
import { readCoins } from './coins.ts';
import { type ChainLog, decodeTransfer, TRANSFER_TOPIC } from './erc20.ts';
import { readFinal, readInstant } from './final-block.ts';
import type { Signer } from './kms-signer.ts';
import { type Node, quantity, type Rpc, toHex } from './rpc.ts';

type OutflowPorts = {
  rpc: Rpc;
  signers: readonly Signer[];
  chain: Chain;
  book: Pick<Book, 'findOwner' | 'findGasPosting'>;
};

/** The number of blocks in one call of `eth_getLogs`. Public nodes refuse more than a few thousand. */
const BLOCKS_AT_ONCE = 1000;

type SeenTransfer = Omit<TransferOut, 'nodes' | 'asked'>;

export function outflows({ rpc, signers, chain, book }: OutflowPorts): Outflows {
  /** Lists the addresses of all wallets. It fails if one key does not answer, because no wallet may go unwatched. */
  const listWallets = () => Promise.all(signers.map((signer) => signer.address()));

  /** Merges the answers of all nodes. A transfer counts if any node shows it, with the number of nodes that do. */
  async function merged(
    see: (node: Node, wallets: string[]) => Promise<SeenTransfer[]>,
  ): Promise<TransferOut[]> {
    const [nodes, wallets] = await Promise.all([requireNodes(rpc, chain), listWallets()]);
    const views = await Promise.all(nodes.map((node) => see(node, wallets)));
    const versions = Map.groupBy(views.flat(), ({ txHash, logIndex, to, units, nonce }) =>
      [txHash, logIndex, to, units, nonce].join(),
    );
    return [...versions.values()].map((shown) => ({
      ...getFirst(shown),
      nodes: shown.length,
      asked: nodes.length,
    }));
  }

  return {
    findOwner: book.findOwner,
    findGasPosting: book.findGasPosting,
    async listTransfers(from, to) {
      const nodes = await requireNodes(rpc, chain);
      const finals = await Promise.all(nodes.map((node) => readFinal(node, chain)));
      const final = Math.min(...finals);
      const node = getFirst(nodes);
      const upTo = await readInstant(node, final);
      const [first, after] = [await firstSince(node, from, final), await firstSince(node, to + 1, final)];
      const transfers = await merged((each, wallets) =>
        readTransfers(each, chain, wallets, { first, last: after - 1 }),
      );
      return { transfers, upTo };
    },
    listCoins: async () => readCoins(await requireNodes(rpc, chain), chain, await listWallets()),
    findTransfers: (txHash) =>
      merged(async (node, wallets) => {
        const receipt = await node.call('eth_getTransactionReceipt', [txHash]);
        if (receipt === null) return [];
        return toSeen(node, chain, wallets, logsOf((receipt as { logs?: unknown }).logs));
      }),
  };
}

async function requireNodes(rpc: Rpc, { minimumNodes = 1 }: Chain): Promise<Node[]> {
  const nodes = await rpc.nodes();
  if (nodes.length < minimumNodes) throw new Unavailable('chain RPC');
  return nodes;
}

/**
 * Finds the first block at or after the instant, by bisection. If no block up to `final` is that late, it answers the
 * block after `final`.
 */
async function firstSince(node: Node, instant: number, final: number): Promise<number> {
  let [low, high] = [0, final + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await readInstant(node, middle)) >= instant) high = middle;
    else low = middle + 1;
  }
  return low;
}

type Blocks = { first: number; last: number };

async function readTransfers(
  node: Node,
  chain: Chain,
  wallets: string[],
  { first, last }: Blocks,
): Promise<SeenTransfer[]> {
  const found: SeenTransfer[] = [];
  for (let from = first; from <= last; from += BLOCKS_AT_ONCE) {
    const filter = {
      fromBlock: toHex(from),
      toBlock: toHex(Math.min(from + BLOCKS_AT_ONCE - 1, last)),
      address: ASSET_NAMES.map((asset) => chain.tokens[asset].address),
      topics: [TRANSFER_TOPIC, wallets.map(topicOf)],
    };
    const logs = logsOf(await node.call('eth_getLogs', [filter]));
    found.push(...(await toSeen(node, chain, wallets, logs)));
  }
  return found;
}

const topicOf = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;

type WireLog = ChainLog & { transactionHash: string; logIndex: unknown; blockNumber: unknown };

function logsOf(logs: unknown): WireLog[] {
  const isLog = (log: unknown) => typeof (log as WireLog | null)?.transactionHash === 'string';
  if (!Array.isArray(logs) || !logs.every(isLog)) throw new Unavailable('chain RPC');
  return logs as WireLog[];
}

/**
 * Keeps only transfers of our assets out of our wallets, because a node's own filter cannot be trusted. It drops
 * transfers of zero units: anybody can make a token log those for any wallet, since `transferFrom` of zero needs no
 * allowance.
 */
async function toSeen(node: Node, chain: Chain, wallets: string[], logs: WireLog[]): Promise<SeenTransfer[]> {
  const found: SeenTransfer[] = [];
  for (const log of logs) {
    const transfer = decodeTransfer(log);
    const wallet = wallets.find((each) => transfer && isSameAddress(each, transfer.from));
    const asset = ASSET_NAMES.find((each) => isSameAddress(chain.tokens[each].address, log.address));
    if (!transfer?.units || !wallet || !asset) continue;
    const txHash = log.transactionHash.toLowerCase();
    found.push({
      txHash,
      logIndex: Number(quantity(log.logIndex)),
      wallet,
      asset,
      units: transfer.units,
      to: transfer.to,
      blockNumber: Number(quantity(log.blockNumber)),
      nonce: await nonceOf(node, txHash, wallet),
    });
  }
  return found;
}

async function nonceOf(node: Node, txHash: string, wallet: string): Promise<number | undefined> {
  const sent = (await node.call('eth_getTransactionByHash', [txHash])) as {
    from?: unknown;
    nonce?: unknown;
  } | null;
  // A node that shows the log without its transaction cannot be trusted.
  if (!sent) throw new Unavailable('chain RPC');
  return isSameAddress(String(sent.from), wallet) ? Number(quantity(sent.nonce)) : undefined;
}
