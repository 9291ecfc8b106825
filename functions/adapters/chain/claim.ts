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
  type Requested,
  type TryFailure,
  withNonce,
} from '../../domain/treasury/settlement.ts';
import type { Book } from '../dynamodb/settlement-book.ts';
import { jitter } from '../jitter.ts';
import type { Chain } from './chain.ts';
import type { Signer } from './kms-signer.ts';
import { type Clearance, leastNonce, preflight, requireChain, type WalletOnChain } from './preflight.ts';
import { asSilence, type Rpc } from './rpc.ts';
import { listAddresses } from './signers.ts';

/** Payments without an answer that one wallet may have: what nodes keep of one sender. */
export const MAX_IN_FLIGHT = 16;

const ATTEMPTS = 30;
const JITTER_MS = 20;

export type ClaimPorts = {
  rpc: Rpc;
  /** The hot wallets' keys. Their order matters to nobody: a payment keeps the wallet that its row names. */
  signers: readonly Signer[];
  book: Book;
  chain: Chain;
  random: Random;
  log: Log;
  /** More than `MAX_IN_FLIGHT` only for nodes that are known to keep them. */
  maxInFlight?: number;
};

/**
 * `written`: the settlement with its nonce. `MOVED`: read it again. `FORBIDDEN`: the purchase is not to be settled.
 * `wait`: soon. `hold`: a person must act. Neither of them uses up a try. `refuse` does, and `never` ends all tries.
 */
export type Claimed =
  | { written: Assigned }
  | 'MOVED'
  | 'FORBIDDEN'
  | { wait: Waiting }
  | { hold: ClaimTrouble }
  | { refuse: TryFailure }
  | { never: TryFailure };

export type NonceClaim = (settlement: Requested) => Promise<Claimed>;

/**
 * docs/settlement.md, steps 2 and 3: all that may fail is tried first, then one write gives the payment its nonce. It
 * throws if no provider answers; then no nonce is owned.
 */
export function nonceClaims(ports: ClaimPorts): NonceClaim {
  const { rpc, signers, chain } = ports;
  const inTurn = turns();
  let isChainKnown = false;

  async function clear(settlement: Requested): Promise<Clearance> {
    if (!isChainKnown) isChainKnown = await requireChain(rpc, chain);
    return preflight(rpc, chain, settlement, await listAddresses(signers));
  }

  return async (settlement) => {
    const clearance = await clear(settlement);
    if (!('wallets' in clearance)) return clearance;
    const { wallets } = clearance;
    return (await inTurn((known) => assign(ports, { settlement, wallets }, known))).claimed;
  };
}

/** What the books say of each wallet. */
type Known = ReadonlyMap<string, Account>;
/** With what whoever comes next in this process may go on. */
type Turn = { claimed: Claimed; known?: Known };

async function assign(
  ports: ClaimPorts,
  { settlement, wallets }: { settlement: Requested; wallets: WalletOnChain[] },
  guess?: Known,
): Promise<Turn> {
  const { book, random, maxInFlight = MAX_IN_FLIGHT } = ports;
  const { transactionId, asset, units } = settlement;
  // What follows the last write of ours is a guess, which the write judges; one that cannot be right is not tried.
  const isGood = guess && wallets.every((wallet) => isUsable(guess.get(wallet.address), wallet));
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const isGuess = attempt === 1 && isGood;
    const known = isGuess ? guess : await readBooks(ports, wallets);
    const payers = wallets.flatMap((wallet) => asPayer(wallet, known.get(wallet.address), asset));
    const choice = chooseWallet(payers, { transactionId, units, maxInFlight });
    // A guess may take what is mined by now for what is on its way: before it refuses, the books are asked.
    if (!('wallet' in choice) && isGuess) continue;
    if (!('wallet' in choice)) return { claimed: choice };
    tellOfTrouble(ports, payers);
    const { wallet, nonce } = choice;
    const account = getOf(known, wallet);
    const written = await book.assign(settlement, wallet, account);
    if (written === 'REFUSED') return { claimed: 'FORBIDDEN' };
    if (written === 'MOVED') return { claimed: 'MOVED' };
    if (written === 'ASSIGNED') {
      const claimed = { written: withNonce(settlement, wallet, nonce) };
      return { claimed, known: new Map(known).set(wallet, withPayment(account, settlement)) };
    }
    await jitter(random, JITTER_MS * attempt);
  }
  return { claimed: { wait: 'wallet is busy' } };
}

/**
 * Whether it may be right: not behind the chain, and not marked by what came after the wallet was looked at, for its balance
 * still has that.
 */
function isUsable(guess: Account | undefined, { latest }: WalletOnChain): boolean {
  return guess !== undefined && guess.next >= latest && guess.mark.nonce <= latest;
}

function asPayer(wallet: WalletOnChain, account: Account | undefined, asset: Asset): Payer[] {
  return account ? [{ ...wallet, ...account, promised: promisedOf(account, asset) }] : [];
}

/** A wallet's first use starts its count where the chain stands, by all nodes: `latest` is one node's word. */
async function readBooks({ book, rpc, chain }: ClaimPorts, wallets: WalletOnChain[]): Promise<Known> {
  const accounts = await book.findAccounts(wallets);
  const unused = wallets.filter(({ address }) => !accounts.has(address));
  if (unused.length === 0) return accounts;
  const open = async (address: string) => book.openWallet(address, await leastNonce(rpc, chain, address));
  // While others pay, a new one may wait for the nodes.
  const opening = unused.map(({ address }) =>
    accounts.size > 0 ? open(address).catch(asSilence) : open(address),
  );
  await Promise.all(opening);
  // Another process may have opened it, and paid from it since this visit saw its balance.
  const opened = await book.findAccounts(wallets);
  if (opened.size > 0) return opened;
  return new Map(wallets.map(({ address, latest }) => [address, unopened(latest)]));
}

/** What no row answers to: the write would be refused. */
function unopened(latest: number): Account {
  return { next: latest, given: NOTHING, mark: { nonce: latest, given: NOTHING } };
}

/** Another wallet pays instead: nobody would look at this one otherwise. */
function tellOfTrouble({ log }: ClaimPorts, wallets: HotWallet[]): void {
  for (const wallet of wallets) {
    const doing = troubleOf(wallet);
    if (doing) log.error('wallet needs attention', undefined, { address: wallet.address, doing });
  }
}

type Work = (known?: Known) => Promise<Turn>;

/**
 * Visits of one process would only meet each other at the wallets' rows: there they go one by one, and who waited is
 * told where the one before him left them. Against other processes the write alone decides.
 */
function turns(): (work: Work) => Promise<Turn> {
  let last: Promise<Known | undefined> = Promise.resolve(undefined);
  let ahead = 0;
  return (work) => {
    const mine = ahead > 0 ? last.then(work) : work();
    ahead++;
    const leave = () => void ahead--;
    mine.then(leave, leave);
    last = mine.then(
      ({ known }) => known,
      () => undefined,
    );
    return mine;
  };
}
