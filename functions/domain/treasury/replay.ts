/**
 * Finds what restored tables lost: which transfer on the chain paid which purchase. It calls no port:
 * docs/decisions.md, "Tables that were restored".
 */
import { getAt } from '../get.ts';
import type { TransferOut } from './outflow-ports.ts';
import { isOver, isOwned, type Lost, type Open, type Payout, type Settlement } from './settlement.ts';

/** A settlement that the tables do not prove as paid: it is not over, or a replay left it in doubt. */
export type Unsettled = Open | Lost;
/** A paid purchase that the tables have as not paid out. */
export type Unpaid = { payout: Payout; settlement?: Unsettled };
/** A transfer that is final, and the settlement that its nonce was given to. */
export type FoundTransfer = { transfer: TransferOut; owner?: Settlement };
/** A transfer in a transaction that the wallet sent itself. */
export type Sent = TransferOut & { nonce: number };
/** A purchase and the transfer that paid it, or that may have. */
export type Match = Unpaid & { transfer: Sent };

export type Replay = {
  /** Proven by the nonce, or by number: there are at least as many transfers as purchases that they can have paid. */
  paid: Match[];
  /** There are fewer transfers than purchases that they can have paid. Each purchase has one that may be its own. */
  doubtful: Match[];
  /** Transfers that match no unpaid purchase. */
  unknown: TransferOut[];
};

/**
 * Whether a transfer may turn out to have paid the purchase. A settlement that an earlier replay left in doubt counts
 * too. Without it, the other settlements of the same group would count as proven. A transfer that was confirmed and
 * then lost was not in doubt.
 */
export function isUnsettled(settlement: Settlement | undefined): settlement is Unsettled | undefined {
  if (!settlement || !isOver(settlement)) return true;
  return settlement.state === 'LOST' && settlement.confirmedAt === undefined;
}

export function isSent(transfer: TransferOut): transfer is Sent {
  return transfer.nonce !== undefined;
}

/** The number of nonces that final blocks have used, for each wallet. The addresses are in lower case. */
export type Counts = ReadonlyMap<string, number>;

export function matchTransfers(
  found: readonly FoundTransfer[],
  unpaid: readonly Unpaid[],
  counts: Counts,
): Replay {
  const news = found.filter((each) => !isRecorded(each));
  const paid = news.flatMap((each) => matchByNonce(each, unpaid));
  const taken = new Set(paid.map(({ payout }) => payout.transactionId));
  // A settlement whose nonce is not used yet cannot have been paid at another.
  const free = unpaid.filter((each) => !taken.has(each.payout.transactionId) && !isOnItsWay(each, counts));
  const rest = news.filter(({ transfer }) => !paid.some((match) => match.transfer === transfer));
  // Only a nonce without an owner may belong to a lost row. A nonce of another settlement proves nothing.
  const orphans = rest.flatMap(({ transfer, owner }) => (!owner && isSent(transfer) ? [transfer] : []));
  const replay: Replay = { paid, doubtful: [], unknown: [] };
  for (const { transfer } of rest)
    if (!orphans.some((each) => each === transfer)) replay.unknown.push(transfer);
  for (const [key, group] of Map.groupBy(orphans, keyOf))
    matchGroup(
      group.sort(inOrder),
      free.filter(({ payout }) => keyOf(payout) === key),
      replay,
    );
  return replay;
}

function matchByNonce({ transfer, owner }: FoundTransfer, unpaid: readonly Unpaid[]): Match[] {
  const own = owner && unpaid.find(({ payout }) => payout.transactionId === owner.transactionId);
  if (!own || !isSent(transfer)) return [];
  const isIts = ownsNonce(own, transfer) && keyOf(transfer) === keyOf(own.payout);
  return isIts ? [{ ...own, transfer }] : [];
}

/** Matches transfers of the same units to the same address with the purchases that any of them can have paid. */
function matchGroup(transfers: readonly Sent[], unpaid: readonly Unpaid[], replay: Replay): void {
  const pairs = unpaid.map((each, index) => ({
    ...each,
    transfer: getAt(transfers, index % transfers.length),
  }));
  if (unpaid.length > transfers.length) replay.doubtful.push(...pairs);
  else replay.paid.push(...pairs);
  replay.unknown.push(...transfers.slice(unpaid.length));
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function isRecorded({ transfer, owner }: FoundTransfer): boolean {
  return owner !== undefined && 'txHash' in owner && isSame(owner.txHash, transfer.txHash);
}

function ownsNonce({ settlement }: Unpaid, { wallet, nonce }: Sent): boolean {
  // After a try that failed because somebody else used the nonce, the slot still names the settlement.
  if (!settlement || !isOwned(settlement)) return true;
  return settlement.nonce === nonce && isSame(settlement.wallet, wallet);
}

function isOnItsWay({ settlement }: Unpaid, counts: Counts): boolean {
  if (!settlement || !isOwned(settlement)) return false;
  const used = counts.get(settlement.wallet.toLowerCase());
  return used === undefined || settlement.nonce >= used;
}

const keyOf = ({ asset, units, to }: Pick<Payout, 'asset' | 'units' | 'to'>) =>
  [asset, units, to.toLowerCase()].join();

const inOrder = (one: TransferOut, other: TransferOut) =>
  one.blockNumber - other.blockNumber || one.logIndex - other.logIndex;
