import { Interface } from 'ethers';
import { getDefined } from '../../functions/domain/get.ts';
import { actAsOwner } from './owner.ts';
import { rpc } from './rpc.ts';

/** One transfer of exactly these units. `token` is the contract's address. */
export type Transfer = { token: string; to: string; units: bigint };
/** A transfer that passes every trial call and reverts `reverts` times when it is mined. */
export type Trap = Transfer & { reverts: number };

const ABI = new Interface([
  'function trap(address to, uint256 value, uint256 reverts)',
  'function release(address to, uint256 value)',
  'event Trapped(address indexed to, uint256 value, uint256 reverts)',
]);

/** Sets a trap and resolves once it holds. A controller (`controller.ts`) releases it after its count. */
export function setTrap(rpcUrl: string, { token, to, units, reverts }: Trap): Promise<void> {
  return act(rpcUrl, token, ABI.encodeFunctionData('trap', [to, units, reverts]));
}

export function releaseTrap(rpcUrl: string, { token, to, units }: Transfer): Promise<void> {
  return act(rpcUrl, token, ABI.encodeFunctionData('release', [to, units]));
}

async function act(rpcUrl: string, token: string, data: string): Promise<void> {
  await actAsOwner(rpcUrl, { to: token, data });
}

type Log = { address: string; topics: string[]; data: string };

/** The traps that were set between two blocks, both included. */
export async function findTraps(
  rpcUrl: string,
  { tokens, from, to }: { tokens: readonly string[]; from: number; to: number },
): Promise<Trap[]> {
  const topics = ABI.encodeFilterTopics('Trapped', []);
  const range = { fromBlock: hex(from), toBlock: hex(to) };
  const logs = await rpc<Log[]>(rpcUrl, 'eth_getLogs', [{ ...range, address: tokens, topics }]);
  return logs.map((log) => {
    const { to: wallet, value, reverts } = getDefined(ABI.parseLog(log) ?? undefined, 'event of a trap').args;
    return { token: log.address, to: wallet, units: value, reverts: Number(reverts) };
  });
}

export const hex = (block: number) => `0x${block.toString(16)}`;
