import { ASSET_NAMES, ASSETS, type PerAsset } from '../../domain/assets.ts';
import { Unavailable } from '../../domain/errors.ts';
import { getFirst } from '../../domain/get.ts';
import type { ClaimTrouble } from '../../domain/treasury/doing.ts';
import type { Payout, TryFailure } from '../../domain/treasury/settlement.ts';
import { type Chain, type ChainToken, isSameAddress, reservedAddresses } from './chain.ts';
import { isTransferable, readBalance, readBlocked, readDecimals, readPaused } from './erc20.ts';
import { type Fees, GAS_LIMIT, readFees } from './payment.ts';
import { asSilence, type Node, quantity, type Rpc, toHex } from './rpc.ts';
import { askOracle } from './sanctions-oracle.ts';

/**
 * A wallet as the chain shows it. `latest` is the number of its transactions. `balance` is in base units of the asset.
 */
export type WalletOnChain = { address: string; latest: number; balance: bigint };

/**
 * Why the payment cannot be made now. `hold`: a later visit may succeed, and no try is used up. `refuse`: the
 * destination is sanctioned or blocked, or the contract refuses the transfer. That is a failed try.
 */
type Objection = { hold: ClaimTrouble } | { refuse: TryFailure };
/**
 * No try can ever succeed, because the destination is one of our wallets, or a contract that must never be
 * paid.
 */
type Prohibition = { never: TryFailure };
/**
 * The result of all checks: the wallets that may take a nonce for the payment, with the present fees. Otherwise the
 * reason against the payment.
 */
export type Clearance = { wallets: WalletOnChain[]; fees: Fees } | Objection | Prohibition;

/**
 * A hot wallet, of which the number of transactions (`latest`) is already being read. `readTokens` tells why it comes
 * before the balance.
 */
export type AskedWallet = { address: string; latest: Promise<number> };
/** The first questions to the chain: about our wallets, and about its newest block, for which the oracle is asked. */
export type AskedChain = { wallets: readonly AskedWallet[]; head: Promise<bigint> };

/** Makes all checks while the payment owns no nonce, so that a failure is safe (docs/settlement.md, step 2). */
export async function preflight(
  rpc: Rpc,
  chain: Chain,
  payment: Payout,
  { wallets, head }: AskedChain,
): Promise<Clearance> {
  const token = chain.tokens[payment.asset];
  const { to } = payment;
  const ours = wallets.map(({ address }) => address);
  if ([...ours, ...reservedAddresses(chain)].some((each) => isSameAddress(each, to))) {
    return { never: 'DESTINATION_RESERVED' };
  }
  const fees = readFees(rpc, chain);
  const [{ isSanctioned }, isBlocked, isPaused, each] = await Promise.all([
    askOracle(rpc, chain, { address: to, head }),
    readBlocked(rpc, token, to),
    readPaused(rpc, token),
    Promise.all(wallets.map((wallet) => clearWallet(rpc, chain, payment, { wallet, fees }))),
  ]);
  // The state machine checked this before, but that may be hours ago. Therefore every try checks it again.
  if (isSanctioned) return { refuse: 'DESTINATION_SANCTIONED' };
  if (isBlocked) return { refuse: 'DESTINATION_BLACKLISTED' };
  return isPaused ? { hold: 'paused' } : clearanceOf(each, await fees);
}

/**
 * Returns the wallets that passed all checks. If none did, returns an objection: the first `refuse`, or the
 * first `hold` if no wallet has a `refuse`.
 */
function clearanceOf(each: (WalletOnChain | Objection)[], fees: Fees): Clearance {
  const wallets: WalletOnChain[] = [];
  const objections: Objection[] = [];
  for (const one of each) 'latest' in one ? wallets.push(one) : objections.push(one);
  if (wallets.length > 0) return { wallets, fees };
  return objections.find((one) => 'refuse' in one) ?? getFirst(objections);
}

async function clearWallet(
  rpc: Rpc,
  chain: Chain,
  { asset, to, units }: Payout,
  { wallet, fees }: { wallet: AskedWallet; fees: Promise<Fees> },
): Promise<WalletOnChain | Objection> {
  const token = chain.tokens[asset];
  const { address: from } = wallet;
  const [{ latest, balance }, isTaken, gas, { isOverCap, maxFeePerGas }] = await Promise.all([
    readTokens(rpc, token, wallet),
    isTransferable(rpc, { token: token.address, from, to, units }),
    readGas(rpc, from),
    fees,
  ]);
  if (balance < units) return { hold: 'treasury balance' };
  if (!isTaken) return { refuse: 'TRANSFER_REFUSED' };
  if (isOverCap) return { hold: 'fees above the cap' };
  return gas < GAS_LIMIT * maxFeePerGas ? { hold: 'treasury gas' } : { address: from, latest, balance };
}

/**
 * Reads the number of transactions before the balance. A payment that is mined in between is counted twice: its units
 * have left the balance, and it still counts as in flight. That is safe. In the other order it would not be counted at
 * all, and its units would be promised again.
 */
async function readTokens(
  rpc: Rpc,
  token: ChainToken,
  wallet: AskedWallet,
): Promise<Omit<WalletOnChain, 'address'>> {
  const latest = await wallet.latest;
  return { latest, balance: await readBalance(rpc, token, wallet.address) };
}

/**
 * The number of the wallet's transactions up to `block`. If no transaction is pending, this is also the next
 * nonce.
 */
export async function readNonce(rpc: Node, wallet: string, block = 'latest'): Promise<number> {
  return Number(quantity(await rpc.call('eth_getTransactionCount', [wallet, block])));
}

/**
 * The lowest number of transactions that any node reports. A new wallet starts with this nonce. If it started too high,
 * it would wait for a nonce that nobody uses. `Unavailable` if fewer than `minimumNodes` answer.
 */
export async function leastNonce(rpc: Rpc, { minimumNodes = 1 }: Chain, wallet: string): Promise<number> {
  const nodes = await rpc.nodes();
  const counts = await Promise.all(nodes.map((node) => readNonce(node, wallet).catch(asSilence)));
  const heard = counts.filter((count) => count !== undefined);
  if (heard.length < minimumNodes) throw new Unavailable('chain RPC');
  return Math.min(...heard);
}

type Decimals = { decimals: number };

/**
 * Throws before anything is signed if too few nodes are configured, or if they have the wrong chain or tokens. False if
 * a node did not answer, so that the next claim checks again. `Unavailable` if no node answered.
 */
export async function requireChain(
  rpc: Rpc,
  chain: Chain,
  assets: PerAsset<Decimals> = ASSETS,
): Promise<boolean> {
  const nodes = await rpc.nodes();
  const minimum = chain.minimumNodes ?? 1;
  if (nodes.length < minimum) throw new Error(`${nodes.length} chain nodes are configured, not ${minimum}`);
  const ids = await Promise.all(nodes.map(readChainId));
  const heard = ids.filter((id) => id !== undefined);
  if (heard.length === 0) throw new Unavailable('chain RPC');
  const other = heard.find((id) => id !== BigInt(chain.chainId));
  if (other !== undefined)
    throw new Error(`the nodes are on chain ${toHex(other)}, not ${toHex(chain.chainId)}`);
  for (const asset of ASSET_NAMES) {
    const { decimals } = assets[asset];
    const found = await readDecimals(rpc, chain.tokens[asset]);
    if (found !== decimals) throw new Error(`${asset} has ${found} decimals on the chain, not ${decimals}`);
  }
  return heard.length === nodes.length;
}

/**
 * The chain id of a node. Undefined if the node does not answer. A node on another chain would never show our transfer,
 * and the payment would wait for ever.
 */
async function readChainId(node: Node): Promise<bigint | undefined> {
  return node.call('eth_chainId', []).then(quantity).catch(asSilence);
}

/** The balance of the wallet in wei. */
export async function readGas(rpc: Rpc, wallet: string): Promise<bigint> {
  return quantity(await rpc.call('eth_getBalance', [wallet, 'latest']));
}
