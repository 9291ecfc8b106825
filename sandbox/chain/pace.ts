import { rpc } from './rpc.ts';
import { subscribe } from './subscribe.ts';

/**
 * The time between blocks while no transactions arrive, equal to Ethereum's. Each empty block costs anvil about 250 kB
 * for good. Four blocks a second would therefore fill a laptop's memory within hours.
 */
export const IDLE_BLOCK_SECONDS = 12;

const BUSY_BLOCK_MS = 250;
/** A transfer is final only a few blocks after its own block. */
const BLOCKS_AFTER_A_TRANSACTION = 12;

/** Makes the node mine four blocks a second for a while after each transaction. */
export async function startPace(rpcUrl: string): Promise<{ stop: () => void }> {
  let left = 0;
  let timer: NodeJS.Timeout | undefined;

  function mine(): void {
    timer = undefined;
    if (left === 0) return;
    left -= 1;
    // Ignores a failure, because the node also mines by itself, in slower intervals.
    rpc(rpcUrl, 'evm_mine').catch(() => undefined);
    timer = setTimeout(mine, BUSY_BLOCK_MS);
  }

  const pending = await subscribe(rpcUrl, 'newPendingTransactions', () => {
    left = BLOCKS_AFTER_A_TRANSACTION;
    // Keeps a running timer, so that transactions that arrive together share a block.
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
