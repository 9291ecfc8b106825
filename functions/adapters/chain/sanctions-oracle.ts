import { Unavailable } from '../../domain/errors.ts';
import type { OracleFinding } from '../../domain/screening/wallet-risk.ts';
import type { Chain } from './chain.ts';
import { flag, type Node, RpcError, readHead, toHex, word } from './rpc.ts';

/** The selector of the oracle's function `isSanctioned(address)`. */
const IS_SANCTIONED = '0xdf592f7d';

/**
 * Asks the sanctions oracle about an address, at a named block, so that the evidence can be checked later. A missing
 * contract, a revert or a strange answer is `Unavailable`, and never counts as a pass (docs/settlement.md, "What nodes
 * do").
 */
export async function askOracle(
  rpc: Node,
  chain: Chain,
  { address, head = readHead(rpc) }: { address: string; head?: Promise<bigint> },
): Promise<OracleFinding> {
  const oracle = chain.sanctionsOracle;
  const data = `${IS_SANCTIONED}${address.slice(2).toLowerCase().padStart(64, '0')}`;
  try {
    const block = await head;
    const answer = await rpc.call('eth_call', [{ to: oracle, data }, toHex(block)]);
    return { address: oracle, blockNumber: Number(block), isSanctioned: flag(word(answer)) };
  } catch (error) {
    if (error instanceof RpcError) throw new Unavailable('sanctions oracle');
    throw error;
  }
}
