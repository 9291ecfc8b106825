/** Rows of the simulators' own chain, over a clock that the test moves. */
import { describe, expect, it } from 'vitest';
import { answer } from '../../sandbox/chain/evm/methods.ts';
import { STATES_KEPT, type Versions, valueAt, withValue } from '../../sandbox/chain/evm/versions.ts';
import { DEPLOYER } from '../../sandbox/chain/owner.ts';
import { memoryStore } from '../../sandbox/providers/store.ts';

const client = `0x${'22'.repeat(20)}`;

describe('the versions of a value', () => {
  it('answer each block that is kept, and forget what no kept block needs', () => {
    let versions: Versions<number> = [];
    for (const block of [1, 5, 100, 300, 301]) versions = withValue(versions, block, block);

    expect(valueAt(versions, 99)).toBe(5);
    expect(valueAt(versions, 300)).toBe(300);
    expect(valueAt(versions, 302)).toBe(301);
    expect(withValue(versions, 301, 7).filter(([since]) => since === 301)).toEqual([[301, 7]]);
    expect(withValue(versions, 100 + STATES_KEPT, 9).map(([since]) => since)).toEqual([356, 301, 300, 100]);
  });
});

describe('blocks by the clock', () => {
  /** A chain with a block every two seconds, and a clock that stands still. */
  function openChain() {
    const clock = { now: Date.parse('2026-11-22T12:00:00.000Z') };
    const chain = { store: memoryStore(), now: () => clock.now, blockMs: 2_000 };
    const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
      const answered = await answer(chain, { id: 1, method, params }, true);
      return 'result' in answered ? answered.result : (answered as { error: unknown }).error;
    };
    const wait = (ms: number) => {
      clock.now += ms;
    };
    return { ask, wait };
  }

  it('are made at a request, one every two seconds, also for the time when nobody asked', async () => {
    const { ask, wait } = openChain();
    expect(await ask('eth_blockNumber')).toBe('0x0');
    wait(1_999);
    expect(await ask('eth_blockNumber')).toBe('0x0');
    wait(1);
    expect(await ask('eth_blockNumber')).toBe('0x1');
    wait(3_600_000);
    expect(await ask('eth_blockNumber')).toBe('0x709');

    const first = (await ask('eth_getBlockByNumber', '0x0', false)) as Record<string, string>;
    const next = (await ask('eth_getBlockByNumber', '0x1', false)) as Record<string, string>;
    expect(Number(next.timestamp) - Number(first.timestamp)).toBe(2);
    expect(next.parentHash).toBe(first.hash);
  });

  it('take a transaction into the block after the newest that anybody has seen', async () => {
    const { ask, wait } = openChain();
    expect(await ask('eth_blockNumber')).toBe('0x0');
    const hash = await ask('eth_sendTransaction', { to: client, value: '0x5' });
    expect(await ask('eth_getTransactionReceipt', hash)).toBeNull();
    expect(await ask('eth_getTransactionCount', DEPLOYER, 'pending')).toBe('0x1');
    expect(await ask('eth_getTransactionCount', DEPLOYER, 'latest')).toBe('0x0');
    wait(60_000);

    expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: '0x1', status: '0x1' });
    expect(await ask('eth_getBalance', client, 'latest')).toBe('0x5');
    expect(await ask('eth_getBalance', client, '0x0')).toBe('0x0');
  });

  it('do not run backwards when another instance has a slower clock', async () => {
    const { ask, wait } = openChain();
    await ask('eth_blockNumber');
    wait(10_000);
    expect(await ask('eth_blockNumber')).toBe('0x5');
    wait(-4_000);
    expect(await ask('eth_blockNumber')).toBe('0x5');
  });

  it('have a known state for the latest 256 alone', async () => {
    const { ask, wait } = openChain();
    await ask('eth_blockNumber');
    wait(2_000 * STATES_KEPT);

    expect(await ask('eth_getBalance', client, '0x1')).toBe('0x0');
    expect(await ask('eth_getBalance', client, '0x0')).toMatchObject({ code: -32000 });
  });
});
