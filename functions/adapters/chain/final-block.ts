/** Reads the final blocks of a node. */
import { Unavailable } from '../../domain/errors.ts';
import type { Chain } from './chain.ts';
import { type Node, quantity, toHex } from './rpc.ts';

/** The number of the latest final block. */
export async function readFinal(node: Node, { finality }: Chain): Promise<number> {
  if (finality === 'finalized') return Number(quantity((await readBlock(node, 'finalized')).number));
  const head = Number(quantity(await node.call('eth_blockNumber', [])));
  return Math.max(0, head - finality + 1);
}

async function readBlock(node: Node, tag: string): Promise<{ number: unknown; timestamp: unknown }> {
  const block = await node.call('eth_getBlockByNumber', [tag, false]);
  if (typeof block !== 'object' || block === null) throw new Unavailable('chain RPC');
  return block as { number: unknown; timestamp: unknown };
}

const MS_PER_SECOND = 1000;

export const readInstant = async (node: Node, number: number) =>
  Number(quantity((await readBlock(node, toHex(number))).timestamp)) * MS_PER_SECOND;
