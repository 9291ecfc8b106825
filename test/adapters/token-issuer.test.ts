import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RpcError, readHead } from '../../functions/adapters/chain/rpc.ts';
import { askIssuer } from '../../functions/adapters/chain/token-issuer.ts';
import { ASSET_NAMES, type BlockList } from '../../functions/domain/assets.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { chain, newAddress, openWorld, type World } from '../support/settlement-world.ts';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const zeros = (bytes: number) => `0x${'00'.repeat(bytes)}`;
const chainWith = (blockList: BlockList) => ({
  ...chain,
  tokens: { ...chain.tokens, USDT: { ...chain.tokens.USDT, blockList } },
});

/** A node at block 256 whose tokens give this answer. */
function tokensAnswering(answer: unknown, blockList: BlockList = 'isBlocked') {
  const calls: unknown[][] = [];
  const call = async (_: string, params: unknown[]) => {
    calls.push(params);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const asked = { asset: 'USDT', address: WALLET, head: Promise.resolve(256n) } as const;
  return { calls, ask: () => askIssuer({ call }, chainWith(blockList), asked) };
}

describe('the issuer of a token', () => {
  it.each([
    ['isBlackListed', '0xe47d6060'],
    ['isBlacklisted', '0xfe575a87'],
    ['isBlocked', '0xfbac3951'],
  ] as const)(
    'is asked by %s about the wallet, at the block that the evidence names',
    async (name, selector) => {
      const { calls, ask } = tokensAnswering(zeros(32), name);
      const { address: token } = chain.tokens.USDT;

      expect(await ask()).toEqual({ asset: 'USDT', token, blockNumber: 256, isBlocked: false });
      const data = `${selector}00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8`;
      expect(calls).toEqual([[{ to: token, data }, '0x100']]);
    },
  );

  it('blocks a wallet on exactly 32 bytes of one', async () => {
    expect(await tokensAnswering(`${zeros(31)}01`).ask()).toMatchObject({ isBlocked: true });
  });

  it('is not asked if its token cannot block', async () => {
    const { calls, ask } = tokensAnswering(zeros(32), 'none');

    expect(await ask()).toBeUndefined();
    expect(calls).toEqual([]);
  });

  it.each([
    ['nothing, as an address without code does', '0x'],
    ['31 bytes', zeros(31)],
    ['33 bytes', zeros(33)],
    ['two', `${zeros(31)}02`],
    ['one in the highest byte', `0x01${'00'.repeat(31)}`],
    ['a boolean', false],
    ['null', null],
    ['an error', new RpcError({ code: -32000, message: 'missing trie node' })],
    [
      'a revert, as a contract without the function does',
      new RpcError({ code: 3, message: 'execution reverted' }),
    ],
    ['silence', new Unavailable('chain RPC')],
  ])('is unavailable, never a pass, when it answers %s', async (_, answer) => {
    await expect(tokensAnswering(answer).ask()).rejects.toThrow(Unavailable);
  });
});

describe('the tokens of a real chain', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.stop());

  it.each(ASSET_NAMES)('of %s report a wallet for as long as it is blocked', async (asset) => {
    const address = newAddress();
    const isBlocked = async () =>
      (await askIssuer(world.rpc, chain, { asset, address, head: readHead(world.rpc) }))?.isBlocked;

    expect(await isBlocked()).toBe(false);
    await world.block(asset, address);
    expect(await isBlocked()).toBe(true);
    await world.unblock(asset, address);
    expect(await isBlocked()).toBe(false);
  });

  it.each(['isBlackListed', 'isBlacklisted'] as const)(
    'are unavailable if the contract does not have %s',
    async (blockList) => {
      const asked = { asset: 'USDT', address: newAddress(), head: readHead(world.rpc) } as const;

      await expect(askIssuer(world.rpc, chainWith(blockList), asked)).rejects.toThrow(Unavailable);
    },
  );
});
