import type { Asset } from '../../domain/assets.ts';
import { getOf } from '../../domain/get.ts';
import type { Log, Random } from '../../domain/ports.ts';
import type { ClaimTrouble, Waiting } from '../../domain/treasury/doing.ts';
import {
  type Account,
  chooseWallet,
  type HotWallet,
  NOTHING,
  type Payer,
  promisedOf,
  troubleOf,
  withPayment,
} from '../../domain/treasury/hot-wallet.ts';
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
import type { Fees } from './payment.ts';
import {
  type AskedWallet,
  type Clearance,
  leastNonce,
  preflight,
  readNonce,
  requireChain,
  type WalletOnChain,
} from './preflight.ts';
import { asSilence, type Rpc } from './rpc.ts';
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
  /** Makes all checks that may fail, and reads the accounts at once. It changes nothing, and needs only the terms. */
  clear(payout: Payout): Promise<Cleared>;
  /** Takes a nonce, after these checks or after new ones. */
  claim(settlement: Requested, cleared?: Promise<Cleared>): Promise<Claimed>;
};

/** `accounts` were read beside the balances. Absent where a visit made the checks in its turn. */
export type Cleared = { clearance: Clearance; accounts?: AccountsByAddress };

/**
 * docs/settlement.md, steps 2 and 3: all that may fail is tried first, then one write gives the payment its nonce. It
 * throws on an outage of nodes or KMS, while no nonce is owned.
 */
export function nonceClaims(ports: ClaimPorts): NonceClaim {
  const { rpc, signers, chain } = ports;
  const inTurn = turns<Claimed, AccountsByAddress>();
  let isChainKnown = false;

  async function askWallets(): Promise<AskedWallet[]> {
    if (!isChainKnown) isChainKnown = await requireChain(rpc, chain);
    return (await listAddresses(signers)).map((address) => askWallet(rpc, address));
  }

  async function clear(payout: Payout): Promise<Cleared> {
    const asked = await askWallets();
    // Without an answer the claim reads the accounts again.
    const reading = readAccounts(ports, asked).catch(() => undefined);
    const clearance = await preflight(rpc, chain, payout, asked);
    return { clearance, accounts: await reading };
  }

  async function claim(settlement: Requested, cleared?: Promise<Cleared>): Promise<Claimed> {
    const { clearance, accounts }: Cleared = cleared
      ? await cleared
      : { clearance: await preflight(rpc, chain, settlement, await askWallets()) };
    if (!('wallets' in clearance)) return clearance;
    const { wallets, fees } = clearance;
    const { claimed } = await inTurn((known) =>
      assign(ports, { settlement, wallets, fees }, { guess: known, accounts }),
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

/** The accounts as of the counts that were asked. Undefined: a wallet has none yet. */
async function readAccounts(
  { book }: ClaimPorts,
  asked: readonly AskedWallet[],
): Promise<AccountsByAddress | undefined> {
  const seen = await Promise.all(
    asked.map(async ({ address, latest }) => ({ address, latest: await latest })),
  );
  const accounts = await book.findAccounts(seen);
  return accounts.size === seen.length ? accounts : undefined;
}

/** The account of each wallet, by its address. */
type AccountsByAddress = ReadonlyMap<string, Account>;
type Turn = { claimed: Claimed; known?: AccountsByAddress };

async function assign(
  ports: ClaimPorts,
  { settlement, wallets, fees }: { settlement: Requested; wallets: WalletOnChain[]; fees: Fees },
  { guess, accounts }: { guess?: AccountsByAddress; accounts?: AccountsByAddress },
): Promise<Turn> {
  const { book, random, chain } = ports;
  const { maxInFlight = MAX_IN_FLIGHT } = chain;
  const { transactionId, asset, units } = settlement;
  // The state after our own last write is a guess, which the next write checks. A guess that must be wrong is not
  // tried.
  const isGood = guess && wallets.every((wallet) => isUsable(guess.get(wallet.address), wallet));
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const isGuess = attempt === 1 && isGood;
    const read = attempt === 1 && accounts ? accounts : undefined;
    const known = isGuess ? guess : (read ?? (await readBooks(ports, wallets)));
    const payers = wallets.flatMap((wallet) => asPayer(wallet, known.get(wallet.address), asset));
    const choice = chooseWallet(payers, { transactionId, units, maxInFlight });
    // A guess may count a mined payment as in flight. The rows are read before the payment has to wait.
    if (!('wallet' in choice) && isGuess) continue;
    if (!('wallet' in choice)) return { claimed: choice };
    reportTrouble(ports, payers);
    const { wallet, nonce } = choice;
    const account = getOf(known, wallet);
    const written = await book.assign(settlement, wallet, account);
    if (written === 'REFUSED') return { claimed: 'FORBIDDEN' };
    if (written === 'MOVED') return { claimed: 'MOVED' };
    if (written === 'ASSIGNED') {
      const claimed = { written: withNonce(settlement, wallet, nonce), fees };
      return { claimed, known: new Map(known).set(wallet, withPayment(account, settlement)) };
    }
    await jitter(random, JITTER_MS * attempt);
  }
  return { claimed: { wait: 'wallet is busy' } };
}

/**
 * Whether the guess may be right. It must not be behind the chain. Its mark must not be later than the reading of the
 * wallet: the balance of that reading still includes what was paid since.
 */
function isUsable(guess: Account | undefined, { latest }: WalletOnChain): boolean {
  return guess !== undefined && guess.next >= latest && guess.mark.nonce <= latest;
}

function asPayer(wallet: WalletOnChain, account: Account | undefined, asset: Asset): Payer[] {
  return account ? [{ ...wallet, ...account, promised: promisedOf(account, asset) }] : [];
}

/** A new wallet starts at the lowest count of all nodes, because `latest` comes from one node only. */
async function readBooks(
  { book, rpc, chain }: ClaimPorts,
  wallets: WalletOnChain[],
): Promise<AccountsByAddress> {
  const accounts = await book.findAccounts(wallets);
  const unused = wallets.filter(({ address }) => !accounts.has(address));
  if (unused.length === 0) return accounts;
  const open = async (address: string) => book.openWallet(address, await leastNonce(rpc, chain, address));
  // If other wallets have a row, a new wallet may wait for the nodes.
  const opening = unused.map(({ address }) =>
    accounts.size > 0 ? open(address).catch(asSilence) : open(address),
  );
  await Promise.all(opening);
  // Another process may have opened a wallet, and paid from it after this visit read its balance.
  const opened = await book.findAccounts(wallets);
  if (opened.size > 0) return opened;
  return new Map(wallets.map(({ address, latest }) => [address, unopened(latest)]));
}

/** An account without a row. A write for it is refused. */
function unopened(latest: number): Account {
  return { next: latest, committed: NOTHING, mark: { nonce: latest, committed: NOTHING } };
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
