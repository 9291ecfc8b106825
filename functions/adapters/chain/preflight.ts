import { ASSET_NAMES, ASSETS, type PerAsset } from '../../domain/assets.ts';
import { Unavailable } from '../../domain/errors.ts';
import { getFirst } from '../../domain/get.ts';
import type { ClaimTrouble } from '../../domain/treasury/doing.ts';
import type { Requested, TryFailure } from '../../domain/treasury/settlement.ts';
import { type Chain, isSameAddress, reservedAddresses, type Token } from './chain.ts';
import { isTransferable, readBalance, readBlocked, readDecimals, readPaused } from './erc20.ts';
import { type Fees, GAS_LIMIT, readFees } from './payment.ts';
import { asSilence, type Node, quantity, type Rpc, toHex } from './rpc.ts';
import { askOracle } from './sanctions-oracle.ts';

/** `latest` is the number of the wallet's transactions in the chain, `balance` what it has there in base units of the asset. */
export type WalletOnChain = { address: string; latest: number; balance: bigint };

/** `hold`: not now, and nobody's fault, so no try is used. `refuse`: the chain would refuse it. */
type Objection = { hold: ClaimTrouble } | { refuse: TryFailure };
/** No try can ever succeed. */
type Prohibition = { never: TryFailure };
/** The wallets that may take a nonce for a payment, one at least, or what speaks against it. */
export type Clearance = { wallets: WalletOnChain[] } | Objection | Prohibition;

/** Everything that can fail safely, because no nonce is owned yet (docs/settlement.md, step 2). */
export async function preflight(
  rpc: Rpc,
  chain: Chain,
  payment: Requested,
  wallets: readonly string[],
): Promise<Clearance> {
  const token = chain.tokens[payment.asset];
  const { to } = payment;
  if ([...wallets, ...reservedAddresses(chain)].some((each) => isSameAddress(each, to))) {
    return { never: 'DESTINATION_RESERVED' };
  }
  const fees = readFees(rpc, chain);
  const [{ isSanctioned }, isBlocked, isPaused, each] = await Promise.all([
    askOracle(rpc, chain, to),
    readBlocked(rpc, token, to),
    readPaused(rpc, token),
    Promise.all(wallets.map((from) => clearWallet(rpc, chain, payment, { from, fees }))),
  ]);
  // Looked at again for every try: the state machine's own check may be hours old by now.
  if (isSanctioned) return { refuse: 'DESTINATION_SANCTIONED' };
  if (isBlocked) return { refuse: 'DESTINATION_BLACKLISTED' };
  return isPaused ? { hold: 'paused' } : together(each);
}

/** A refusal by a wallet that has the tokens says more than another's want of them. */
function together(each: (WalletOnChain | Objection)[]): Clearance {
  const wallets: WalletOnChain[] = [];
  const objections: Objection[] = [];
  for (const one of each) 'latest' in one ? wallets.push(one) : objections.push(one);
  if (wallets.length > 0) return { wallets };
  return objections.find((one) => 'refuse' in one) ?? getFirst(objections);
}

async function clearWallet(
  rpc: Rpc,
  chain: Chain,
  { asset, to, units }: Requested,
  { from, fees }: { from: string; fees: Promise<Fees> },
): Promise<WalletOnChain | Objection> {
  const token = chain.tokens[asset];
  const [{ latest, balance }, isTaken, gas, { isOverCap, maxFeePerGas }] = await Promise.all([
    readTokens(rpc, token, from),
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
 * The count first, then the balance: a transfer that is mined in between is off the balance and taken for one that is
 * still on its way. So it counts twice, which another visit puts right, and not never, which would promise its tokens again.
 */
async function readTokens(rpc: Rpc, token: Token, from: string): Promise<Omit<WalletOnChain, 'address'>> {
  const latest = await readNonce(rpc, from);
  return { latest, balance: await readBalance(rpc, token, from) };
}

/** Transactions of the wallet that are in the chain, up to that block: its next nonce if nothing were pending. */
export async function readNonce(rpc: Node, wallet: string, block = 'latest'): Promise<number> {
  return Number(quantity(await rpc.call('eth_getTransactionCount', [wallet, block])));
}

/**
 * The least that any node counts, for where a count begins: were it too many, the wallet would wait for a nonce that nobody
 * ever uses. `Unavailable` where fewer answer than are to agree.
 */
export async function leastNonce(rpc: Rpc, { minimumNodes = 1 }: Chain, wallet: string): Promise<number> {
  const nodes = await rpc.nodes();
  const counts = await Promise.all(nodes.map((node) => readNonce(node, wallet).catch(asSilence)));
  const heard = counts.filter((count) => count !== undefined);
  if (heard.length < minimumNodes) throw new Unavailable('chain RPC');
  return Math.min(...heard);
}

type Decimals = { decimals: number };

/** Throws for the wrong chain or token, before anything is signed. False: a node did not answer. */
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

/** Undefined where the node is out. One on another chain would never show a transfer, which then waits for ever. */
async function readChainId(node: Node): Promise<bigint | undefined> {
  return node.call('eth_chainId', []).then(quantity).catch(asSilence);
}

/** In wei. */
export async function readGas(rpc: Rpc, wallet: string): Promise<bigint> {
  return quantity(await rpc.call('eth_getBalance', [wallet, 'latest']));
}
