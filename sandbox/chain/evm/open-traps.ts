import { encodeTransfer } from '../../../functions/adapters/chain/erc20.ts';
import { trapsOf } from '../traps.ts';
import type { Filled } from './blocks.ts';
import type { OpenTrap } from './head.ts';
import { isSame } from './wire.ts';

/**
 * Counts the reverts of the open traps after a block: adds the traps that the block set, and subtracts the
 * transfers that reverted in it. `ended` are the traps to release. A contract cannot count reverts, because a
 * revert also undoes the contract's own changes.
 */
export function countTraps(
  before: readonly OpenTrap[],
  block: Filled,
): { open: OpenTrap[]; ended: OpenTrap[] } {
  const traps = before.map((trap) => ({ ...trap }));
  for (const { token, to, units, reverts } of trapsOf(block.receipts.flatMap(({ logs }) => logs))) {
    const input = encodeTransfer(to, units);
    const known = traps.find((each) => isSame(each.token, token) && each.input === input);
    if (known) known.left += reverts;
    else traps.push({ token, to, units: String(units), input, left: reverts });
  }
  for (const [index, { status }] of block.receipts.entries()) {
    const sent = block.transactions[index];
    const trap = traps.find(
      ({ token, input }) => sent && isSame(token, sent.to ?? '') && input === sent.input,
    );
    if (trap && status === '0x0') trap.left -= 1;
  }
  return { open: traps.filter(({ left }) => left > 0), ended: traps.filter(({ left }) => left <= 0) };
}
