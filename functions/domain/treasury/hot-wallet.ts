import { type Asset, type PerAsset, perAsset } from '../assets.ts';
import type { Waiting, WalletTrouble } from './doing.ts';

/** Somebody else used a nonce that a payment owned. */
export type Theft = { reason: 'NONCE_USED_ELSEWHERE'; at: number; nonce: number };
/** An operator holds the wallet. `why` is the reason that was given. */
type OperatorHold = { reason: 'OPERATOR'; at: number; by: string; why: string };
/** Why a wallet gives out no nonces. */
export type Quarantine = Theft | OperatorHold;

/** One wallet of the treasury, as the settlements table and the chain show it. */
export type HotWallet = {
  address: string;
  /** The nonce that the wallet's row gives out next. */
  next: number;
  quarantine?: Quarantine;
  /** The number of its transactions in the chain. */
  latest: number;
};

/** Base units of each asset. */
export type Units = PerAsset<bigint>;

export const NOTHING: Units = perAsset(() => 0n);

/**
 * A wallet as its row has it. `committed` is the sum of all payouts that ever got a nonce of the wallet, also of
 * those that failed. `mark` is that sum before the nonce that comes next in the chain, or before an earlier one.
 */
export type Account = Pick<HotWallet, 'next' | 'quarantine'> & {
  committed: Units;
  mark: { nonce: number; committed: Units };
};

/** Returns the account after a payment got its next nonce. */
export function withPayment<Counted extends Pick<Account, 'next' | 'committed'>>(
  account: Counted,
  { asset, units }: { asset: Asset; units: bigint },
): Counted {
  const { next, committed } = account;
  return { ...account, next: next + 1, committed: { ...committed, [asset]: committed[asset] + units } };
}

/**
 * Committed units whose transactions the chain does not show yet. They may still leave the wallet. An older mark only
 * makes the result larger.
 */
export function promisedOf({ committed, mark }: Account, asset: Asset): bigint {
  return committed[asset] - mark.committed[asset];
}

/**
 * A wallet whose `balance` covers the payment, if nothing of it is `promised` to payments in flight. Both are base
 * units of the payment's asset. The wallet may be in quarantine.
 */
export type Payer = HotWallet & { balance: bigint; promised: bigint };

/**
 * `wait`: each usable wallet is full, or its balance is committed to other payments. The next visit asks again.
 * `hold`: no wallet may give out a nonce, and a person must act.
 */
export type WalletChoice = { wallet: string; nonce: number } | { wait: Waiting } | { hold: WalletTrouble };

/**
 * Chooses the wallet with the fewest payments in flight. It has fewer than `maxInFlight`, and its balance covers all
 * of them and this one. Otherwise one of them would be mined as a revert. Between equal wallets the id of the
 * purchase decides, so that concurrent visits seldom compete for the same row.
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

/** Whether the wallet may give out nonces. */
export function canPay(wallet: HotWallet): boolean {
  return !wallet.quarantine && !isUsedElsewhere(wallet);
}

/** The reason to call an operator. There is none if an operator holds the wallet. */
export function troubleOf(wallet: HotWallet): WalletTrouble | undefined {
  if (wallet.quarantine?.reason === 'OPERATOR') return undefined;
  if (wallet.quarantine) return 'wallet is in quarantine';
  return isUsedElsewhere(wallet) ? 'wallet is used elsewhere' : undefined;
}

/** The chain is ahead of the wallet's row: somebody else signs with the key. The next nonce could never be mined. */
function isUsedElsewhere({ next, latest }: HotWallet): boolean {
  return next < latest;
}

function inFlight({ next, latest }: HotWallet): number {
  return next - latest;
}
