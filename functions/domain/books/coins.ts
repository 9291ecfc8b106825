/** The coins of the chain in our wallets, from which gas is paid: docs/decisions.md, "Top-ups of gas". */
import { move, type Posting, postingOf } from '../ledger.ts';
import type { Instant } from '../time.ts';
import type { WalletCoins } from '../treasury/outflow-ports.ts';
import type { Finding } from './money-case.ts';

type Wallet = Pick<WalletCoins, 'chainId' | 'wallet'>;

/** A wallet as the books have it. */
export type CoinAccount = Wallet & {
  /** A save succeeds only with the version that was read, and raises it by one. */
  version: number;
  /** The last reading whose coins are all posted. */
  counted: Pick<WalletCoins, 'block' | 'wei' | 'nonce'>;
  /** The nonces below `counted.nonce` whose gas was not known by then, and may still be posted. */
  unknown: readonly number[];
  /** A later reading, which waits until the gas of its nonces is known. */
  pending?: WalletCoins & { seenAt: number };
  /** The block of the last movement. */
  movedAt?: number;
};

/** Coins that came to a wallet between two readings, or left it other than as gas. Then `wei` is negative. */
export type CoinMovement = Pick<WalletCoins, 'chainId' | 'wallet' | 'block' | 'at' | 'wei'> & {
  /** The block of the earlier reading. */
  since: number;
  /** Nonces until then whose gas is not known. */
  unknown: readonly number[];
};

/**
 * Gas is posted within minutes of the final block. After this time it never comes: the nodes told none, or
 * another party has used the nonce.
 */
const GAS_WITHIN_MINUTES = 24 * 60;
/** The most nonces whose late gas is still counted. */
const MOST_UNKNOWN = 100;

export const coinsKey = ({ chainId, wallet }: Wallet): string => `${chainId}:${wallet.toLowerCase()}`;
export const movementKey = (of: Wallet & { block: number }): string => `${coinsKey(of)}:${of.block}`;

/** The account of a wallet that was never read. All coins that it has, and all gas that it paid, are a movement. */
export function newCoinAccount({ chainId, wallet }: Wallet): CoinAccount {
  return { chainId, wallet, version: 0, counted: { block: 0, wei: 0n, nonce: 0 }, unknown: [] };
}

/** The nonces whose gas the pending reading needs. */
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

/** `known` has the gas of nonces in wei. `foreign` are nonces that the service never assigned: no gas is posted. */
export type GasOfNonces = { known: ReadonlyMap<number, bigint>; foreign: ReadonlySet<number> };

/** `countedAt` is when a movement was found. */
export type Counting = { account: CoinAccount; movement?: CoinMovement; countedAt?: number };

/** Counts the pending reading. Undefined: nothing is pending, or gas may still come. */
export function countPending(
  { pending, counted, ...account }: CoinAccount,
  { known, foreign }: GasOfNonces,
  { now, minuteMs }: Instant,
): Counting | undefined {
  if (!pending) return undefined;
  const unknown = noncesOf({ ...account, counted, pending }).filter((nonce) => !known.has(nonce));
  const ours = unknown.filter((nonce) => !foreign.has(nonce));
  const isYoung = now - pending.seenAt < GAS_WITHIN_MINUTES * minuteMs;
  if (isYoung && ours.some((nonce) => nonce >= counted.nonce)) return undefined;
  const { chainId, wallet, block, at, nonce } = pending;
  const spent = [...known.values()].reduce((sum, each) => sum + each, 0n);
  const wei = pending.wei - counted.wei + spent;
  const next = {
    ...account,
    version: account.version + 1,
    counted: { block, wei: pending.wei, nonce },
    unknown: ours.slice(-MOST_UNKNOWN),
  };
  if (wei === 0n) return { account: next };
  const movement = { chainId, wallet, block, at, wei, since: counted.block, unknown };
  return { account: { ...next, movedAt: block }, movement, countedAt: now };
}

/** The posting of a movement. Its id names wallet and block, so a movement has at most one. */
export function postingOfCoins(movement: CoinMovement): Posting {
  const { at, wei } = movement;
  const isIn = wei > 0n;
  const entries = isIn
    ? move('NATIVE', wei, { debit: 'treasury:NATIVE', credit: 'funding' })
    : move('NATIVE', -wei, { debit: 'funding', credit: 'treasury:NATIVE' });
  return postingOf(movementKey(movement), isIn ? 'TOP_UP' : 'COINS_MISSING', at, { entries });
}

/** The finding for coins that left. Undefined for coins that came. */
export function findingOfCoins(movement: CoinMovement): Finding<'COINS_MISSING'> | undefined {
  const { wallet, wei, since, block, unknown } = movement;
  if (wei > 0n) return undefined;
  const facts = { wallet, wei: String(-wei), since, block, unknown: [...unknown] };
  return { kind: 'COINS_MISSING', key: movementKey(movement), facts };
}
