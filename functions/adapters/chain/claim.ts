import { Unavailable } from '../../domain/errors.ts';
import type { Random } from '../../domain/ports.ts';
import { type Settlement, withNonce } from '../../domain/settlement.ts';
import { jitter } from '../jitter.ts';
import type { Chain } from './chain.ts';
import type { Signer } from './kms-signer.ts';
import { type Clearance, preflight, requireChain } from './preflight.ts';
import { type Rpc, RpcError } from './rpc.ts';
import type { Book } from './settlement-book.ts';

/** Payments without an answer that one wallet may have: what nodes keep of one sender. */
export const MAX_IN_FLIGHT = 16;

const ATTEMPTS = 30;
const JITTER_MS = 20;

export type ClaimPorts = {
  rpc: Rpc;
  signer: Signer;
  book: Book;
  chain: Chain;
  random: Random;
  /** More than `MAX_IN_FLIGHT` only for nodes that are known to keep them. */
  maxInFlight?: number;
};

/**
 * `written`: the settlement with its nonce. `MOVED`: read it again. `FORBIDDEN`: the purchase is not to be settled.
 * `wait`: soon; `hold`: a person must act; neither uses up a try, `refuse` does.
 */
export type Claimed =
  | { written: Settlement }
  | 'MOVED'
  | 'FORBIDDEN'
  | { wait: string }
  | { hold: string }
  | { refuse: string };

/** docs/settlement.md, steps 2 and 3: what may fail, fails here; then one write gives the payment its nonce. */
export function nonceClaims(ports: ClaimPorts): (settlement: Settlement) => Promise<Claimed> {
  const { rpc, signer, chain } = ports;
  const inTurn = turns();
  let isChainKnown = false;

  async function clear(settlement: Settlement, wallet: string): Promise<Clearance> {
    if (!isChainKnown) await requireChain(rpc, chain);
    isChainKnown = true;
    return preflight(rpc, chain, settlement, wallet);
  }

  return async (settlement) => {
    try {
      const wallet = await signer.address();
      const clearance = await clear(settlement, wallet);
      if (!('latest' in clearance)) return clearance;
      const { latest } = clearance;
      return await inTurn((before) => assign(ports, { settlement, wallet, latest }, followingOf(before)));
    } catch (error) {
      // No nonce is owned, so an outage is a try like any other: the client is not kept waiting for ever.
      if (isOutage(error)) return { refuse: 'OUTAGE' };
      throw error;
    }
  };
}

async function assign(
  { book, random, maxInFlight = MAX_IN_FLIGHT }: ClaimPorts,
  { settlement, wallet, latest }: { settlement: Settlement; wallet: string; latest: number },
  following = -1,
): Promise<Claimed> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    // What follows the last write of ours is a guess, which the write judges; one that cannot be right is not tried.
    const isGuess = attempt === 1 && following >= latest;
    const nonce = isGuess
      ? following
      : ((await book.findNext(wallet)) ?? (await book.openWallet(wallet, latest)));
    // The account is ahead of its books: its key is used elsewhere, and this nonce could never be mined.
    if (nonce < latest) return { hold: 'wallet is used elsewhere' };
    if (nonce - latest >= maxInFlight) break;
    const written = await book.assign(settlement, wallet, nonce);
    if (written === 'REFUSED') return 'FORBIDDEN';
    if (written === 'ASSIGNED') return { written: withNonce(settlement, wallet, nonce) };
    if (written === 'MOVED') return 'MOVED';
    await jitter(random, JITTER_MS * attempt);
  }
  return { wait: 'wallet is busy' };
}

function followingOf(before?: Claimed): number | undefined {
  const isWritten = typeof before === 'object' && 'written' in before;
  return isWritten ? (before.written.nonce ?? -2) + 1 : undefined;
}

type Work = (before?: Claimed) => Promise<Claimed>;

/**
 * Visits of one process would only meet each other at the wallet's row: there they go one by one, and who waited is
 * told what the one before him got. Against other processes the write alone decides.
 */
function turns(): (work: Work) => Promise<Claimed> {
  let last: Promise<Claimed | undefined> = Promise.resolve(undefined);
  let ahead = 0;
  return (work) => {
    const mine = ahead > 0 ? last.then(work) : work();
    ahead++;
    const leave = () => void ahead--;
    mine.then(leave, leave);
    last = mine.catch(() => undefined);
    return mine;
  };
}

export function isOutage(error: unknown): error is Unavailable | RpcError {
  return error instanceof Unavailable || error instanceof RpcError;
}
