import { Interface } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Chain } from '../../functions/adapters/chain/chain.ts';
import { hotWallets } from '../../functions/adapters/chain/hot-wallets.ts';
import { preflight, requireChain } from '../../functions/adapters/chain/preflight.ts';
import { readHead } from '../../functions/adapters/chain/rpc.ts';
import { type PerAsset, perAsset } from '../../functions/domain/assets.ts';
import { decimalOf, quoteFor } from '../../functions/domain/money.ts';
import { openSettlement } from '../../functions/domain/treasury/settlement.ts';
import { readContracts } from '../../sandbox/chain/contracts.ts';
import { actAsOwner, confirm, sendAsOwner } from '../../sandbox/chain/owner.ts';
import { type Receipt, rpc } from '../../sandbox/chain/rpc.ts';
import { memoryBook } from '../support/memory-book.ts';
import { chain, newPayout, openWorld, type World } from '../support/settlement-world.ts';

const { abi, bytecode } = readContracts().UsdcLike;
const TOKEN = new Interface(abi);
const ALL_DECIMALS = Array.from({ length: 15 }, (_, index) => 4 + index);

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

/** A new contract with these decimals, the same for every asset. */
async function deployTokens(
  decimals: number,
): Promise<{ chain: Chain; assets: PerAsset<{ decimals: number }> }> {
  const data = bytecode + TOKEN.encodeDeploy(['TEST', decimals]).slice(2);
  const hash = await sendAsOwner(world.url, { data });
  await confirm(world.url, hash);
  const { contractAddress } = await rpc<Receipt>(world.url, 'eth_getTransactionReceipt', [hash]);
  const token = { address: contractAddress!, blockList: 'isBlacklisted' as const };
  return { chain: { ...chain, tokens: perAsset(() => token) }, assets: perAsset(() => ({ decimals })) };
}

describe.each(ALL_DECIMALS)('an asset with %d decimals', (decimals) => {
  const scale = 10n ** BigInt(decimals);
  let own: Awaited<ReturnType<typeof deployTokens>>;
  beforeAll(async () => {
    own = await deployTokens(decimals);
  });

  const mint = (wallet: string, units: bigint) =>
    actAsOwner(world.url, {
      to: own.chain.tokens.USDC.address,
      data: TOKEN.encodeFunctionData('mint', [wallet, units]),
    });

  it('is accepted on the chain with these decimals only', async () => {
    const wrong = perAsset(() => ({ decimals: decimals + 1 }));

    expect(await requireChain(world.rpc, own.chain, own.assets)).toBe(true);
    await expect(requireChain(world.rpc, own.chain, wrong)).rejects.toThrow(
      `has ${decimals} decimals on the chain, not ${decimals + 1}`,
    );
  });

  it('is paid from a wallet with the units of the quote, and from no other', async () => {
    const quoted = { ask: '5.43210000', spreadBasisPoints: 150, decimals };
    const { assetUnits } = quoteFor(50_000_00, quoted);
    const { address, signer } = await world.openWallet({ tokenUnits: 0n });
    const payment = openSettlement(newPayout('USDC', assetUnits), 0);
    const asked = () => ({ wallets: [{ address, latest: Promise.resolve(0) }], head: readHead(world.rpc) });
    const cleared = () => preflight(world.rpc, own.chain, payment, asked());

    expect(Number(decimalOf(assetUnits, decimals))).toBeCloseTo(9068.51568, 3);
    await mint(address, assetUnits - 1n);
    expect(await cleared()).toEqual({ hold: 'treasury balance' });
    await mint(address, 1n);
    expect(await cleared()).toMatchObject({ wallets: [{ address, latest: 0, balance: assetUnits }] });
    const ports = { rpc: world.rpc, chain: own.chain, signers: [signer], book: memoryBook() };
    const { wallets } = await hotWallets(ports).readHoldings();
    expect(wallets).toMatchObject([{ units: perAsset(() => assetUnits) }]);
  });

  it('is held in millions without loss of digits', async () => {
    const { address, signer } = await world.openWallet({ tokenUnits: 0n });
    const units = 10_000_000n * scale + 1n;
    await mint(address, units);

    const ports = { rpc: world.rpc, chain: own.chain, signers: [signer], book: memoryBook() };

    expect((await hotWallets(ports).readHoldings()).wallets).toMatchObject([{ units: { USDC: units } }]);
  });
});
