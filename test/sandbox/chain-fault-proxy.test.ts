import { Transaction, Wallet } from 'ethers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Anvil, startAnvil } from '../../sandbox/chain/anvil.ts';
import { type FaultProxy, startFaultProxy } from '../../sandbox/chain/fault-proxy.ts';
import { rpc, waitForReceipt } from '../../sandbox/chain/rpc.ts';

const wallet = new Wallet(`0x${'12'.repeat(32)}`);
const receiver = `0x${'77'.repeat(20)}`;
const GWEI = 10n ** 9n;
const FUNDED = '0x56bc75e2d63100000';

let chain: Anvil;
let proxy: FaultProxy;

beforeAll(async () => {
  chain = await startAnvil();
  proxy = await startFaultProxy(chain.url);
  await rpc(chain.url, 'anvil_setBalance', [wallet.address, FUNDED]);
});
afterEach(() => proxy.heal());
afterAll(async () => {
  await proxy?.stop();
  await chain?.stop();
});

type Fees = { feeCap?: bigint; tip?: bigint; value?: bigint };

function sign(nonce: number, { feeCap = 100n * GWEI, tip = 10n * GWEI, value = 1n }: Fees = {}) {
  const fees = { maxFeePerGas: feeCap, maxPriorityFeePerGas: tip };
  return wallet.signTransaction(
    Transaction.from({ type: 2, chainId: 31337, nonce, to: receiver, value, gasLimit: 21_000n, ...fees }),
  );
}

const nextNonce = async (url = chain.url) =>
  Number(await rpc<string>(url, 'eth_getTransactionCount', [wallet.address, 'latest']));
const send = (raw: string, url = proxy.url) => rpc<string>(url, 'eth_sendRawTransaction', [raw]);

describe('the fault proxy', () => {
  it('passes calls on, batches included, and keeps their names', async () => {
    proxy.calls.length = 0;
    const batch = ['eth_chainId', 'eth_blockNumber'].map((method, id) => ({
      jsonrpc: '2.0',
      id,
      method,
      params: [],
    }));

    const response = await fetch(proxy.url, { method: 'POST', body: JSON.stringify(batch) });

    expect(await response.json()).toMatchObject([{ id: 0, result: '0x7a69' }, { id: 1 }]);
    expect(proxy.calls).toEqual(['eth_chainId', 'eth_blockNumber']);
  });

  it('is unreachable while down and serves again when healed', async () => {
    proxy.faults.down = true;
    await expect(rpc(proxy.url, 'eth_chainId')).rejects.toThrow();

    proxy.heal();

    expect(await rpc(proxy.url, 'eth_chainId')).toBe('0x7a69');
  });

  it('loses the answer to a send that the node has taken', async () => {
    const raw = await sign(await nextNonce());
    proxy.faults.dropAnswers = ['eth_sendRawTransaction'];

    await expect(send(raw)).rejects.toThrow();

    const hash = Transaction.from(raw).hash ?? '';
    expect((await waitForReceipt(proxy.url, hash)).status).toBe('0x1');
  });

  it('shows no receipt of a mined transaction', async () => {
    const hash = await send(await sign(await nextNonce()));
    await waitForReceipt(chain.url, hash);
    proxy.faults.nullReceipts = true;

    expect(await rpc(proxy.url, 'eth_getTransactionReceipt', [hash])).toBeNull();
  });

  it('refuses sends without telling the node', async () => {
    const raw = await sign(await nextNonce());
    proxy.faults.refuseSends = { code: -32603, message: 'nonce too low' };

    await expect(send(raw)).rejects.toThrow('nonce too low');

    expect(await rpc(chain.url, 'eth_getTransactionByHash', [Transaction.from(raw).hash])).toBeNull();
  });

  it('shows nonces, balances, receipts and the head as they were some blocks ago', async () => {
    const before = await nextNonce();
    const hash = await send(await sign(before));
    await waitForReceipt(chain.url, hash);
    proxy.faults.staleBlocks = 1_000;

    expect(await rpc(proxy.url, 'eth_blockNumber')).toBe('0x0');
    expect(await nextNonce(proxy.url)).toBe(0);
    expect(await rpc(proxy.url, 'eth_getTransactionCount', [wallet.address, 'pending'])).toBe('0x0');
    // The first block may be mined before or after the wallet is funded.
    const first = await rpc(chain.url, 'eth_getBalance', [wallet.address, '0x0']);
    expect(await rpc(proxy.url, 'eth_getBalance', [wallet.address])).toBe(first);
    expect(await rpc(chain.url, 'eth_getBalance', [wallet.address, 'latest'])).not.toBe(first);
    expect(await rpc(proxy.url, 'eth_getTransactionReceipt', [hash])).toBeNull();
    expect(await rpc(proxy.url, 'eth_getTransactionByHash', [hash])).toBeNull();
    expect(await nextNonce()).toBe(before + 1);
  });
});

describe("geth's replacement rule", () => {
  // The nonce leaves a gap. The first transaction therefore stays in the pool and can be replaced.
  const queued = async () => (await nextNonce()) + 5;

  it.each([
    ['nine percent more on both', { feeCap: 109n * GWEI, tip: (109n * GWEI) / 10n }, false],
    ['ten percent more on the cap only', { feeCap: 110n * GWEI, tip: 10n * GWEI }, false],
    ['ten percent more on the tip only', { feeCap: 100n * GWEI, tip: 11n * GWEI }, false],
    ['ten percent more on both', { feeCap: 110n * GWEI, tip: 11n * GWEI }, true],
  ])('judges %s', async (_, fees, accepted) => {
    const nonce = await queued();
    await send(await sign(nonce));
    proxy.faults.gethReplacementRule = true;

    const replaced = await send(await sign(nonce, fees)).then(
      () => true,
      (error: Error) => error.message,
    );

    expect(replaced).toBe(accepted || 'eth_sendRawTransaction: replacement transaction underpriced');
    await rpc(chain.url, 'anvil_dropAllTransactions');
  });

  it('is less strict in anvil itself', async () => {
    const nonce = await queued();
    await send(await sign(nonce));

    await send(await sign(nonce, { feeCap: 109n * GWEI, tip: (109n * GWEI) / 10n }));

    await rpc(chain.url, 'anvil_dropAllTransactions');
  });
});

describe('the words of a refusal', () => {
  it.each([
    ['geth', 'already known', 'nonce too low: next nonce 2, tx nonce 1'],
    ['openethereum', 'was already imported', 'nonce is too low'],
    ['nethermind', 'AlreadyKnown', 'OldNonce'],
    ['besu', 'Known transaction', 'Nonce too low'],
  ] as const)('can be those of %s', async (client, known, low) => {
    const nonce = await nextNonce();
    const raw = await sign(nonce + 3);
    await send(raw);
    proxy.faults.words = client;

    await expect(send(raw)).rejects.toThrow(known);

    await rpc(chain.url, 'anvil_dropAllTransactions');
    proxy.heal();
    await waitForReceipt(chain.url, await send(await sign(nonce)));
    proxy.faults.words = client;
    await expect(send(await sign(nonce, { value: 2n }))).rejects.toThrow(low);
  });
});
