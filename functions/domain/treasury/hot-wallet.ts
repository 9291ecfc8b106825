import { type Asset, type PerAsset, perAsset } from '../assets.ts';
import type { Waiting, WalletTrouble } from './doing.ts';

/** Somebody else used a nonce that a payment owned. */
export type Theft = { reason: 'NONCE_USED_ELSEWHERE'; at: number; nonce: number };
/** An operator holds the wallet. `why` is the reason that was given. */
type OperatorHold = { reason: 'OPERATOR'; at: number; by: string; why: string };
/** Why a wallet gives out no nonces. */
export type Quarantine = Theft | OperatorHold;

/** One wallet of the treasury, as the books and the chain have it. */
export type HotWallet = {
  address: string;
  /** The nonce that the books give out next. */
  next: number;
  quarantine?: Quarantine;
  /** Its transactions that are in the chain. */
  latest: number;
};

/** Base units of each asset. */
export type Units = PerAsset<bigint>;

export const NOTHING: Units = perAsset(() => 0n);

/**
 * A wallet in the books. `given` is all that it ever gave a nonce for, whatever came of it; `mark` how much of that was
 * before the nonce that comes next in the chain, or before one that came earlier.
 */
export type Account = Pick<HotWallet, 'next' | 'quarantine'> & {
  given: Units;
  mark: { nonce: number; given: Units };
};

/** The account once its next nonce is a payment's. */
export function withPayment<Given extends Pick<Account, 'next' | 'given'>>(
  account: Given,
  { asset, units }: { asset: Asset; units: bigint },
): Given {
  const { next, given } = account;
  return { ...account, next: next + 1, given: { ...given, [asset]: given[asset] + units } };
}

/** Units that may still leave the wallet: what the chain shows no transaction of. An older mark makes them more, never less. */
export function promisedOf({ given, mark }: Account, asset: Asset): bigint {
  return given[asset] - mark.given[asset];
}

/**
 * One that the payment was cleared for: its `balance` covers it, were nothing `promised` of that to others. Both in base units
 * of the payment's asset.
 */
export type Payer = HotWallet & { balance: bigint; promised: bigint };

/** `wait`: soon. `hold`: a person must act. */
export type WalletChoice = { wallet: string; nonce: number } | { wait: Waiting } | { hold: WalletTrouble };

/**
 * The wallet with the fewest payments on their way, below `maxInFlight`, that can pay those and this one too: else one of
 * them would be mined as a revert. Of equals the purchase's id decides, so that visits of several purchases at once do not all meet
 * at the same wallet's row.
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

/** Whether it may give out nonces. */
export function canPay(wallet: HotWallet): boolean {
  return !wallet.quarantine && !isUsedElsewhere(wallet);
}

/** What an operator must look at; one that an operator has put aside needs nobody. */
export function troubleOf(wallet: HotWallet): WalletTrouble | undefined {
  if (wallet.quarantine?.reason === 'OPERATOR') return undefined;
  if (wallet.quarantine) return 'wallet is in quarantine';
  return isUsedElsewhere(wallet) ? 'wallet is used elsewhere' : undefined;
}

/** The account is ahead of its books: its key signed for somebody else, and the next nonce could never be mined. */
function isUsedElsewhere({ next, latest }: HotWallet): boolean {
  return next < latest;
}

function inFlight({ next, latest }: HotWallet): number {
  return next - latest;
}
