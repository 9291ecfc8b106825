import { rpc } from './rpc.ts';
import { subscribe } from './subscribe.ts';

/**
 * The time between blocks while nobody sends a transaction. It is that of Ethereum. An empty block costs anvil about
 * 250 kB for good, so four blocks a second would fill a laptop's memory within hours.
 */
export const IDLE_BLOCK_SECONDS = 12;

const BUSY_BLOCK_MS = 250;
/** A transfer needs a few blocks after its own until it is final. */
const BLOCKS_AFTER_A_TRANSACTION = 12;

/** Makes the node mine four blocks a second for a while after each transaction. */
export async function startPace(rpcUrl: string): Promise<{ stop: () => void }> {
  let left = 0;
  let timer: NodeJS.Timeout | undefined;

  function mine(): void {
    timer = undefined;
    if (left === 0) return;
    left -= 1;
    // A node that does not answer now mines its idle blocks later.
    rpc(rpcUrl, 'evm_mine').catch(() => undefined);
    timer = setTimeout(mine, BUSY_BLOCK_MS);
  }

  const pending = await subscribe(rpcUrl, 'newPendingTransactions', () => {
    left = BLOCKS_AFTER_A_TRANSACTION;
    // Transactions that arrive together share a block.
    timer ??= setTimeout(mine, BUSY_BLOCK_MS);
  });
  return {
    stop: () => {
      left = 0;
      clearTimeout(timer);
      pending.stop();
    },
  };
}
