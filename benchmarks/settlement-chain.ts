import { setTimeout as pause } from 'node:timers/promises';
import { hexlify, SigningKey, Transaction } from 'ethers';
import { encodeTransfer } from '../functions/adapters/chain/erc20.ts';
import { GAS_LIMIT } from '../functions/adapters/chain/payment.ts';
import { getDefined } from '../functions/domain/get.ts';
import { startAnvil } from '../sandbox/chain/anvil.ts';
import { balanceOf, deploy, fund, localChain } from '../sandbox/chain/deploy.ts';
import { type Receipt, rpc } from '../sandbox/chain/rpc.ts';
import { random } from '../test/support/settlement-world.ts';

export const UNITS = 1_000_000n;
/**
 * 400 gwei, far above the base fee of 1 gwei from which each measurement starts. A full block raises the base
 * fee by at most an eighth.
 */
const FEES = { maxFeePerGas: 400n * 10n ** 9n, maxPriorityFeePerGas: 10n ** 9n };
const BLOCK_SECONDS = 1;
const BLOCK_GAS = 30_000_000n;
const BASE_FEE = '0x3b9aca00';
const BATCH = 100;
/** A deep pool makes anvil slower, so the blast keeps only the next four blocks ready. */
const AHEAD = 2_000;

export type World = { url: string; stop(): Promise<void> };
export type Sent = { hash: string; raw: string };

/**
 * Starts anvil with the tokens and a block of 30M gas every second. Throws if its blocks have another gas
 * limit.
 */
export async function openChain(): Promise<World> {
  const anvil = await startAnvil({ blockSeconds: BLOCK_SECONDS });
  await deploy(anvil.url);
  const { gasLimit } = await rpc<{ gasLimit: string }>(anvil.url, 'eth_getBlockByNumber', ['latest', false]);
  if (BigInt(gasLimit) !== BLOCK_GAS) throw new Error(`blocks have ${BigInt(gasLimit)} gas`);
  return anvil;
}

export const newKey = () => hexlify(random.bytes(32));
export const newRecipient = () => hexlify(random.bytes(20));

/**
 * Gives the wallet ample wei, and twice the tokens that the transfers send. If a wallet is nearly empty, the
 * protocol lets transfers wait for each other.
 */
export async function fundFor({ url }: World, wallet: string, transfers: number): Promise<void> {
  await fund(url, wallet, { wei: 10n ** 24n, tokenUnits: 2n * UNITS * BigInt(transfers) });
}

/**
 * Sets the base fee back to 1 gwei and waits for a new block. Every measured method then starts from the same
 * chain.
 */
export async function nextBlock({ url }: World): Promise<void> {
  await rpc(url, 'anvil_setNextBlockBaseFeePerGas', [BASE_FEE]);
  const head = await rpc<string>(url, 'eth_blockNumber');
  while ((await rpc<string>(url, 'eth_blockNumber')) === head) await pause(5);
}

/** Signs `transfers` transfers before any measurement, each to a new recipient. */
export function presign(key: string, transfers: number): Sent[] {
  const signer = new SigningKey(key);
  return Array.from({ length: transfers }, (_, nonce) => {
    const data = encodeTransfer(newRecipient(), UNITS);
    const to = localChain.tokens.USDC;
    const payment = { type: 2, chainId: localChain.chainId, nonce, to, data, gasLimit: GAS_LIMIT, ...FEES };
    const transaction = Transaction.from(payment);
    transaction.signature = signer.sign(transaction.unsignedHash);
    return {
      hash: getDefined(transaction.hash ?? undefined, 'hash of signed bytes'),
      raw: transaction.serialized,
    };
  });
}

/**
 * Sends signed transactions as fast as the node takes them. Returns when every receipt was read. Throws if a
 * transfer failed.
 */
export async function blast({ url }: World, wallet: string, sent: Sent[]): Promise<void> {
  let mined = 0;
  for (let at = 0; at < sent.length; at += BATCH) {
    while (at - mined >= AHEAD) {
      await pause(20);
      mined = await countMined(url, wallet);
    }
    const raws = sent.slice(at, at + BATCH).map(({ raw }) => raw);
    await batch(url, 'eth_sendRawTransaction', raws);
  }
  while ((await countMined(url, wallet)) < sent.length) await pause(20);
  for (let at = 0; at < sent.length; at += BATCH) {
    const hashes = sent.slice(at, at + BATCH).map(({ hash }) => hash);
    const receipts = await batch<Receipt | null>(url, 'eth_getTransactionReceipt', hashes);
    if (receipts.some((receipt) => receipt?.status !== '0x1')) throw new Error('a blasted transfer failed');
  }
}

/** The plain way: sends one transaction, waits for its receipt, and sends the next. */
export async function awaitEach({ url }: World, sent: Sent[]): Promise<void> {
  for (const { hash, raw } of sent) {
    await rpc(url, 'eth_sendRawTransaction', [raw]);
    while ((await rpc<Receipt | null>(url, 'eth_getTransactionReceipt', [hash])) === null) await pause(50);
  }
}

/** Throws unless the wallet made exactly `transfers` transactions and paid exactly their sum. */
export async function requirePaid({ url }: World, wallet: string, transfers: number): Promise<void> {
  const [mined, left] = await Promise.all([countMined(url, wallet), balanceOf(url, 'USDC', wallet)]);
  if (mined !== transfers || left !== UNITS * BigInt(transfers)) {
    throw new Error(`${mined} transactions of ${transfers}, ${left} units left`);
  }
}

async function countMined(url: string, wallet: string): Promise<number> {
  return Number(await rpc<string>(url, 'eth_getTransactionCount', [wallet, 'latest']));
}

async function batch<T>(url: string, method: string, values: string[]): Promise<T[]> {
  const calls = values.map((value, id) => ({ jsonrpc: '2.0', id, method, params: [value] }));
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(calls) });
  const replies = (await response.json()) as { id: number; result?: T; error?: { message: string } }[];
  const refused = replies.find(({ error }) => error);
  if (refused) throw new Error(`${method}: ${refused.error?.message}`);
  return replies.sort((a, b) => a.id - b.id).map(({ result }) => result as T);
}
