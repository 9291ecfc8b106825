import { ASSET_NAMES, type Asset, type PerAsset } from '../../functions/domain/assets.ts';
import { mintCalls, ownerCall } from '../../sandbox/chain/deploy.ts';
import { type Dice, diceOf } from './dice.ts';
import type { Kernel } from './kernel.ts';
import { FINAL_BLOCKS, type Node } from './node.ts';
import { MINUTE_MS, SECOND_MS } from './times.ts';
import type { Reads } from './views.ts';

type Options = {
  kernel: Kernel;
  seed: string;
  dice: Dice;
  node: Node;
  happens: (share: number, ...words: string[]) => boolean;
  isQuiet: (now: number) => boolean;
  /** When somebody last wanted something of the chain. */
  settlingAt: () => number;
  /** The base units of each asset that the treasury has ever had, and those that it gets later. */
  funds: Record<Asset, bigint>;
  refill: PerAsset<bigint>;
};

/** The chain's own doings: its miner, the issuers of its tokens, and who fills the treasury. */
export function openChainLife(options: Options) {
  const { kernel, seed, dice, node, happens, isQuiet, settlingAt, funds, refill } = options;

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

  /**
   * One node at a time is on a fork, or lies: were it all of them, alike, nothing could tell. Others may lag meanwhile, and
   * what they do with transactions that are sent to them is as it may be.
   */
  async function mislead(): Promise<void> {
    for (let round = 0; !isQuiet(kernel.now()); round++) {
      const key = `${seed}/spell/${round}`;
      const own = diceOf(key);
      await kernel.wait(own.within(1, 10) * MINUTE_MS);
      if (isQuiet(kernel.now()) || !happens(0.7, 'spell', String(round))) continue;
      const [name = '', other = ''] = own.isBelow(0.5) ? node.names : node.names.toReversed();
      const ends = [node.misbehave(name, { key, reads: await readsOf(own) })];
      if (own.isBelow(0.4)) ends.push(node.misbehave(other, { key: `${key}/other`, reads: lagOf(own) }));
      await kernel.wait(own.within(1, 12) * MINUTE_MS);
      for (const end of ends) await end();
    }
  }

  const lagOf = (own: Dice) => ({ kind: 'lag' as const, blocks: own.within(1, 2 * FINAL_BLOCKS) });

  async function readsOf(own: Dice): Promise<Reads> {
    const head = Number(await node.node<string>('eth_blockNumber'));
    const fork = { kind: 'fork' as const, from: head - own.within(1, FINAL_BLOCKS - 1) };
    const lie = { kind: 'lie' as const, ahead: own.isBelow(0.2) ? 100 : 0 };
    return own.pick<Reads>([
      [lagOf(own), 3],
      [fork, 3],
      [lie, 5],
    ]);
  }

  async function pauseTokens(): Promise<void> {
    for (let round = 0; !isQuiet(kernel.now()); round++) {
      await kernel.wait(dice.within(20, 90) * MINUTE_MS);
      if (isQuiet(kernel.now()) || !happens(0.5, 'pause', String(round))) continue;
      const asset = ASSET_NAMES[(round + 1) % ASSET_NAMES.length]!;
      await node.owner(ownerCall(asset, 'pause'));
      await kernel.wait(dice.within(2, 15) * MINUTE_MS);
      await node.owner(ownerCall(asset, 'unpause'));
    }
  }

  async function topUpLater(): Promise<void> {
    await kernel.wait(dice.within(60, 150) * MINUTE_MS);
    for (const wallet of node.wallets) for (const asset of ASSET_NAMES) await topUp(asset, wallet);
  }

  async function topUp(asset: Asset, wallet: string): Promise<void> {
    const share = refill[asset] / BigInt(node.wallets.length);
    for (const call of mintCalls(asset, wallet, share)) {
      // A token that is paused is not issued either.
      while (!(await node.owner(call))) await kernel.wait(MINUTE_MS);
    }
    funds[asset] += share;
  }

  return { mine, mislead, pauseTokens, topUpLater };
}
