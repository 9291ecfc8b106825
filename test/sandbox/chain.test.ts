import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { Interface, Transaction, Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASSET_NAMES, ASSETS } from '../../functions/domain/assets.ts';
import { type Anvil, startAnvil } from '../../sandbox/chain/anvil.ts';
import { compileContracts } from '../../sandbox/chain/compile.ts';
import { readContracts } from '../../sandbox/chain/contracts.ts';
import {
  asOwner,
  balanceOf,
  deploy,
  fund,
  localChain,
  ORACLE_LISTED_WALLET,
} from '../../sandbox/chain/deploy.ts';
import { DEPLOYER } from '../../sandbox/chain/owner.ts';
import { rpc, waitForReceipt } from '../../sandbox/chain/rpc.ts';

const treasury = new Wallet(`0x${'11'.repeat(32)}`);
const client = `0x${'22'.repeat(20)}`;
const abi = new Interface([
  'function transfer(address,uint256)',
  'function isBlocked(address) view returns (bool)',
  'function isBlacklisted(address) view returns (bool)',
  'function isSanctioned(address) view returns (bool)',
  'function paused() view returns (bool)',
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
]);

let chain: Anvil;
let nonce = 0;

beforeAll(async () => {
  chain = await startAnvil();
  await deploy(chain.url);
  await fund(chain.url, treasury.address);
});
afterAll(() => chain?.stop());

const read = (to: string, method: string, args: unknown[] = []) =>
  rpc<string>(chain.url, 'eth_call', [{ to, data: abi.encodeFunctionData(method, args) }, 'latest']);

async function readOne(to: string, method: string, args: unknown[] = []): Promise<unknown> {
  return abi.decodeFunctionResult(method, await read(to, method, args))[0];
}

/** Sends with a fixed gas limit, so that a transfer that reverts is mined too. */
async function transfer(token: string, to: string, units: bigint) {
  const transaction = Transaction.from({
    type: 2,
    chainId: 31337,
    nonce: nonce++,
    to: token,
    data: abi.encodeFunctionData('transfer', [to, units]),
    gasLimit: 200_000n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 10n ** 9n,
  });
  const raw = await treasury.signTransaction(transaction);
  return waitForReceipt(chain.url, await rpc<string>(chain.url, 'eth_sendRawTransaction', [raw]));
}

const transferCall = (token: string, to: string) =>
  rpc<string>(chain.url, 'eth_call', [
    { from: treasury.address, to: token, data: abi.encodeFunctionData('transfer', [to, 1n]) },
    'latest',
  ]);

describe('the local chain', () => {
  it('has the contracts at their fixed addresses', async () => {
    expect(localChain.tokens).toMatchObject({
      USDT: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
      USDC: '0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512',
    });
    expect(await readOne(localChain.sanctionsOracle, 'isSanctioned', [client])).toBe(false);
    expect(Number(await rpc(chain.url, 'eth_chainId'))).toBe(localChain.chainId);
    for (const asset of ASSET_NAMES) {
      const address = localChain.tokens[asset];
      expect(await readOne(address, 'symbol')).toBe(asset);
      expect(await readOne(address, 'decimals')).toBe(BigInt(ASSETS[asset].decimals));
      expect(await readOne(address, 'paused')).toBe(false);
    }
  });

  it('deploys and funds once, however often it is asked to', async () => {
    const before = await rpc(chain.url, 'eth_getTransactionCount', [DEPLOYER, 'latest']);

    await deploy(chain.url);
    await fund(chain.url, treasury.address);

    expect(await rpc(chain.url, 'eth_getTransactionCount', [DEPLOYER, 'latest'])).toBe(before);
    for (const asset of ASSET_NAMES) {
      const tokens = 10n ** BigInt(ASSETS[asset].decimals);
      expect(await balanceOf(chain.url, asset, treasury.address)).toBe(10_000_000n * tokens);
    }
  });

  it('mines a transfer by itself and finalizes it soon after', async () => {
    const start = Date.now();

    const { blockNumber, status } = await transfer(localChain.tokens.USDC, client, 5_000_000n);

    expect(status).toBe('0x1');
    expect(Date.now() - start).toBeLessThan(30_000);
    const finalized = async () =>
      Number((await rpc<{ number: string }>(chain.url, 'eth_getBlockByNumber', ['finalized', false])).number);
    await expect.poll(finalized).toBeGreaterThanOrEqual(Number(blockNumber));
    expect(await balanceOf(chain.url, 'USDC', client)).toBe(5_000_000n);
  });

  it('mines every transaction when many come at once', async () => {
    const many = await Promise.all(
      Array.from({ length: 50 }, () => transfer(localChain.tokens.USDT, client, 1n)),
    );

    expect(many.every(({ status }) => status === '0x1')).toBe(true);
  });
});

describe('USDT', () => {
  const { USDT } = localChain.tokens;

  it('returns nothing from transfer', async () => {
    expect(await transferCall(USDT, client)).toBe('0x');
  });

  it('pays a blocked receiver and refuses a blocked sender', async () => {
    const listed = `0x${'33'.repeat(20)}`;
    await asOwner(chain.url, 'USDT', 'addToBlockedList', [listed]);

    expect(await readOne(USDT, 'isBlocked', [listed])).toBe(true);
    expect((await transfer(USDT, listed, 7n)).status).toBe('0x1');
    await asOwner(chain.url, 'USDT', 'addToBlockedList', [treasury.address]);
    expect((await transfer(USDT, client, 7n)).status).toBe('0x0');
    await asOwner(chain.url, 'USDT', 'removeFromBlockedList', [treasury.address]);
    expect((await transfer(USDT, client, 7n)).status).toBe('0x1');
  });

  it('takes its fee once the fee is switched on', async () => {
    const receiver = `0x${'44'.repeat(20)}`;
    await asOwner(chain.url, 'USDT', 'setParams', [10, 49]);

    await transfer(USDT, receiver, 1_000_000n);

    await asOwner(chain.url, 'USDT', 'setParams', [0, 0]);
    expect(await balanceOf(chain.url, 'USDT', receiver)).toBe(999_000n);
  });

  it('reverts while paused', async () => {
    await asOwner(chain.url, 'USDT', 'pause');

    expect(await readOne(USDT, 'paused')).toBe(true);
    expect((await transfer(USDT, client, 1n)).status).toBe('0x0');
    await asOwner(chain.url, 'USDT', 'unpause');
  });
});

describe('USDC', () => {
  const { USDC } = localChain.tokens;

  it('returns true from transfer', async () => {
    expect(BigInt(await transferCall(USDC, client))).toBe(1n);
  });

  it.each([
    ['the zero address', `0x${'00'.repeat(20)}`, /zero address/],
    ['itself', USDC, /token itself/],
  ])('refuses %s', async (_, to, reason) => {
    await expect(transferCall(USDC, to)).rejects.toThrow(reason);
  });

  it('refuses a blacklisted receiver until it is taken off the list', async () => {
    const listed = `0x${'55'.repeat(20)}`;
    await asOwner(chain.url, 'USDC', 'blacklist', [listed]);

    expect(await readOne(USDC, 'isBlacklisted', [listed])).toBe(true);
    expect((await transfer(USDC, listed, 1n)).status).toBe('0x0');
    await asOwner(chain.url, 'USDC', 'unBlacklist', [listed]);
    expect((await transfer(USDC, listed, 1n)).status).toBe('0x1');
  });
});

describe('SanctionsOracle', () => {
  const { sanctionsOracle } = localChain;

  it('has the selector of the real oracle and answers 32 bytes', async () => {
    expect(abi.getFunction('isSanctioned')?.selector).toBe('0xdf592f7d');
    expect(await read(sanctionsOracle, 'isSanctioned', [client])).toBe(`0x${'0'.repeat(64)}`);
    expect(await readOne(sanctionsOracle, 'isSanctioned', [ORACLE_LISTED_WALLET])).toBe(true);
  });

  it('lists and unlists for its owner only', async () => {
    const wallet = `0x${'66'.repeat(20)}`;
    await asOwner(chain.url, 'SanctionsOracle', 'addToSanctionsList', [[wallet]]);
    expect(await readOne(sanctionsOracle, 'isSanctioned', [wallet])).toBe(true);
    await asOwner(chain.url, 'SanctionsOracle', 'removeFromSanctionsList', [[wallet]]);
    expect(await readOne(sanctionsOracle, 'isSanctioned', [wallet])).toBe(false);

    const { abi: oracleAbi } = readContracts().SanctionsOracle;
    const data = new Interface(oracleAbi).encodeFunctionData('addToSanctionsList', [[wallet]]);
    const call = { from: treasury.address, to: sanctionsOracle, data };
    await expect(rpc(chain.url, 'eth_call', [call, 'latest'])).rejects.toThrow(/not the owner/);
  });
});

describe('contracts.json', () => {
  it('is what the compiler makes of the sources (`npm run contracts` writes it)', () => {
    expect(readContracts()).toEqual(compileContracts());
  });
});

describe('anvil', () => {
  it('takes the given port and frees it at its end', async () => {
    // The port is outside of the range that the system hands out. Otherwise another process could take it between the
    // two starts.
    const port = 20_000 + randomInt(10_000);
    const first = await startAnvil({ port });
    await first.stop();

    const second = await startAnvil({ port });

    expect(second.url).toBe(first.url);
    await expect(startAnvil({ port })).rejects.toThrow(/anvil ended|not ready/);
    await second.stop();
    await expect(rpc(second.url, 'eth_chainId')).rejects.toThrow();
  });

  it.skipIf(process.platform === 'win32')('ends with its parent, however the parent ends', async () => {
    const module = new URL('../../sandbox/chain/anvil.ts', import.meta.url).href;
    const script = `const { startAnvil } = await import(${JSON.stringify(module)});
      console.log((await startAnvil()).url); setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script]);
    const url = await new Promise<string>((resolve) => {
      parent.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()));
    });
    expect(Number(await rpc(url, 'eth_chainId'))).toBe(31337);

    parent.kill('SIGKILL');

    const answers = () =>
      rpc(url, 'eth_chainId').then(
        () => true,
        () => false,
      );
    await expect.poll(answers).toBe(false);
  });
});
