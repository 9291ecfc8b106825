/** The gas of our transactions. Its currency in the ledger is `NATIVE`, the coin of the chain. */
import { move, type Posting, postingOf } from '../ledger.ts';

/** The cost of the transaction that is final at a nonce: gas used times the price that was paid, in wei. */
export type GasSpent = { txHash: string; wei: bigint; at: number };

/** The nonce of a wallet, and the settlement to which it was assigned. */
type NonceSlot = { chainId: number; wallet: string; nonce: number; transactionId: string };

/**
 * The posting of the gas that a nonce has cost. Its id names the nonce, so a nonce has at most one such
 * posting.
 */
export function gasPosting({ chainId, wallet, nonce, transactionId }: NonceSlot, gas: GasSpent): Posting {
  const { txHash, wei, at } = gas;
  const entries = move('NATIVE', wei, { debit: 'gas', credit: 'treasury:NATIVE' });
  const slot = [chainId, wallet.toLowerCase(), nonce].join(':');
  return postingOf(slot, 'GAS_SPENT', at, { transactionId, txHash, entries });
}

/** The wallet and the nonce that the id of a posting of gas names. */
export function nonceOfPosting({ id }: Pick<Posting, 'id'>): Pick<NonceSlot, 'wallet' | 'nonce'> {
  const [, wallet = '', nonce] = id.replace(/#GAS_SPENT$/, '').split(':');
  return { wallet, nonce: Number(nonce) };
}
