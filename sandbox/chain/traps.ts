import { Interface } from 'ethers';
import { getDefined } from '../../functions/domain/get.ts';
import { actAsOwner } from './owner.ts';
import { rpc } from './rpc.ts';

/** A transfer of exactly this number of base units. `token` is the address of the token's contract. */
export type Transfer = { token: string; to: string; units: bigint };
/**
 * A trap for a transfer, which a test contract sets. A trial call (`eth_call`) of the transfer succeeds, but
 * its first `reverts` mined transactions revert.
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

/**
 * Sets a trap, and resolves once the transaction that sets it is mined. `controller.ts` releases the trap
 * after as many transfers have reverted as the trap says.
 */
export function setTrap(rpcUrl: string, trap: Trap): Promise<void> {
  return actAsOwner(rpcUrl, trapCall(trap));
}

export function releaseTrap(rpcUrl: string, transfer: Transfer): Promise<void> {
  return actAsOwner(rpcUrl, releaseCall(transfer));
}

export type Log = { address: string; topics: string[]; data: string };

/** The traps that were set in the blocks `from` to `to`, both included. */
export async function findTraps(
  rpcUrl: string,
  { tokens, from, to }: { tokens: readonly string[]; from: number; to: number },
): Promise<Trap[]> {
  const topics = ABI.encodeFilterTopics('Trapped', []);
  const range = { fromBlock: hex(from), toBlock: hex(to) };
  const logs = await rpc<Log[]>(rpcUrl, 'eth_getLogs', [{ ...range, address: tokens, topics }]);
  return trapsOf(logs);
}

/** The traps that were set according to these logs. Logs of other events are skipped. */
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
