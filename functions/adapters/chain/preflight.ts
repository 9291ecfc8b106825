import type { Settlement } from '../../domain/settlement.ts';
import { type Chain, isSameAddress, reservedAddresses } from './chain.ts';
import { isTransferable, readBalance, readBlacklisted, readDecimals, readPaused } from './erc20.ts';
import { GAS_LIMIT, readFees } from './payment.ts';
import { quantity, type Rpc, toHex } from './rpc.ts';
import { askOracle } from './sanctions-oracle.ts';

const DECIMALS = 6;

/**
 * May the wallet take a nonce for this payment? `hold`: not now, and nobody's fault, so no try is used. `refuse`: the
 * chain would refuse it. `latest` is the number of the wallet's transactions in the chain.
 */
export type Clearance = { latest: number } | { hold: string } | { refuse: string };

/** Everything that can fail safely, because no nonce is owned yet (docs/settlement.md, step 2). */
export async function preflight(
  rpc: Rpc,
  chain: Chain,
  payment: Settlement,
  from: string,
): Promise<Clearance> {
  const token = chain.tokens[payment.asset];
  const { to, units } = payment;
  if ([from, ...reservedAddresses(chain)].some((each) => isSameAddress(each, to))) {
    return { refuse: 'DESTINATION_RESERVED' };
  }
  const [{ isSanctioned }, isListed, isPaused, balance, isTaken, gas, latest] = await Promise.all([
    askOracle(rpc, chain, to),
    readBlacklisted(rpc, token, to),
    readPaused(rpc, token),
    readBalance(rpc, token, from),
    isTransferable(rpc, { token: token.address, from, to, units }),
    gasHold(rpc, chain, from),
    readNonce(rpc, from),
  ]);
  // Looked at again for every try: the state machine's own check may be hours old by now.
  if (isSanctioned) return { refuse: 'DESTINATION_SANCTIONED' };
  if (isListed) return { refuse: 'DESTINATION_BLACKLISTED' };
  if (isPaused) return { hold: 'paused' };
  if (balance < units) return { hold: 'treasury balance' };
  return isTaken ? (gas ?? { latest }) : { refuse: 'TRANSFER_REFUSED' };
}

/** Transactions of the wallet that are in the chain: its next nonce if nothing were pending. */
export async function readNonce(rpc: Rpc, wallet: string): Promise<number> {
  return Number(quantity(await rpc.call('eth_getTransactionCount', [wallet, 'latest'])));
}

/** Stops a service that was pointed at the wrong chain or token, before it signs anything. */
export async function requireChain(rpc: Rpc, chain: Chain): Promise<void> {
  const nodes = await rpc.nodes();
  const minimum = chain.minimumNodes ?? 1;
  if (nodes.length < minimum) throw new Error(`${nodes.length} chain nodes are configured, not ${minimum}`);
  const found = quantity(await rpc.call('eth_chainId', []));
  if (found !== BigInt(chain.chainId)) {
    throw new Error(`the nodes are on chain ${toHex(found)}, not ${toHex(chain.chainId)}`);
  }
  for (const [asset, token] of Object.entries(chain.tokens)) {
    if ((await readDecimals(rpc, token)) !== DECIMALS)
      throw new Error(`${asset} has not ${DECIMALS} decimals`);
  }
}

async function gasHold(rpc: Rpc, chain: Chain, from: string): Promise<{ hold: string } | undefined> {
  const fees = await readFees(rpc, chain);
  if (fees.isOverCap) return { hold: 'fees above the cap' };
  const gas = quantity(await rpc.call('eth_getBalance', [from, 'latest']));
  return gas < GAS_LIMIT * fees.maxFeePerGas ? { hold: 'treasury gas' } : undefined;
}
