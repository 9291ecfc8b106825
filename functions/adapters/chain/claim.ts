import type { Asset, PerAsset } from '../../domain/assets.ts';
import { getOf } from '../../domain/get.ts';
import type { Clock, Log, Random } from '../../domain/ports.ts';
import type { ClaimTrouble, Waiting } from '../../domain/treasury/doing.ts';
import {
  chooseWallet,
  type HotWallet,
  type Payer,
  promisedOf,
  troubleOf,
} from '../../domain/treasury/hot-wallet.ts';
import type { FloatLimits } from '../../domain/treasury/liquidity.ts';
import {
  ceilingOf,
  type PayoutWindow,
  paidIn,
  windowAt,
  withPayout,
} from '../../domain/treasury/payout-window.ts';
import {
  type Assigned,
  type Payout,
  type Requested,
  type TryFailure,
  withNonce,
} from '../../domain/treasury/settlement.ts';
import type { Book } from '../dynamodb/settlement-book.ts';
import { jitter } from '../jitter.ts';
import type { Chain } from './chain.ts';
import type { Signer } from './kms-signer.ts';
import { afterClaim, areUsable, type KnownBooks, readBooks, readEarly } from './known-books.ts';
import type { Fees } from './payment.ts';
import {
  type AskedWallet,
  type Clearance,
  preflight,
  readNonce,
  requireChain,
  type WalletOnChain,
} from './preflight.ts';
import type { Rpc } from './rpc.ts';
import { listAddresses } from './signers.ts';
import { turns } from './turns.ts';

/**
 * By default a wallet has at most so many payments in flight. A node with a full pool drops a sender's transactions
 * beyond `accountslots`. That is 16 in geth, and in the settings that Polygon ships with bor. A dropped transfer is
 * sent again. More in flight would therefore be slower, but not less safe.
 */
export const MAX_IN_FLIGHT = 16;

const ATTEMPTS = 30;
const JITTER_MS = 20;

export type ClaimPorts = {
  rpc: Rpc;
  /** The keys of the hot wallets, in any order: a payment keeps the wallet that its row names. */
  signers: readonly Signer[];
  book: Book;
  chain: Chain;
  /** Each asset has a most that may leave within an hour. */
  floatLimits: PerAsset<FloatLimits>;
  clock: Clock;
  random: Random;
  log: Log;
};

/**
 * `written`: the settlement with its nonce. `MOVED`: read its row again. `FORBIDDEN`: the purchase is not to be
 * settled. `wait`: the next visit asks again. `hold`: a person must act, or the cause must go. Neither `wait` nor
 * `hold` uses up a try. `refuse` does, and `never` ends all tries.
 */
export type Claimed =
  | { written: Assigned; fees: Fees }
  | 'MOVED'
  | 'FORBIDDEN'
  | { wait: Waiting }
  | { hold: ClaimTrouble }
  | { refuse: TryFailure }
  | { never: TryFailure };

export type NonceClaim = {
  /** Makes all checks that may fail, and reads the books at once. It changes nothing, and needs only the terms. */
  clear(payout: Payout): Promise<Cleared>;
  /** Takes a nonce, after these checks or after new ones. */
  claim(settlement: Requested, cleared?: Promise<Cleared>): Promise<Claimed>;
};

/** `early` was read beside the balances. Absent where a visit made the checks in its turn. */
export type Cleared = { clearance: Clearance; early?: KnownBooks };

/**
 * docs/settlement.md, steps 2 and 3: all that may fail is tried first, then one write gives the payment its nonce. It
 * throws on an outage of nodes or KMS, while no nonce is owned.
 */
export function nonceClaims(ports: ClaimPorts): NonceClaim {
  const { rpc, signers, chain } = ports;
  const inTurn = turns<Claimed, KnownBooks>();
  let isChainKnown = false;

  async function askWallets(): Promise<AskedWallet[]> {
    if (!isChainKnown) isChainKnown = await requireChain(rpc, chain);
    return (await listAddresses(signers)).map((address) => askWallet(rpc, address));
  }

  async function clear(payout: Payout): Promise<Cleared> {
    const asked = await askWallets();
    // Without an answer the claim reads the books again.
    const reading = readEarly(ports, asked).catch(() => undefined);
    const clearance = await preflight(rpc, chain, payout, asked);
    return { clearance, early: await reading };
  }

  async function claim(settlement: Requested, cleared?: Promise<Cleared>): Promise<Claimed> {
    const { clearance, early }: Cleared = cleared
      ? await cleared
      : { clearance: await preflight(rpc, chain, settlement, await askWallets()) };
    if (!('wallets' in clearance)) return clearance;
    const { wallets, fees } = clearance;
    const { claimed } = await inTurn((known) =>
      assign(ports, { settlement, wallets, fees }, { guess: known, early }),
    );
    return claimed;
  }

  return { clear, claim };
}

function askWallet(rpc: Rpc, address: string): AskedWallet {
  const latest = readNonce(rpc, address);
  // If a check refuses the destination first, nothing waits for this count.
  latest.catch(() => undefined);
  return { address, latest };
}

type Turn = { claimed: Claimed; known?: KnownBooks };
type Asked = { settlement: Requested; wallets: WalletOnChain[]; fees: Fees };

async function assign(
  ports: ClaimPorts,
  { settlement, wallets, fees }: Asked,
  { guess, early }: { guess?: KnownBooks; early?: KnownBooks },
): Promise<Turn> {
  const { book, random } = ports;
  // The state after our own last write is a guess, which the next write checks. A guess that must be wrong is not
  // tried.
  const isGood = guess && areUsable(guess, wallets);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const isGuess = attempt === 1 && isGood;
    const read = attempt === 1 && early ? early : undefined;
    const known = isGuess ? guess : (read ?? (await readBooks(ports, wallets)));
    const payers = wallets.flatMap((wallet) => asPayer(wallet, known.accounts, settlement.asset));
    const choice = choose(ports, { settlement, payers, known });
    // A guess may count a mined payment as in flight. The rows are read before the payment has to wait.
    if (!('wallet' in choice) && isGuess) continue;
    if (!('wallet' in choice)) return { claimed: choice };
    reportTrouble(ports, payers);
    const { wallet, nonce, window } = choice;
    const counted = { ...settlement, countedIn: window.slice };
    const written = await book.assign(counted, wallet, { ...getOf(known.accounts, wallet), window });
    if (written === 'REFUSED') return { claimed: 'FORBIDDEN' };
    if (written === 'MOVED') return { claimed: 'MOVED' };
    if (written === 'ASSIGNED') {
      const assigned = withNonce(counted, wallet, nonce);
      return { claimed: { written: assigned, fees }, known: afterClaim(known, assigned, window) };
    }
    await jitter(random, JITTER_MS * attempt);
  }
  return { claimed: { wait: 'wallet is busy' } };
}

type Known = { settlement: Requested; payers: Payer[]; known: KnownBooks };
type Choice =
  | { wallet: string; nonce: number; window: PayoutWindow }
  | { wait: Waiting }
  | { hold: ClaimTrouble };

/** Chooses the wallet, and counts the payment. No payment gets a nonce while the hour has no room for it. */
function choose({ chain, clock, floatLimits }: ClaimPorts, { settlement, payers, known }: Known): Choice {
  const { maxInFlight = MAX_IN_FLIGHT } = chain;
  const { transactionId, asset, units } = settlement;
  const choice = chooseWallet(payers, { transactionId, units, maxInFlight });
  if (!('wallet' in choice)) return choice;
  const window = withPayout(windowAt(known.windows[asset], clock.now()), settlement);
  if (paidIn(window) > ceilingOf(asset, floatLimits[asset], window)) return { hold: 'hourly ceiling' };
  return { ...choice, window };
}

function asPayer(wallet: WalletOnChain, accounts: KnownBooks['accounts'], asset: Asset): Payer[] {
  const account = accounts.get(wallet.address);
  return account ? [{ ...wallet, ...account, promised: promisedOf(account, asset) }] : [];
}

/**
 * Reports wallets that cannot pay, except those that an operator holds. Another wallet pays instead, so nothing else
 * would report them.
 */
function reportTrouble({ log }: ClaimPorts, wallets: HotWallet[]): void {
  for (const wallet of wallets) {
    const doing = troubleOf(wallet);
    if (doing) log.raise('WalletNeedsAttention', undefined, { address: wallet.address, doing });
  }
}
