import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, startAnvil } from '../../sandbox/chain/anvil.ts';
import { DEPLOYER, sendAsOwner } from '../../sandbox/chain/owner.ts';
import { IDLE_BLOCK_SECONDS } from '../../sandbox/chain/pace.ts';
import { rpc, waitForReceipt } from '../../sandbox/chain/rpc.ts';

type Block = { timestamp: string };

let chain: Anvil;
beforeAll(async () => {
  chain = await startAnvil({ blockSeconds: 'lazy' });
});
afterAll(() => chain?.stop());

const head = async () => Number(await rpc<string>(chain.url, 'eth_blockNumber'));
const secondOf = async (block: number) =>
  Number((await rpc<Block>(chain.url, 'eth_getBlockByNumber', [`0x${block.toString(16)}`, false])).timestamp);

describe('a lazy chain', () => {
  it('mines a transaction at once, and the blocks that make it final', async () => {
    const hash = await sendAsOwner(chain.url, { to: DEPLOYER });
    const mined = Number((await waitForReceipt(chain.url, hash)).blockNumber);

    await expect.poll(head).toBeGreaterThanOrEqual(mined + 6);
    expect((await secondOf(mined + 6)) - (await secondOf(mined))).toBeLessThan(IDLE_BLOCK_SECONDS * 6);
  });

  it('mines no block of its own sooner than the idle time', async () => {
    const isIdleGap = async () => {
      const last = await head();
      return (await secondOf(last)) - (await secondOf(last - 1)) >= IDLE_BLOCK_SECONDS - 1;
    };

    await expect.poll(isIdleGap, { interval: 1_000 }).toBe(true);
  });
});
