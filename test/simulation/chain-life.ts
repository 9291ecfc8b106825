import type { Dice } from './dice.ts';
import type { Kernel } from './kernel.ts';
import { FINAL_BLOCKS, type Node } from './node.ts';
import { MINUTE_MS, SECOND_MS } from './times.ts';

type Options = {
  kernel: Kernel;
  dice: Dice;
  node: Node;
  happens: (share: number, ...words: string[]) => boolean;
  isQuiet: (now: number) => boolean;
  /** When somebody last wanted something of the chain. */
  settlingAt: () => number;
  /** What the treasury has ever had of each, and what it is filled up by. */
  funds: Record<'USDT' | 'USDC', bigint>;
  refill: bigint;
};

/** The chain's own doings: its miner, the issuers of its tokens, and who fills the treasury. */
export function openChainLife(options: Options) {
  const { kernel, dice, node, happens, isQuiet, settlingAt, funds, refill } = options;

  async function mine(): Promise<void> {
    for (;;) {
      await kernel.wait(dice.within(4, 24) * SECOND_MS);
      if (kernel.now() - settlingAt() > 7 * MINUTE_MS) continue;
      if (happens(0.04, 'drop', String(node.counts.blocks))) await node.drop(dice.within(0, 3));
      await node.mine();
      if (happens(0.05, 'reorg', String(node.counts.blocks))) await node.reorg(depth());
    }
  }

  /** Mostly short; now and then so long that what was reported as completed is undone. */
  const depth = () => dice.within(1, dice.isBelow(0.7) ? 2 : FINAL_BLOCKS - 1);

  async function pauseTokens(): Promise<void> {
    for (let round = 0; !isQuiet(kernel.now()); round++) {
      await kernel.wait(dice.within(20, 90) * MINUTE_MS);
      if (isQuiet(kernel.now()) || !happens(0.5, 'pause', String(round))) continue;
      const token = round % 2 ? 'UsdtLike' : 'UsdcLike';
      await node.owner(token, 'pause');
      await kernel.wait(dice.within(2, 15) * MINUTE_MS);
      await node.owner(token, 'unpause');
    }
  }

  async function topUpLater(): Promise<void> {
    await kernel.wait(dice.within(60, 150) * MINUTE_MS);
    const share = refill / BigInt(node.wallets.length);
    const issue = async (name: 'UsdcLike' | 'UsdtLike', method: string, args: unknown[]) => {
      // A token that is paused is not handed out either.
      while (!(await node.owner(name, method, args))) await kernel.wait(MINUTE_MS);
    };
    await issue('UsdtLike', 'issue', [refill]);
    for (const wallet of node.wallets) {
      await issue('UsdcLike', 'mint', [wallet, share]);
      await issue('UsdtLike', 'transfer', [wallet, share]);
      funds.USDC += share;
      funds.USDT += share;
    }
  }

  return { mine, pauseTokens, topUpLater };
}
