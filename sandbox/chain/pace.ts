import { rpc } from './rpc.ts';
import { subscribe } from './subscribe.ts';

/**
 * The seconds between two blocks while no transaction arrives, as on Ethereum. Each empty block takes about
 * 250 kB of anvil's memory for ever. Four blocks a second would fill a laptop's memory within hours.
 */
export const IDLE_BLOCK_SECONDS = 12;

const BUSY_BLOCK_MS = 250;
/**
 * The number of quick blocks after a transaction, which take 3 s. A transfer is final only some blocks after
 * its own block.
 */
const BLOCKS_AFTER_A_TRANSACTION = 12;

/** Makes the node mine four blocks a second during the 3 s after each transaction. */
export async function startPace(rpcUrl: string): Promise<{ stop: () => void }> {
  let left = 0;
  let timer: NodeJS.Timeout | undefined;

  function mine(): void {
    timer = undefined;
    if (left === 0) return;
    left -= 1;
    // A failure is ignored, because the node also mines by itself, every `IDLE_BLOCK_SECONDS`.
    rpc(rpcUrl, 'evm_mine').catch(() => undefined);
    timer = setTimeout(mine, BUSY_BLOCK_MS);
  }

  const pending = await subscribe(rpcUrl, 'newPendingTransactions', () => {
    left = BLOCKS_AFTER_A_TRANSACTION;
    // A timer that already runs is kept. Transactions that arrive together thus get into one block.
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
