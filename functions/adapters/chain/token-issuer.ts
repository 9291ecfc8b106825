import type { Asset } from '../../domain/assets.ts';
import { Unavailable } from '../../domain/errors.ts';
import type { IssuerFinding } from '../../domain/screening/wallet-risk.ts';
import type { Chain } from './chain.ts';
import { readBlocked } from './erc20.ts';
import { type Node, RpcError, toHex } from './rpc.ts';

/**
 * Asks whether the issuer of the asset blocks an address, at a named block, so that the evidence can be checked later.
 * Undefined if the token has no block list. A revert or a strange answer is `Unavailable`, and never counts as a pass.
 */
export async function askIssuer(
  node: Node,
  chain: Chain,
  { asset, address, head }: { asset: Asset; address: string; head: Promise<bigint> },
): Promise<IssuerFinding | undefined> {
  const token = chain.tokens[asset];
  if (token.blockList === 'none') return undefined;
  try {
    const block = await head;
    const isBlocked = await readBlocked(node, token, address, toHex(block));
    return { asset, token: token.address, blockNumber: Number(block), isBlocked };
  } catch (error) {
    if (error instanceof RpcError) throw new Unavailable(`the block list of ${asset}`);
    throw error;
  }
}
