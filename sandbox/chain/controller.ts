import { encodeTransfer } from '../../functions/adapters/chain/erc20.ts';
import { getOf } from '../../functions/domain/get.ts';
import { localChain } from './deploy.ts';
import { type Receipt, rpc } from './rpc.ts';
import { subscribe } from './subscribe.ts';
import { findTraps, hex, releaseTrap, type Transfer } from './traps.ts';

/** The pause in milliseconds after a failed reading of the chain. */
const RETRY_MS = 250;

type Open = Transfer & { left: number };
type Block = { transactions: { hash: string; to: string | null; input: string }[] };

const tokens = Object.values(localChain.tokens);
const keyOf = (token: string, input: string) => `${token} ${input}`.toLowerCase();

/**
 * Watches the local chain, and releases each trap after it has made its number of transfers revert. A revert
 * also undoes a contract's own changes, and so the contract cannot count reverts. This process counts the
 * receipts of the reverted transfers.
 */
export async function startController(rpcUrl: string): Promise<{ stop: () => Promise<void> }> {
  const open = new Map<string, Open>();
  let seen = await readHead(rpcUrl);

  /**
   * Reads all new blocks before it counts any revert. A reading that fails halfway can then be repeated, and
   * no revert is counted twice.
   */
  async function look(): Promise<void> {
    const head = await readHead(rpcUrl);
    if (head > seen) {
      const set = await findTraps(rpcUrl, { tokens, from: seen + 1, to: head });
      const calls = set.map(({ reverts, ...transfer }) => ({ transfer, reverts, key: callOf(transfer) }));
      const watched = new Set([...open.keys(), ...calls.map(({ key }) => key)]);
      const reverted = watched.size > 0 ? await readReverted(rpcUrl, watched, seen + 1, head) : [];
      for (const { key, transfer, reverts } of calls) {
        open.set(key, { ...transfer, left: (open.get(key)?.left ?? 0) + reverts });
      }
      for (const key of reverted) getOf(open, key).left -= 1;
      seen = head;
    }
    for (const [key, trap] of open) {
      if (trap.left > 0) continue;
      await releaseTrap(rpcUrl, trap);
      open.delete(key);
    }
  }

  let isStopped = false;
  let isDue = false;
  let looking: Promise<void> | undefined;

  async function lookWhileDue(): Promise<void> {
    while (isDue && !isStopped) {
      isDue = false;
      await look().catch(async () => {
        isDue = true;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      });
    }
    looking = undefined;
  }

  // Reads the chain once at a time. A block that arrives meanwhile causes one more reading.
  const heads = await subscribe(rpcUrl, 'newHeads', () => {
    isDue = true;
    looking ??= lookWhileDue();
  });
  return {
    async stop() {
      isStopped = true;
      heads.stop();
      await looking;
    },
  };
}

const callOf = ({ token, to, units }: Transfer) => keyOf(token, encodeTransfer(to, units));

const readHead = async (rpcUrl: string) => Number(await rpc<string>(rpcUrl, 'eth_blockNumber'));

/** The watched calls that were mined and reverted, by their keys. A key appears once for each revert. */
async function readReverted(
  rpcUrl: string,
  watched: ReadonlySet<string>,
  from: number,
  to: number,
): Promise<string[]> {
  const found: string[] = [];
  for (let number = from; number <= to; number++) {
    const { transactions } = await rpc<Block>(rpcUrl, 'eth_getBlockByNumber', [hex(number), true]);
    for (const { hash, to: token, input } of transactions) {
      const key = keyOf(token ?? '', input);
      if (!watched.has(key)) continue;
      const { status } = await rpc<Receipt>(rpcUrl, 'eth_getTransactionReceipt', [hash]);
      if (status === '0x0') found.push(key);
    }
  }
  return found;
}
