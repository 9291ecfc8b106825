/**
 * What restored tables lost, told by the chain: which transfer paid which purchase. Data in, matches out:
 * docs/decisions.md, "Tables that were restored".
 */
import type { TransferOut } from './outflow-ports.ts';
import { isOver, type Payout, type Settlement } from './settlement.ts';

/** A paid purchase that the tables have as not paid out. */
export type Unpaid = { payout: Payout; settlement?: Settlement };
/** A transfer that is final, and the settlement that the books gave its nonce to. */
export type Found = { transfer: TransferOut; owner?: Settlement };
/** A purchase and the transfer that paid it, or that may have. */
export type Match = Unpaid & { transfer: TransferOut };

export type Replay = {
  /** Proven: as many transfers as purchases that they can have paid, or more. */
  paid: Match[];
  /** Fewer transfers than purchases that they can have paid: each is with one that may be its. */
  doubtful: Match[];
  /** Of no purchase that is known. */
  unknown: TransferOut[];
};

/**
 * Whether a transfer may be found to have paid it. So may what a replay has left in doubt, and died before its like: without it
 * the rest would be as many as their transfers, and be taken for proven. What was confirmed, and then lost, was not in doubt.
 */
export function isUnpaid(settlement: Settlement | undefined): boolean {
  if (!settlement || !isOver(settlement)) return true;
  return settlement.state === 'LOST' && settlement.confirmedAt === undefined;
}

/** By wallet, in small letters: how many of its nonces are used for good. */
export type Counts = ReadonlyMap<string, number>;

export function matchTransfers(found: readonly Found[], unpaid: readonly Unpaid[], counts: Counts): Replay {
  const news = found.filter((each) => !isRecorded(each));
  const byNonce = news.flatMap(({ transfer, owner }) => {
    const own = owner && unpaid.find(({ payout }) => payout.transactionId === owner.transactionId);
    return own && ownsNonce(own, transfer) && isFor(transfer, own.payout) ? [{ ...own, transfer }] : [];
  });
  const taken = new Set(byNonce.map(({ payout }) => payout.transactionId));
  // What has a nonce that is not used yet cannot have been paid with another.
  const free = unpaid.filter((each) => !taken.has(each.payout.transactionId) && !isOnItsWay(each, counts));
  const rest = news.filter(({ transfer }) => !byNonce.some((match) => match.transfer === transfer));
  const replay: Replay = { paid: byNonce, doubtful: [], unknown: [] };
  // The nonce of another settlement, or one that was not given out in the right order: nothing follows from it.
  const orphans = rest.filter(({ transfer, owner }) => !owner && transfer.nonce !== undefined);
  replay.unknown.push(...rest.filter((each) => !orphans.includes(each)).map(({ transfer }) => transfer));
  for (const group of Map.groupBy(orphans, ({ transfer }) => keyOf(transfer)).values())
    matchGroup(group.map(({ transfer }) => transfer).sort(inOrder), free, replay);
  return replay;
}

/** Transfers of the same units to the same address: any of them is as good for any purchase of these. */
function matchGroup(transfers: readonly TransferOut[], free: readonly Unpaid[], replay: Replay): void {
  const mine = free.filter(({ payout }) => isFor(transfers[0]!, payout));
  const pairs = mine.map((each, index) => ({ ...each, transfer: transfers[index % transfers.length]! }));
  if (mine.length > transfers.length) replay.doubtful.push(...pairs);
  else replay.paid.push(...pairs);
  replay.unknown.push(...transfers.slice(mine.length));
}

const isSame = (one: string | undefined, other: string) => one?.toLowerCase() === other.toLowerCase();

function isRecorded({ transfer, owner }: Found): boolean {
  return owner !== undefined && isOver(owner) && isSame(owner.txHash, transfer.txHash);
}

function ownsNonce({ settlement }: Unpaid, { wallet, nonce }: TransferOut): boolean {
  // Where the try was ended, as one that others took the nonce of, the slot still names it.
  if (settlement?.nonce === undefined) return true;
  return settlement.nonce === nonce && isSame(settlement.wallet, wallet);
}

function isOnItsWay({ settlement }: Unpaid, counts: Counts): boolean {
  if (settlement?.nonce === undefined) return false;
  return settlement.nonce >= (counts.get((settlement.wallet ?? '').toLowerCase()) ?? 0);
}

function isFor({ asset, units, to }: TransferOut, payout: Payout): boolean {
  return payout.asset === asset && payout.units === units && isSame(payout.to, to);
}

const keyOf = ({ asset, units, to }: TransferOut) => [asset, units, to.toLowerCase()].join();

const inOrder = (one: TransferOut, other: TransferOut) =>
  one.blockNumber - other.blockNumber || one.logIndex - other.logIndex;
