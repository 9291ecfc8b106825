import { Unavailable } from '../../domain/errors.ts';
import type { WalletRisk } from '../../domain/ports.ts';
import { type Chain, reservedAddresses } from './chain.ts';
import { flag, type Node, quantity, RpcError, toHex, word } from './rpc.ts';

/** `isSanctioned(address)` of the oracle. */
const IS_SANCTIONED = '0xdf592f7d';

/**
 * The sanctions oracle, asked at a named block so that the evidence can be checked later. It fails closed: an
 * address without code, a revert or an odd answer is `Unavailable`, never a pass (docs/settlement.md, "What nodes do").
 */
export function walletRisk(rpc: Node, chain: Chain): WalletRisk {
  const oracle = chain.sanctionsOracle;

  return {
    listReserved: () => reservedAddresses(chain),
    async check(address) {
      const data = `${IS_SANCTIONED}${address.slice(2).toLowerCase().padStart(64, '0')}`;
      try {
        const block = quantity(await rpc.call('eth_blockNumber', []));
        const answer = await rpc.call('eth_call', [{ to: oracle, data }, toHex(block)]);
        return { isSanctioned: flag(word(answer)), oracle, blockNumber: Number(block) };
      } catch (error) {
        if (error instanceof RpcError) throw new Unavailable('sanctions oracle');
        throw error;
      }
    },
  };
}
