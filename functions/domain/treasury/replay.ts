/**
 * Finds the payouts that restored tables have lost: which transfer on the chain paid which purchase. It only
 * computes and calls no port: docs/operations.md, "After a restore".
 */
import { getAt } from '../get.ts';
import type { TransferOut } from './outflow-ports.ts';
import { isOver, isOwned, type Lost, type Open, type Payout, type Settlement } from './settlement.ts';

/** A settlement that may still turn out to be paid: it is not over, or an earlier replay left it in doubt. */
type Unsettled = Open | Lost;
/** A paid purchase whose stablecoin was not sent, as far as the tables know. */
export type Unpaid = { payout: Payout; settlement?: Unsettled };
/** A final transfer on the chain, and the settlement to which its nonce was assigned. */
export type FoundTransfer = { transfer: TransferOut; owner?: Settlement };
/** A transfer whose transaction was sent by the wallet itself, so that it used a nonce of the wallet. */
export type SentTransfer = TransferOut & { nonce: number };
/** A purchase with the transfer that paid it, or that may have paid it. */
export type Match = Unpaid & { transfer: SentTransfer };

export type Replay = {
  /**
   * The transfer has certainly paid the purchase. Its nonce proves that, or every purchase with the same
   * asset, units and address has a transfer of its own.
   */
  paid: Match[];
  /**
   * There are fewer transfers than purchases with the same asset, units and address, so nobody knows which
   * purchases are paid. Each purchase is paired with a transfer that may have paid it.
   */
  doubtful: Match[];
  /** Transfers that match no unpaid purchase. */
  unknown: TransferOut[];
};

/**
 * Whether a transfer on the chain may turn out to have paid this purchase. True also if an earlier replay
 * left the settlement in doubt. Without this purchase, other purchases with an equal payout would wrongly
 * seem proven. False if the transfer was confirmed and then lost.
 */
export function isUnsettled(settlement: Settlement | undefined): settlement is Unsettled | undefined {
  if (!settlement || !isOver(settlement)) return true;
  return settlement.state === 'LOST' && settlement.confirmedAt === undefined;
}

export function isSent(transfer: TransferOut): transfer is SentTransfer {
  return transfer.nonce !== undefined;
}

/** For each wallet the number of nonces that final blocks have used. The keys are addresses in lower case. */
type NonceCounts = ReadonlyMap<string, number>;

export function matchTransfers(
  found: readonly FoundTransfer[],
  unpaid: readonly Unpaid[],
  counts: NonceCounts,
): Replay {
  const news = found.filter((each) => !isRecorded(each));
  const paid = news.flatMap((each) => matchByNonce(each, unpaid));
  const taken = new Set(paid.map(({ payout }) => payout.transactionId));
  // If a settlement owns a nonce that the chain has not used yet, no transfer on the chain can have paid its
  // purchase.
  const free = unpaid.filter((each) => !taken.has(each.payout.transactionId) && !isOnItsWay(each, counts));
  const rest = news.filter(({ transfer }) => !paid.some((match) => match.transfer === transfer));
  // A transfer can belong to a lost row only if no settlement owns its nonce. If a settlement that does not
  // match owns the nonce, the transfer proves nothing.
  const orphans = rest.flatMap(({ transfer, owner }) => (!owner && isSent(transfer) ? [transfer] : []));
  const replay: Replay = { paid, doubtful: [], unknown: [] };
  for (const { transfer } of rest)
    if (!orphans.some((each) => each === transfer)) replay.unknown.push(transfer);
  for (const [key, group] of Map.groupBy(orphans, transferKey))
    matchGroup(
      group.sort(byTransfer),
      free.filter(({ payout }) => transferKey(payout) === key),
      replay,
    );
  return replay;
}

function matchByNonce({ transfer, owner }: FoundTransfer, unpaid: readonly Unpaid[]): Match[] {
  const own = owner && unpaid.find(({ payout }) => payout.transactionId === owner.transactionId);
  if (!own || !isSent(transfer)) return [];
  const isIts = ownsNonce(own, transfer) && transferKey(transfer) === transferKey(own.payout);
  return isIts ? [{ ...own, transfer }] : [];
}

/**
 * Matches transfers with purchases of the same asset, units and address. Each of the transfers can have paid
 * each of the purchases.
 */
function matchGroup(transfers: readonly SentTransfer[], unpaid: readonly Unpaid[], replay: Replay): void {
  const pairs = unpaid.map((each, index) => ({
    ...each,
    transfer: getAt(transfers, index % transfers.length),
  }));
  if (unpaid.length > transfers.length) replay.doubtful.push(...pairs);
  else replay.paid.push(...pairs);
  replay.unknown.push(...transfers.slice(unpaid.length));
}

const isSameRecipient = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

function isRecorded({ transfer, owner }: FoundTransfer): boolean {
  return owner !== undefined && 'txHash' in owner && isSameRecipient(owner.txHash, transfer.txHash);
}

function ownsNonce({ settlement }: Unpaid, { wallet, nonce }: SentTransfer): boolean {
  // The owner is read from the row of the nonce in the settlements table. That row still names a settlement
  // that has given up the nonce since. Therefore a settlement without a nonce matches too.
  if (!settlement || !isOwned(settlement)) return true;
  return settlement.nonce === nonce && isSameRecipient(settlement.wallet, wallet);
}

function isOnItsWay({ settlement }: Unpaid, counts: NonceCounts): boolean {
  if (!settlement || !isOwned(settlement)) return false;
  const used = counts.get(settlement.wallet.toLowerCase());
  return used === undefined || settlement.nonce >= used;
}

const transferKey = ({ asset, units, to }: Pick<Payout, 'asset' | 'units' | 'to'>) =>
  [asset, units, to.toLowerCase()].join();

const byTransfer = (one: TransferOut, other: TransferOut) =>
  one.blockNumber - other.blockNumber || one.logIndex - other.logIndex;
