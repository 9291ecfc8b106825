import { type Asset, type PerAsset, perAsset } from '../assets.ts';
import type { DoingWait, WalletTrouble } from './doing.ts';

/** A party outside the service used a nonce that belonged to one of our payments. */
export type Theft = { reason: 'NONCE_USED_ELSEWHERE'; at: number; nonce: number };
/** An operator has taken the wallet out of use. `why` is the operator's reason. */
type OperatorHold = { reason: 'OPERATOR'; at: number; by: string; why: string };
/** The reason for which a wallet assigns no nonces to payments. */
export type Quarantine = Theft | OperatorHold;

/** One wallet of the treasury, as the settlements table and the chain show it. */
export type HotWallet = {
  address: string;
  /** The next nonce that the wallet's row will assign. */
  next: number;
  quarantine?: Quarantine;
  /**
   * The number of the wallet's transactions in the chain, which is also the next nonce that the chain
   * accepts.
   */
  latest: number;
};

/** An amount of each asset, in base units. */
export type AssetUnits = PerAsset<bigint>;

export const NOTHING: AssetUnits = perAsset(() => 0n);

/**
 * A wallet as its row in the settlements table has it. `committed` sums all payouts that ever got a nonce of
 * the wallet, also those that failed. `mark.committed` is this sum as it was before the payout at
 * `mark.nonce` was added. `mark.nonce` is the next nonce that the chain accepts, or an earlier one.
 */
export type NonceBooks = Pick<HotWallet, 'next' | 'quarantine'> & {
  committed: AssetUnits;
  mark: { nonce: number; committed: AssetUnits };
};

export function withPayment<Counted extends Pick<NonceBooks, 'next' | 'committed'>>(
  account: Counted,
  { asset, units }: { asset: Asset; units: bigint },
): Counted {
  const { next, committed } = account;
  return { ...account, next: next + 1, committed: { ...committed, [asset]: committed[asset] + units } };
}

/**
 * The units that payments in flight may still take from the wallet. These payments have a nonce, and are not
 * counted in `mark`. If the mark is old, the result is too large, which is safe.
 */
export function promisedOf({ committed, mark }: NonceBooks, asset: Asset): bigint {
  return committed[asset] - mark.committed[asset];
}

/**
 * A wallet whose `balance` covers one payment. `promised` is the part of the balance that payments in
 * flight may still take. The two amounts are in base units of the payment's asset. The wallet may be in
 * quarantine.
 */
export type Payer = HotWallet & { balance: bigint; promised: bigint };

/**
 * The chosen wallet, or why there is none. `wait`: each wallet that may pay has `maxInFlight` payments in
 * flight, or too little balance that is not promised to them. The next visit to the settlement chooses
 * again. `hold`: no wallet may assign a nonce until a person acts.
 */
type WalletChoice = { wallet: string; nonce: number } | { wait: DoingWait } | { hold: WalletTrouble };

/**
 * Chooses the wallet with the fewest payments in flight, which must be fewer than `maxInFlight`. Its balance
 * must cover all of them and this payment. Otherwise the chain would revert one of them. Among wallets with
 * equally few, the purchase's id decides. This way concurrent payments seldom compete for the row of one
 * wallet.
 */
export function chooseWallet(
  wallets: readonly Payer[],
  { transactionId, units, maxInFlight }: { transactionId: string; units: bigint; maxInFlight: number },
): WalletChoice {
  const paying = wallets.filter(canPay);
  if (paying.length === 0) {
    return { hold: wallets.some(isUsedElsewhere) ? 'wallet is used elsewhere' : 'wallet is in quarantine' };
  }
  const usable = paying.filter(({ balance, promised }) => balance - promised >= units);
  if (usable.length === 0) return { wait: 'treasury balance is promised' };
  const first = transactionId.charCodeAt(transactionId.length - 1) % wallets.length;
  const turnOf = (wallet: Payer) => (wallets.indexOf(wallet) - first + wallets.length) % wallets.length;
  const [best] = usable
    .filter((wallet) => inFlight(wallet) < maxInFlight)
    .sort((one, other) => inFlight(one) - inFlight(other) || turnOf(one) - turnOf(other));
  return best ? { wallet: best.address, nonce: best.next } : { wait: 'wallet is busy' };
}

/** Whether the wallet may assign nonces to payments. */
export function canPay(wallet: HotWallet): boolean {
  return !wallet.quarantine && !isUsedElsewhere(wallet);
}

/**
 * Why an operator must look at the wallet. Undefined if nothing is wrong, or if an operator has taken the
 * wallet out of use.
 */
export function troubleOf(wallet: HotWallet): WalletTrouble | undefined {
  if (wallet.quarantine?.reason === 'OPERATOR') return undefined;
  if (wallet.quarantine) return 'wallet is in quarantine';
  return isUsedElsewhere(wallet) ? 'wallet is used elsewhere' : undefined;
}

/**
 * True if a party outside the service signs with the wallet's key. The chain has then counted more
 * transactions than the wallet's row. The row's next nonce is already used in the chain, so the chain would
 * not accept our transaction with it.
 */
function isUsedElsewhere({ next, latest }: HotWallet): boolean {
  return next < latest;
}

function inFlight({ next, latest }: HotWallet): number {
  return next - latest;
}
