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
  /** The instant at which a function last called the chain. */
  settlingAt: () => number;
  /** The base units of each asset that the treasury has ever had. `refill` is the amount that it gets later. */
  funds: Record<Asset, bigint>;
  refill: PerAsset<bigint>;
};

/** The events on the chain itself: blocks, pauses by the token issuers, and refills of the treasury. */
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

  /** Most reorganisations are short. Some are long enough to undo a transfer that was reported as completed. */
  const depth = () => dice.within(1, dice.isBelow(0.7) ? 2 : FINAL_BLOCKS - 1);

  /**
   * At any time only one node is on a fork or lies. If all nodes lied alike, the service could not detect it. The
   * other nodes may lag meanwhile, and may treat the transactions that they get in any way.
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
      // A paused token cannot be issued either.
      while (!(await node.owner(call))) await kernel.wait(MINUTE_MS);
    }
    funds[asset] += share;
  }

  return { mine, mislead, pauseTokens, topUpLater };
}
