import { randomBytes } from 'node:crypto';
import type { KMSClient } from '@aws-sdk/client-kms';
import { hexlify } from 'ethers';
import type { Chain } from '../../functions/adapters/chain/chain.ts';
import { kmsSigner, type Signer } from '../../functions/adapters/chain/kms-signer.ts';
import { jsonRpc, type Rpc } from '../../functions/adapters/chain/rpc.ts';
import { directTreasury } from '../../functions/adapters/chain/treasury.ts';
import type { DirectTreasury } from '../../functions/adapters/chain/visit.ts';
import type { Book } from '../../functions/adapters/dynamodb/settlement-book.ts';
import { type Asset, perAsset } from '../../functions/domain/assets.ts';
import type { Payout } from '../../functions/domain/treasury/settlement.ts';
import { CONDITIONS } from '../../functions/domain/watching/conditions.ts';
import { startAnvil } from '../../sandbox/chain/anvil.ts';
import {
  asOwner,
  balanceOf,
  blockCall,
  type Deployed,
  deploy,
  type Funds,
  fund,
  localChain,
  localTokens,
  unblockCall,
} from '../../sandbox/chain/deploy.ts';
import { actAsOwner } from '../../sandbox/chain/owner.ts';
import { rpc as ask } from '../../sandbox/chain/rpc.ts';
import { fakeKms } from './fake-kms.ts';
import { memoryBook } from './memory-book.ts';
import { stubLog } from './stub-log.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const BLOCK_MS = 50;

export const random = { bytes: (length: number) => new Uint8Array(randomBytes(length)) };
export const chain: Chain = {
  chainId: localChain.chainId,
  tokens: localTokens,
  sanctionsOracle: localChain.sanctionsOracle,
  confirmations: 1,
  blockSeconds: BLOCK_MS / 1000,
  finality: 'finalized',
};

export type World = Awaited<ReturnType<typeof openWorld>>;
export type Wallet = { address: string; signer: Signer };

/** A chain with the tokens, funded wallets and new clients. */
export async function openWorld() {
  // Anvil itself mines once an hour. The miner below mines all other blocks, and a test can stop it.
  const anvil = await startAnvil({ blockSeconds: 3_600 });
  const node = <T>(method: string, params: unknown[] = []) => ask<T>(anvil.url, method, params);
  const miner = openMiner(() => node('anvil_mine', ['0x1']));
  miner.start();
  await deploy(anvil.url);
  const rpc = jsonRpc(async () => [anvil.url], { timeoutMs: 30_000, post: fetch });

  async function openWallet(funds?: Funds): Promise<Wallet> {
    const key = hexlify(random.bytes(32));
    const signer = kmsSigner(async () => fakeKms(key) as unknown as KMSClient, 'key');
    const address = await signer.address();
    await fund(anvil.url, address, { wei: 10n ** 18n, tokenUnits: 1_000_000_000n, ...funds });
    return { address, signer };
  }

  /** The number of transfers from the wallet to the client in the chain. */
  async function countTransfers(wallet: Wallet, to: string): Promise<number> {
    const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
    const filter = {
      fromBlock: '0x0',
      toBlock: 'latest',
      topics: [TRANSFER, topic(wallet.address), topic(to)],
    };
    return (await node<unknown[]>('eth_getLogs', [filter])).length;
  }

  return {
    url: anvil.url,
    node,
    rpc,
    openWallet,
    /** Coins come to the wallet from outside. */
    async topUp({ address }: Wallet, wei: bigint): Promise<void> {
      const was = BigInt(await node<string>('eth_getBalance', [address, 'latest']));
      await node('anvil_setBalance', [address, `0x${(was + wei).toString(16)}`]);
    },
    countTransfers,
    owner: (contract: Deployed, method: string, args: unknown[] = []) =>
      asOwner(anvil.url, contract, method, args),
    /** Lets the issuer of the asset block the wallet. */
    block: (asset: Asset, wallet: string) => actAsOwner(anvil.url, blockCall(asset, wallet)),
    unblock: (asset: Asset, wallet: string) => actAsOwner(anvil.url, unblockCall(asset, wallet)),
    balance: (asset: Asset, owner: string) => balanceOf(anvil.url, asset, owner),
    startMining: miner.start,
    /** After this call blocks are mined only by `mine`. */
    stopMining: miner.stop,
    mine: (blocks = 1) => node('anvil_mine', [`0x${blocks.toString(16)}`]),
    /** Replaces the last blocks by empty ones. The miner stops for it, because anvil must not mine meanwhile. */
    async reorg(blocks: number) {
      await miner.stop();
      await node('anvil_reorg', [blocks, []]);
      miner.start();
    },
    async stop() {
      await miner.stop();
      await anvil.stop();
    },
  };
}

function openMiner(mine: () => Promise<unknown>) {
  let round: Promise<void> | undefined;
  let isOn = false;
  async function run() {
    while (isOn) {
      await mine();
      await new Promise((resolve) => setTimeout(resolve, BLOCK_MS));
    }
  }
  return {
    start() {
      isOn = true;
      round ??= run();
    },
    async stop() {
      isOn = false;
      await round;
      round = undefined;
    },
  };
}

let purchases = 0;

/** A new purchase by a client who has no tokens yet. */
export function newPayout(asset: Asset = 'USDC', units = 1_000_000n): Payout {
  purchases++;
  const id = `01TEST${String(purchases).padStart(20, '0')}`;
  return { transactionId: id, asset, units, to: newAddress() };
}

export function newAddress(): string {
  return hexlify(random.bytes(20));
}

export type Logged = { message: string; fields?: Record<string, unknown> };

/** The limits of a treasury. The hourly ceiling is so high that only tests with a lower one reach it. */
export const LIMITS = perAsset(() => ({
  reserve: '0',
  minimumGas: '0',
  largestPurchase: '1000000',
  hourlyPayout: '1000000000',
  walletCeiling: '1000000000',
}));

/** A treasury with the given wallets and a running clock. `logged` holds its logged errors. */
export function openTreasury(
  world: { rpc: Rpc },
  wallet: Wallet | Wallet[],
  changes: Partial<DirectTreasury> = {},
) {
  const logged: Logged[] = [];
  const ports: DirectTreasury = {
    rpc: world.rpc,
    signers: [wallet].flat().map(({ signer }) => signer),
    seals: { isAsSealed: async () => true },
    book: memoryBook(),
    chain,
    floatLimits: LIMITS,
    clock: { now: () => Date.now(), minuteMs: 60_000 },
    random,
    findHold: async () => undefined,
    log: {
      ...stubLog(),
      raise: (condition, _error, fields) => logged.push({ message: CONDITIONS[condition], fields }),
    },
    ...changes,
  };
  return { treasury: directTreasury(ports), ports, logged, book: ports.book as Book };
}
