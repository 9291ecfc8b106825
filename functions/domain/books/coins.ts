/**
 * The coins in our wallets: the chain's own coin, from which gas is paid, and the tokens that we sell. See
 * docs/decisions.md, "The books".
 */
import { move, type Posting, postingOf } from '../ledger.ts';
import type { Instant } from '../time.ts';
import type { WalletCoins } from '../treasury/outflow-ports.ts';
import type { Finding } from './money-case.ts';

type CoinWallet = Pick<WalletCoins, 'chainId' | 'wallet' | 'coin'>;

/** One coin of a wallet as the books have it. */
export type CoinAccount = CoinWallet & {
  /** A save succeeds only with the version that was read, and raises it by one. */
  version: number;
  /** The last reading whose coins are all posted. */
  counted: Pick<WalletCoins, 'block' | 'amount' | 'nonce'>;
  /** The nonces below `counted.nonce` whose cost was not known by then, and may still be posted. */
  unknown: readonly number[];
  /** A later reading, which waits until the cost of its nonces is known. */
  pending?: WalletCoins & { seenAt: number };
  /** The block of the last movement. */
  movedAt?: number;
};

/**
 * Coins that came to a wallet between two readings, or left it other than as gas or to buyers. Then `amount` is
 * negative.
 */
export type CoinMovement = Omit<WalletCoins, 'nonce'> & {
  /** The block of the earlier reading. */
  since: number;
  /**
   * The nonces below that of the later reading whose cost was not known, or that the service never
   * assigned.
   */
  unknown: readonly number[];
};

/**
 * Gas and deliveries are posted within minutes of the final block. After this time a posting never comes: the nodes
 * told no gas, or another party has used the nonce.
 */
const POSTED_WITHIN_MINUTES = 24 * 60;
/** The most nonces whose late posting is still counted. */
const MOST_UNKNOWN = 100;

export const coinsKey = ({ chainId, wallet, coin }: CoinWallet): string =>
  `${chainId}:${wallet.toLowerCase()}:${coin}`;
export const movementKey = (of: CoinWallet & { block: number }): string => `${coinsKey(of)}:${of.block}`;

/** The account of a wallet that was never read. All that it has, and all that its nonces have cost, is a movement. */
export function newCoinAccount({ chainId, wallet, coin }: CoinWallet): CoinAccount {
  return { chainId, wallet, coin, version: 0, counted: { block: 0, amount: 0n, nonce: 0 }, unknown: [] };
}

/** The nonces whose cost the pending reading needs. */
export function noncesOf({ counted, unknown, pending }: CoinAccount): number[] {
  const from = counted.nonce;
  const length = Math.max(0, (pending?.nonce ?? from) - from);
  return [...unknown, ...Array.from({ length }, (_, index) => from + index)];
}

/** The account with a newer reading, which becomes pending. Undefined if one is pending, or this one is not newer. */
export function withReading(
  account: CoinAccount,
  seen: WalletCoins,
  seenAt: number,
): CoinAccount | undefined {
  const { pending, counted, version } = account;
  if (pending || seen.block <= counted.block) return undefined;
  return { ...account, version: version + 1, pending: { ...seen, seenAt } };
}

/**
 * `known` has what nonces have cost in this coin, as gas or as a delivery. `foreign` are nonces that the service never
 * assigned: nothing is posted for them.
 */
export type CostOfNonces = { known: ReadonlyMap<number, bigint>; foreign: ReadonlySet<number> };

/**
 * An account after its pending reading was counted. `countedAt` is when the `movement` was found, if there
 * is one.
 */
export type Counting = { account: CoinAccount; movement?: CoinMovement; countedAt?: number };

/** Counts the pending reading. Undefined: nothing is pending, or a posting may still come. */
export function countPending(
  { pending, counted, ...account }: CoinAccount,
  { known, foreign }: CostOfNonces,
  { now, minuteMs }: Instant,
): Counting | undefined {
  if (!pending) return undefined;
  const unknown = noncesOf({ ...account, counted, pending }).filter((nonce) => !known.has(nonce));
  const ours = unknown.filter((nonce) => !foreign.has(nonce));
  const isYoung = now - pending.seenAt < POSTED_WITHIN_MINUTES * minuteMs;
  if (isYoung && ours.some((nonce) => nonce >= counted.nonce)) return undefined;
  const { chainId, wallet, coin, block, at, nonce } = pending;
  const spent = [...known.values()].reduce((sum, each) => sum + each, 0n);
  const amount = pending.amount - counted.amount + spent;
  const next = {
    ...account,
    version: account.version + 1,
    counted: { block, amount: pending.amount, nonce },
    unknown: ours.slice(-MOST_UNKNOWN),
  };
  if (amount === 0n) return { account: next };
  const movement = { chainId, wallet, coin, block, at, amount, since: counted.block, unknown };
  return { account: { ...next, movedAt: block }, movement, countedAt: now };
}

/** The posting of a movement. Its id names wallet, coin and block, so a movement has at most one. */
export function postingOfCoins(movement: CoinMovement): Posting {
  const { at, amount, coin } = movement;
  const isIn = amount > 0n;
  const entries = isIn
    ? move(coin, amount, { debit: `treasury:${coin}`, credit: 'funding' })
    : move(coin, -amount, { debit: 'funding', credit: `treasury:${coin}` });
  return postingOf(movementKey(movement), isIn ? 'TOP_UP' : 'COINS_MISSING', at, { entries });
}

/** The finding for coins that left. Undefined for coins that came. */
export function findingOfCoins(movement: CoinMovement): Finding<'COINS_MISSING'> | undefined {
  const { wallet, coin, amount, since, block, unknown } = movement;
  if (amount > 0n) return undefined;
  const missing = String(-amount);
  const what = coin === 'NATIVE' ? { wei: missing } : { asset: coin, units: missing };
  const facts = { wallet, ...what, since, block, unknown: [...unknown] };
  return { kind: 'COINS_MISSING', key: movementKey(movement), facts };
}
