import { Interface } from 'ethers';
import { getDefined } from '../../functions/domain/get.ts';
import { actAsOwner } from './owner.ts';
import { rpc } from './rpc.ts';

/** One transfer of exactly these units. `token` is the contract's address. */
export type Transfer = { token: string; to: string; units: bigint };
/**
 * A trap for a transfer: every trial call of this transfer succeeds, but its first `reverts` mined transactions revert.
 */
export type Trap = Transfer & { reverts: number };

const ABI = new Interface([
  'function trap(address to, uint256 value, uint256 reverts)',
  'function release(address to, uint256 value)',
  'event Trapped(address indexed to, uint256 value, uint256 reverts)',
]);

/** The owner's call that sets a trap. */
export function trapCall({ token, to, units, reverts }: Trap) {
  return { to: token, data: ABI.encodeFunctionData('trap', [to, units, reverts]) };
}

/** The owner's call that releases a trap. */
export function releaseCall({ token, to, units }: Transfer) {
  return { to: token, data: ABI.encodeFunctionData('release', [to, units]) };
}

/** Sets a trap, and resolves once it is mined. `controller.ts` releases it after its number of reverts. */
export function setTrap(rpcUrl: string, trap: Trap): Promise<void> {
  return actAsOwner(rpcUrl, trapCall(trap));
}

export function releaseTrap(rpcUrl: string, transfer: Transfer): Promise<void> {
  return actAsOwner(rpcUrl, releaseCall(transfer));
}

export type Log = { address: string; topics: string[]; data: string };

/** The traps that were set in the blocks from `from` to `to`, both included. */
export async function findTraps(
  rpcUrl: string,
  { tokens, from, to }: { tokens: readonly string[]; from: number; to: number },
): Promise<Trap[]> {
  const topics = ABI.encodeFilterTopics('Trapped', []);
  const range = { fromBlock: hex(from), toBlock: hex(to) };
  const logs = await rpc<Log[]>(rpcUrl, 'eth_getLogs', [{ ...range, address: tokens, topics }]);
  return trapsOf(logs);
}

/** The traps that the logs report. Skips logs of other events. */
export function trapsOf(logs: readonly Log[]): Trap[] {
  const [topic] = ABI.encodeFilterTopics('Trapped', []);
  return logs
    .filter(({ topics }) => topics[0] === topic)
    .map((log) => {
      const { to, value, reverts } = getDefined(ABI.parseLog(log) ?? undefined, 'event of a trap').args;
      return { token: log.address, to, units: value, reverts: Number(reverts) };
    });
}

export const hex = (block: number) => `0x${block.toString(16)}`;
