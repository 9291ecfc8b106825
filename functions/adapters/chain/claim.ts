import type { Asset, PerAsset } from '../../domain/assets.ts';
import { begun } from '../../domain/begun.ts';
import { getOf } from '../../domain/get.ts';
import type { Clock, Log, Random } from '../../domain/ports.ts';
import type { ClaimTrouble, DoingWait } from '../../domain/treasury/doing.ts';
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
  type AskedChain,
  type AskedWallet,
  type Clearance,
  preflight,
  readNonce,
  requireChain,
  type WalletOnChain,
} from './preflight.ts';
import { type Rpc, readHead } from './rpc.ts';
import { listAddresses } from './signers.ts';
import { turns } from './turns.ts';

/**
 * The most payments of one wallet that wait for a block, by default. A node with a full pool drops the transactions of
 * a sender beyond `accountslots`: 16 in geth and in Polygon's settings for bor. A dropped transfer is sent again. A
 * higher limit would therefore be slower, but not less safe.
 */
export const MAX_IN_FLIGHT = 16;

const ATTEMPTS = 30;
const JITTER_MS = 20;

export type ClaimPorts = {
  rpc: Rpc;
  /** The signing keys of the hot wallets. Their order means nothing, because a payment's row names its wallet. */
  signers: readonly Signer[];
  book: Book;
  chain: Chain;
  /** The limits of each asset. The claim uses `hourlyPayout`. */
  floatLimits: PerAsset<FloatLimits>;
  clock: Clock;
  random: Random;
  log: Log;
};

/**
 * The result of claiming a nonce.
 *
 * - `written`: the settlement, which now owns a nonce.
 * - `MOVED`: the settlement's row has changed, so the visit reads it again.
 * - `FORBIDDEN`: the purchase must not be settled.
 * - `wait`: the next visit claims again. No try is used up.
 * - `hold`: the next visit claims again, and a person is called. No try is used up.
 * - `refuse`: a failed try.
 * - `never`: no further try can succeed.
 */
type ClaimedNonce =
  | { written: Assigned; fees: Fees }
  | 'MOVED'
  | 'FORBIDDEN'
  | { wait: DoingWait }
  | { hold: ClaimTrouble }
  | { refuse: TryFailure }
  | { never: TryFailure };

export type NonceClaim = {
  /** Begins to read each wallet's number of transactions and the newest block. The checks begin with them. */
  ask(): Promise<AskedChain>;
  /**
   * Makes all checks that may fail. At the same time it reads the rows of the wallets and the payouts of the
   * last hour. It writes nothing.
   */
  clear(payout: Payout, asking: Promise<AskedChain>): Promise<ClearedVisit>;
  /**
   * Gives the settlement a nonce. It uses the result of `clear` if the caller has one, otherwise it makes the checks
   * itself.
   */
  claim(settlement: Requested, cleared?: Promise<ClearedVisit>): Promise<ClaimedNonce>;
};

/**
 * The result of the checks. `early` has the rows of the wallets and the payouts of the last hour, which were
 * read during the checks. It is absent if that reading failed, if a wallet has no row yet, or if the claim
 * made the checks itself.
 */
export type ClearedVisit = { clearance: Clearance; early?: KnownBooks };

/**
 * Runs steps 2 and 3 of docs/settlement.md. It first makes all checks that may fail. Then one write gives the payment
 * its nonce. An outage of nodes or KMS is thrown before a nonce is owned, which is safe.
 */
export function nonceClaims(ports: ClaimPorts): NonceClaim {
  const { rpc, signers, chain } = ports;
  const inTurn = turns<ClaimedNonce, KnownBooks>();
  let isChainKnown = false;

  async function ask(): Promise<AskedChain> {
    if (!isChainKnown) isChainKnown = await requireChain(rpc, chain);
    const head = begun(readHead(rpc));
    return { wallets: (await listAddresses(signers)).map((address) => askWallet(rpc, address)), head };
  }

  async function clear(payout: Payout, asking: Promise<AskedChain>): Promise<ClearedVisit> {
    const asked = await asking;
    // If this reading fails, the claim reads the rows again.
    const reading = readEarly(ports, asked.wallets).catch(() => undefined);
    const clearance = await preflight(rpc, chain, payout, asked);
    return { clearance, early: await reading };
  }

  async function claim(settlement: Requested, cleared?: Promise<ClearedVisit>): Promise<ClaimedNonce> {
    const { clearance, early }: ClearedVisit = cleared
      ? await cleared
      : { clearance: await preflight(rpc, chain, settlement, await ask()) };
    if (!('wallets' in clearance)) return clearance;
    const { wallets, fees } = clearance;
    const { claimed } = await inTurn((known) =>
      assignNonce(ports, { settlement, wallets, fees }, { guess: known, early }),
    );
    return claimed;
  }

  return { ask, clear, claim };
}

function askWallet(rpc: Rpc, address: string): AskedWallet {
  // If an earlier check refuses the destination, nobody awaits `latest`. `begun` then keeps a failure of this
  // read from ending the process.
  return { address, latest: begun(readNonce(rpc, address)) };
}

type NonceTurn = { claimed: ClaimedNonce; known?: KnownBooks };
type AskedNonce = { settlement: Requested; wallets: WalletOnChain[]; fees: Fees };

async function assignNonce(
  ports: ClaimPorts,
  { settlement, wallets, fees }: AskedNonce,
  { guess, early }: { guess?: KnownBooks; early?: KnownBooks },
): Promise<NonceTurn> {
  const { book, random } = ports;
  // `guess` is the state that this process's last claim has written. Other processes write too, so the
  // condition of the next write checks it. A guess that contradicts the chain is not tried.
  const isGood = guess && areUsable(guess, wallets);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const isGuess = attempt === 1 && isGood;
    const read = attempt === 1 && early ? early : undefined;
    const known = isGuess ? guess : (read ?? (await readBooks(ports, wallets)));
    const payers = wallets.flatMap((wallet) => asPayer(wallet, known.accounts, settlement.asset));
    const choice = choose(ports, { settlement, payers, known });
    // The guess may still count a payment as in flight that is mined by now. Before this payment has to wait,
    // the rows are therefore read again.
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
  | { wait: DoingWait }
  | { hold: ClaimTrouble };

/**
 * Chooses the wallet, and adds the payment to the payouts of the last hour. If their sum would exceed the
 * hourly ceiling, the payment gets no nonce.
 */
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
 * Reports each wallet that cannot pay, unless an operator has put it into quarantine. Another wallet pays
 * instead, so the payment itself would not show the problem.
 */
function reportTrouble({ log }: ClaimPorts, wallets: HotWallet[]): void {
  for (const wallet of wallets) {
    const doing = troubleOf(wallet);
    if (doing) log.raise('WalletNeedsAttention', undefined, { address: wallet.address, doing });
  }
}
