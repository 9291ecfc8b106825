import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RpcError } from '../../functions/adapters/chain/rpc.ts';
import { askOracle } from '../../functions/adapters/chain/sanctions-oracle.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { ORACLE_LISTED_WALLET } from '../../sandbox/chain/deploy.ts';
import { chain, newAddress, openWorld, type World } from '../support/settlement-world.ts';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const zeros = (bytes: number) => `0x${'00'.repeat(bytes)}`;

/** A node at block 256 whose oracle gives this answer. */
const oracleAnswering = (answer: unknown) => {
  const calls: unknown[][] = [];
  const call = async (method: string, params: unknown[]) => {
    if (method === 'eth_blockNumber') return '0x100';
    calls.push(params);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { calls, ask: () => askOracle({ call }, chain, { address: WALLET }) };
};

describe('the sanctions oracle', () => {
  it('is asked about the wallet at the block that the evidence names', async () => {
    const { calls, ask } = oracleAnswering(zeros(32));

    expect(await ask()).toEqual({
      isSanctioned: false,
      address: chain.sanctionsOracle,
      blockNumber: 256,
    });
    const data = '0xdf592f7d00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8';
    expect(calls).toEqual([[{ to: chain.sanctionsOracle, data }, '0x100']]);
  });

  it('reports a wallet as sanctioned on exactly 32 bytes of one', async () => {
    const { ask } = oracleAnswering(`${zeros(31)}01`);

    expect(await ask()).toMatchObject({ isSanctioned: true });
  });

  it.each([
    ['nothing, as an address without code does', '0x'],
    ['31 bytes', zeros(31)],
    ['33 bytes', zeros(33)],
    ['two', `${zeros(31)}02`],
    ['one in the highest byte', `0x01${'00'.repeat(31)}`],
    ['no hexadecimal', `0x${'zz'.repeat(32)}`],
    ['a number', 0],
    ['a boolean', false],
    ['null', null],
    ['an error', new RpcError({ code: -32000, message: 'missing trie node' })],
    ['a revert', new RpcError({ code: 3, message: 'execution reverted' })],
    ['silence', new Unavailable('chain RPC')],
  ])('is unavailable, never a pass, when it answers %s', async (_, answer) => {
    await expect(oracleAnswering(answer).ask()).rejects.toThrow(Unavailable);
  });
});

describe('the oracle of a real chain', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.stop());

  it('clears one wallet and names another', async () => {
    const ask = (address: string) => askOracle(world.rpc, chain, { address });

    expect(await ask(newAddress())).toMatchObject({ isSanctioned: false });
    expect(await ask(ORACLE_LISTED_WALLET)).toMatchObject({ isSanctioned: true });
  });

  it('is unavailable if there is no contract', async () => {
    const elsewhere = { ...chain, sanctionsOracle: newAddress() };

    await expect(askOracle(world.rpc, elsewhere, { address: newAddress() })).rejects.toThrow(Unavailable);
  });
});
