/** The simulators' own chain has instances that share it, and an owner behind a key. anvil has neither. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Transaction, Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeTransfer } from '../../functions/adapters/chain/erc20.ts';
import {
  asOwner,
  balanceOf,
  blockCall,
  deploy,
  fund,
  localChain,
  unblockCall,
} from '../../sandbox/chain/deploy.ts';
import { actAsOwner, DEPLOYER, DEPLOYER_KEY } from '../../sandbox/chain/owner.ts';
import { rpc, waitForReceipt } from '../../sandbox/chain/rpc.ts';
import { setTrap } from '../../sandbox/chain/traps.ts';
import { dynamoStore } from '../../sandbox/providers/store.ts';
import { type Dynoxide, startDynoxide } from '../support/dynoxide.ts';
import {
  askNode,
  type Json,
  type SimulatedChain,
  signWish,
  startSimulatedChain,
  treasury,
} from '../support/simulated-chain.ts';

const TABLE = 'Simulators';
const client = `0x${'22'.repeat(20)}`;
const { USDC } = localChain.tokens;

let database: Dynoxide;
let simulated: SimulatedChain;
let other: SimulatedChain;

beforeAll(async () => {
  database = await startDynoxide([TABLE], { folder: 'folder' });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const open = () => new DynamoDBClient({ endpoint: database.url, region: 'sa-east-1', credentials });
  simulated = await startSimulatedChain({ store: dynamoStore(TABLE, open()) });
  other = await startSimulatedChain({ store: dynamoStore(TABLE, open()) });
  await deploy(simulated.url);
  await fund(simulated.url, treasury.address);
});
afterAll(async () => {
  await Promise.all([simulated?.stop(), other?.stop()]);
  await database?.stop();
});

const nonceOf = async (url: string, tag = 'latest') =>
  Number(await rpc<string>(url, 'eth_getTransactionCount', [treasury.address, tag]));

/** Sends a call of USDC from the treasury, and waits until it is mined. */
async function transfer(data: string) {
  const raw = await signWish({ nonce: await nonceOf(simulated.url), data });
  return waitForReceipt(simulated.url, await rpc<string>(simulated.url, 'eth_sendRawTransaction', [raw]));
}

describe('the simulated chain', () => {
  it('finalizes a block two blocks later, and knows the state of the final block', async () => {
    const before = await nonceOf(simulated.url);
    const { blockNumber } = await transfer(encodeTransfer(client, 13n));
    const finalized = async () =>
      Number(
        (await rpc<{ number: string }>(simulated.url, 'eth_getBlockByNumber', ['finalized', false])).number,
      );

    await expect.poll(finalized).toBeGreaterThanOrEqual(Number(blockNumber));

    expect(await nonceOf(simulated.url, 'finalized')).toBe(before + 1);
    expect(await nonceOf(simulated.url, `0x${(Number(blockNumber) - 1).toString(16)}`)).toBe(before);
    expect(await nonceOf(simulated.url, blockNumber)).toBe(before + 1);
  });

  it('mines transactions that arrive in the wrong order, as soon as the gap is closed', async () => {
    const nonce = await nonceOf(simulated.url);
    const data = encodeTransfer(client, 17n);
    const raws = await Promise.all([2, 1, 0].map((more) => signWish({ nonce: nonce + more, data })));
    const hashes = [];
    for (const raw of raws) {
      hashes.push(await rpc<string>(simulated.url, 'eth_sendRawTransaction', [raw]));
      await rpc(simulated.url, 'eth_blockNumber');
    }

    for (const hash of hashes) expect((await waitForReceipt(simulated.url, hash)).status).toBe('0x1');
    expect(await nonceOf(simulated.url)).toBe(nonce + 3);
  });

  it('loses nothing when instances race: many sends at once land, each exactly once', async () => {
    const wallets = Array.from({ length: 8 }, () => Wallet.createRandom());
    const receiver = Wallet.createRandom().address;
    for (const { address } of wallets) {
      await rpc(simulated.url, 'anvil_setBalance', [address, '0xde0b6b3a7640000']);
      await asOwner(simulated.url, 'USDC', 'mint', [address, 1_000n]);
    }
    const raws = await Promise.all(
      wallets.map((from) =>
        signWish({ from: from as unknown as Wallet, nonce: 0, data: encodeTransfer(receiver, 1n) }),
      ),
    );
    const before = await balanceOf(simulated.url, 'USDC', receiver);

    const sends = raws.flatMap((raw) =>
      [simulated.url, other.url].map((url) => askNode(url, 'eth_sendRawTransaction', [raw])),
    );
    const answers = await Promise.all(sends);

    // Each transaction is sent to both instances. One accepts it, and the other then refuses it as known.
    expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(wallets.length);
    for (const { error } of answers.filter((answer) => answer.result === undefined))
      expect((error as Json).message).toMatch(/already known|nonce too low/);
    for (const raw of raws) await waitForReceipt(other.url, Transaction.from(raw).hash!);
    for (const { url } of [simulated, other])
      expect((await balanceOf(url, 'USDC', receiver)) - before).toBe(BigInt(wallets.length));
    const topics = [null, null, `0x${receiver.slice(2).toLowerCase().padStart(64, '0')}`];
    const logs = await rpc<Json[]>(other.url, 'eth_getLogs', [{ fromBlock: '0x0', topics }]);
    expect(new Set(logs.map(({ transactionHash }) => transactionHash)).size).toBe(wallets.length);
  });

  it('shows one block under one number on all instances, whatever arrives meanwhile', async () => {
    const seen = new Map<string, string>();
    for (let round = 0; round < 20; round++) {
      const url = round % 2 === 0 ? simulated.url : other.url;
      if (round % 5 === 0)
        await actAsOwner(url, blockCall('USDC', client)).then(() =>
          actAsOwner(url, unblockCall('USDC', client)),
        );
      const { number, hash } = await rpc<{ number: string; hash: string }>(url, 'eth_getBlockByNumber', [
        'latest',
        false,
      ]);
      expect(seen.get(number) ?? hash).toBe(hash);
      seen.set(number, hash);
    }
    for (const [number, hash] of seen) {
      const { hash: now } = await rpc<{ hash: string }>(other.url, 'eth_getBlockByNumber', [number, false]);
      expect(now).toBe(hash);
    }
  });

  it('releases a trap after its reverts, without anybody who watches', async () => {
    const to = Wallet.createRandom().address;
    await setTrap(simulated.url, { token: USDC, to, units: 5n, reverts: 2 });
    const statuses = [];
    for (let tries = 0; tries < 3; tries++) {
      statuses.push((await transfer(encodeTransfer(to, 5n))).status);
    }

    expect(statuses).toEqual(['0x0', '0x0', '0x1']);
  });

  it('lets the owner of the contracts act through the control key alone', async () => {
    const { publicUrl } = simulated;
    const owner = new Wallet(DEPLOYER_KEY);
    const nonce = Number(await rpc(publicUrl, 'eth_getTransactionCount', [DEPLOYER, 'latest']));
    const raw = await signWish({ nonce, from: owner, data: '0x8456cb59' });

    expect((await askNode(publicUrl, 'eth_sendRawTransaction', [raw])).error).toMatchObject({ code: -32000 });
    for (const method of ['eth_sendTransaction', 'anvil_setBalance', 'evm_mine'])
      expect((await askNode(publicUrl, method, [{}])).error).toMatchObject({ code: -32601 });
    const wrong = await fetch(`${publicUrl}/another-key`, { method: 'POST', body: '{}' });
    expect(wrong.status).toBe(403);
  });

  it('refuses input that is malformed', async () => {
    for (const [method, ...params] of [
      ['eth_getBalance', 'me'],
      ['eth_getBalance', client, 'yesterday'],
      ['eth_call', { to: USDC, data: '0x1' }],
      ['eth_call', 'transfer'],
      ['eth_getLogs', { fromBlock: 'x' }],
    ])
      expect((await askNode(simulated.publicUrl, String(method), params)).error).toMatchObject({
        code: -32602,
      });
    expect(await askNode(simulated.publicUrl, 'eth_getBlockByNumber', [])).toMatchObject({ result: {} });
  });
});
