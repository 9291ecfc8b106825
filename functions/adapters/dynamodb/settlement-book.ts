import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { PerAsset } from '../../domain/assets.ts';
import type { Random } from '../../domain/ports.ts';
import type { Account, Theft } from '../../domain/treasury/hot-wallet.ts';
import type { PayoutWindow } from '../../domain/treasury/payout-window.ts';
import {
  type AfterTry,
  type Assigned,
  type Attempt,
  asConfirmed,
  type Cancellation,
  isOwned,
  type Mined,
  type Open,
  type Requested,
  type Settlement,
  type Signed,
  type TryFailure,
  withAttempt,
  withCast,
  withFailedTry,
  withNonce,
} from '../../domain/treasury/settlement.ts';
import { findWindows, saveWindow } from './payout-windows.ts';
import {
  type Assignment,
  type Books,
  type Counted,
  closeSlot,
  markSlot,
  openSlot,
  quarantineWallet,
  releasePurchase,
  replaceSettlement,
  takeNonce,
} from './settlement-items.ts';
import { toRow } from './settlement-parser.ts';
import { find, findAccounts, findRow, findWallets, type Seen, type WalletRow } from './settlement-reads.ts';
import { claimPurchase, type Row, slotKeyOf, walletKeyOf } from './settlement-rows.ts';
import { isRefused, putNew, type WriteItem, type Written, writeAll } from './table.ts';

/**
 * The rows of the treasury on one chain. Reads are consistent. Every write of a settlement names the one that it was
 * computed from, and is dropped if the row has changed since. A write of which the outcome is unknown answers like a
 * dropped one: the caller reads the row again.
 */
export type Book = {
  /** Undefined: it was never opened. */
  find(transactionId: string): Promise<Settlement | undefined>;
  /**
   * Puts the settlement if it is absent. The answer is the settlement that is there now. It is looked for first,
   * unless it `wasAbsent` just now.
   */
  open(settlement: Requested, wasAbsent?: boolean): Promise<Settlement>;
  /** The wallets that were used before, by their addresses as in the argument. */
  findWallets(wallets: readonly string[]): Promise<Map<string, WalletRow>>;
  /** The same with the sums of their payouts, also up to `latest`, the nonce that comes next in the chain. */
  findAccounts(wallets: readonly Seen[]): Promise<Map<string, Account>>;
  /** The payouts of the last hour. */
  findWindows(): Promise<PerAsset<PayoutWindow>>;
  /** Puts the row of the wallet if it is absent. `next` is its first nonce. */
  openWallet(address: string, next: number): Promise<void>;
  /** The settlement that owns or owned a nonce. */
  findOwner(wallet: string, nonce: number): Promise<Settlement | undefined>;
  /**
   * In one write, gives the settlement the next nonce of the wallet as the caller knows it, and the purchase its
   * disposition. The same write saves the window that counts the payout. `CONTENDED`: the row of the wallet or of the
   * window has changed, or another writer was faster. `MOVED`: read the settlement again. `REFUSED`: the purchase is
   * not to be settled.
   */
  assign(settlement: Requested, wallet: string, counted: Counted): Promise<AssignOutcome>;
  addAttempt(settlement: Assigned | Signed, attempt: Attempt): Promise<boolean>;
  noteCast(settlement: Signed, cast: { at: number; hint: string }): Promise<void>;
  confirm(settlement: Signed, mined: Mined): Promise<boolean>;
  /**
   * Counts a failed try and takes the nonce away, if one is owned. `cancel` ends the settlement: no other try is
   * made. Undefined: nothing was written, or the outcome is unknown.
   */
  fail(settlement: Open, reason: TryFailure, cancel?: Cancellation): Promise<AfterTry | undefined>;
  /** As `fail`, because somebody else used the nonce. The same write puts the wallet in quarantine. */
  failByTheft(settlement: Signed, theft: Theft): Promise<AfterTry | undefined>;
};

export type AssignOutcome = 'ASSIGNED' | 'CONTENDED' | 'MOVED' | 'REFUSED';

export type SettlementTables = Books & {
  client: DynamoDBDocumentClient;
  transactionsTable: string;
  random: Random;
};

export function settlementBook(tables: SettlementTables): Book {
  const save = (was: Open, next: Settlement) => isWritten(tables, [replaceSettlement(tables, was, next)]);
  return {
    find: (transactionId) => find(tables, transactionId),
    open: (settlement, wasAbsent = false) => open(tables, settlement, wasAbsent),
    findWallets: (wallets) => findWallets(tables, wallets),
    findAccounts: (wallets) => findAccounts(tables, wallets),
    findWindows: () => findWindows(tables),
    async openWallet(address, next) {
      await write(tables, [putIfAbsent(tables, { id: walletKeyOf(tables.chainId, address), next })]);
    },
    async findOwner(wallet, nonce) {
      const slot = await findRow(tables, slotKeyOf(tables.chainId, wallet, nonce));
      return slot && find(tables, String(slot.transactionId));
    },
    assign: (settlement, wallet, counted) => assign(tables, { settlement, wallet, counted }),
    addAttempt(settlement, attempt) {
      const items = [replaceSettlement(tables, settlement, withAttempt(settlement, attempt))];
      if (attempt.kind === 'cancel') items.push(markSlot(tables, settlement, attempt.kind));
      return isWritten(tables, items);
    },
    async noteCast(settlement, cast) {
      await save(settlement, withCast(settlement, cast));
    },
    confirm: (settlement, mined) => save(settlement, asConfirmed(settlement, mined)),
    fail: (settlement, reason, cancel) => endTry(tables, settlement, { reason, cancel }),
    failByTheft(settlement, theft) {
      const besides = [quarantineWallet(tables, settlement, theft)];
      return endTry(tables, settlement, { reason: theft.reason, besides });
    },
  };
}

function write({ client, random }: SettlementTables, items: WriteItem[]): Promise<Written> {
  return writeAll(client, items, random);
}

async function isWritten(tables: SettlementTables, items: WriteItem[]): Promise<boolean> {
  return (await write(tables, items)) === 'WRITTEN';
}

function putIfAbsent({ settlementsTable }: SettlementTables, row: Row): WriteItem {
  return { Put: putNew(settlementsTable, row) };
}

async function open(
  tables: SettlementTables,
  settlement: Requested,
  wasAbsent: boolean,
): Promise<Settlement> {
  const { transactionId } = settlement;
  const found = wasAbsent ? undefined : await find(tables, transactionId);
  if (found) return found;
  const outcome = await write(tables, [putIfAbsent(tables, toRow(settlement))]);
  return outcome === 'WRITTEN' ? settlement : ((await find(tables, transactionId)) ?? settlement);
}

async function assign(tables: SettlementTables, assignment: Assignment): Promise<AssignOutcome> {
  const { settlement, wallet, counted } = assignment;
  const outcome = await write(tables, [
    takeNonce(tables, assignment),
    openSlot(tables, assignment),
    replaceSettlement(tables, settlement, withNonce(settlement, wallet, counted.next)),
    claimPurchase(tables.transactionsTable, settlement.transactionId),
    saveWindow(tables, settlement.asset, counted.window),
  ]);
  if (outcome === 'WRITTEN') return 'ASSIGNED';
  if (outcome === 'UNKNOWN') return 'MOVED';
  const [, , replaced, claimed] = outcome;
  if (isRefused(replaced)) return 'MOVED';
  return isRefused(claimed) ? 'REFUSED' : 'CONTENDED';
}

type Ending = { reason: TryFailure; cancel?: Cancellation; besides?: WriteItem[] };

async function endTry(
  tables: SettlementTables,
  was: Open,
  { reason, cancel, besides = [] }: Ending,
): Promise<AfterTry | undefined> {
  const next = withFailedTry(was, reason, cancel);
  const release = isOwned(was) ? [closeSlot(tables, was, reason), releasePurchase(tables, was)] : [];
  const items = [replaceSettlement(tables, was, next), ...release, ...besides];
  return (await isWritten(tables, items)) ? next : undefined;
}
