import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { PerAsset } from '../../domain/assets.ts';
import type { Posting } from '../../domain/ledger.ts';
import type { Random } from '../../domain/ports.ts';
import type { GasSpent } from '../../domain/treasury/gas.ts';
import type { NonceBooks, Theft } from '../../domain/treasury/hot-wallet.ts';
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
import { gasInSlot, gasPostingOf, postGas, spendGas, writeWithGas } from './gas.ts';
import { findWindows, saveWindow } from './payout-windows.ts';
import {
  type Assignment,
  type CountedBooks,
  closeSlot,
  markSlot,
  openSlot,
  quarantineWallet,
  releasePurchase,
  replaceSettlement,
  type SettlementBooks,
  takeNonce,
} from './settlement-items.ts';
import { toSettlementRow } from './settlement-parser.ts';
import {
  findAccounts,
  findPayment,
  findSettlementRow,
  findWallets,
  type SeenNonce,
  type WalletRow,
} from './settlement-reads.ts';
import { claimPurchase, type SettlementItem, slotKeyOf, walletKeyOf } from './settlement-rows.ts';
import { isRefused, putNew, type WriteItem, type Written, writeAll } from './table.ts';

/**
 * Reads and writes the treasury's rows on one chain. All reads are consistent. A write of a settlement is
 * refused if the row has changed since it was read. If the outcome of a write is unknown, the method returns
 * the same as for a refused write, and the caller reads the row again.
 */
export type Book = {
  /** Reads the settlement of a purchase. Undefined if the settlement was not opened yet. */
  find(transactionId: string): Promise<Settlement | undefined>;
  /**
   * Writes the settlement unless it exists, and returns the stored one. With `wasAbsent` it writes without a
   * read before, because the caller has just found no row.
   */
  open(settlement: Requested, wasAbsent?: boolean): Promise<Settlement>;
  /**
   * Reads the rows of these wallets. A wallet without a row is missing in the result. The keys are the
   * addresses as the caller wrote them.
   */
  findWallets(wallets: readonly string[]): Promise<Map<string, WalletRow>>;
  /**
   * Reads the same rows as `findWallets`, with two sums for each wallet. One sums the payouts with nonces
   * below the row's `next`. The other sums those with nonces below `latest`, the wallet's next nonce on the
   * chain.
   */
  findAccounts(wallets: readonly SeenNonce[]): Promise<Map<string, NonceBooks>>;
  /** The payouts of the last hour. */
  findWindows(): Promise<PerAsset<PayoutWindow>>;
  /** Writes the row of a new wallet, unless it exists. `next` is the first nonce that the row will assign. */
  openWallet(address: string, next: number): Promise<void>;
  /**
   * The settlement to which this nonce was assigned, even if the settlement does not own the nonce any more.
   */
  findOwner(wallet: string, nonce: number): Promise<Settlement | undefined>;
  /** The ledger posting of the gas that was paid for the nonce. Undefined while the cost is unknown. */
  findGasPosting(wallet: string, nonce: number): Promise<Posting | undefined>;
  /**
   * Gives the settlement the wallet's next nonce and reserves the purchase for settlement. The same
   * transaction saves the window of payouts. `CONTENDED`: another payment has changed the row of the wallet
   * or of the window. `MOVED`: the settlement has changed, so the caller reads it again. `REFUSED`: the
   * purchase must not be settled.
   */
  assign(settlement: Requested, wallet: string, counted: CountedBooks): Promise<AssignOutcome>;
  /** Records since when nodes or KMS do not answer. If `outage` is undefined, they answer again. */
  noteOutage(settlement: Requested, outage: Requested['outage']): Promise<void>;
  addAttempt(settlement: Assigned | Signed, attempt: Attempt): Promise<boolean>;
  noteCast(settlement: Signed, cast: { at: number; hint: string }): Promise<void>;
  confirm(settlement: Signed, mined: Mined): Promise<boolean>;
  /**
   * Records that a try to pay has failed. If the settlement owns a nonce, it loses the nonce. With `cancel`
   * in `ending` the service does not try again. The same transaction posts `gas` in the ledger. Undefined:
   * nothing was written, or the outcome is unknown.
   */
  fail(settlement: Open, reason: TryFailure, ending?: TryEnding): Promise<AfterTry | undefined>;
  /**
   * Records a failed try as `fail` does, because a party outside the service has used the nonce. The same
   * transaction puts the wallet in quarantine.
   */
  failByTheft(settlement: Signed, theft: Theft): Promise<AfterTry | undefined>;
};

/**
 * How a try ended. `cancel` is the request to cancel the settlement. `gas` is the cost of the transaction
 * with which the try ended.
 */
export type TryEnding = { cancel?: Cancellation; gas?: GasSpent };

type AssignOutcome = 'ASSIGNED' | 'CONTENDED' | 'MOVED' | 'REFUSED';

type SettlementTables = SettlementBooks & {
  client: DynamoDBDocumentClient;
  transactionsTable: string;
  ledgerTable: string;
  random: Random;
};

export function settlementBook(tables: SettlementTables): Book {
  const save = (was: Open, next: Settlement) =>
    isPaymentWritten(tables, [replaceSettlement(tables, was, next)]);
  return {
    find: (transactionId) => findPayment(tables, transactionId),
    open: (settlement, wasAbsent = false) => writeOpened(tables, settlement, wasAbsent),
    findWallets: (wallets) => findWallets(tables, wallets),
    findAccounts: (wallets) => findAccounts(tables, wallets),
    findWindows: () => findWindows(tables),
    async openWallet(address, next) {
      await writePayments(tables, [
        putNewPayment(tables, { id: walletKeyOf(tables.chainId, address), next }),
      ]);
    },
    async findOwner(wallet, nonce) {
      const slot = await findSettlementRow(tables, slotKeyOf(tables.chainId, wallet, nonce));
      return slot && findPayment(tables, String(slot.transactionId));
    },
    async findGasPosting(wallet, nonce) {
      const slot = await findSettlementRow(tables, slotKeyOf(tables.chainId, wallet, nonce));
      return slot && gasPostingOf(tables.chainId, slot, { wallet, nonce });
    },
    assign: (settlement, wallet, counted) => writeAssignment(tables, { settlement, wallet, counted }),
    async noteOutage(settlement, outage) {
      await save(settlement, { ...settlement, outage });
    },
    addAttempt(settlement, attempt) {
      const items = [replaceSettlement(tables, settlement, withAttempt(settlement, attempt))];
      if (attempt.kind === 'cancel') items.push(markSlot(tables, settlement, attempt.kind));
      return isPaymentWritten(tables, items);
    },
    async noteCast(settlement, cast) {
      await save(settlement, withCast(settlement, cast));
    },
    async confirm(settlement, mined) {
      const items = [replaceSettlement(tables, settlement, asConfirmed(settlement, mined))];
      const move = { items, gas: spendGas(tables, settlement, mined.gas) };
      return (await writeWithGas(tables.client, move, tables.random)) === 'WRITTEN';
    },
    fail: (settlement, reason, ending) => endTry(tables, settlement, { reason, ...ending }),
    failByTheft(settlement, theft) {
      const besides = [quarantineWallet(tables, settlement, theft)];
      return endTry(tables, settlement, { reason: theft.reason, besides });
    },
  };
}

function writePayments({ client, random }: SettlementTables, items: WriteItem[]): Promise<Written> {
  return writeAll(client, items, random);
}

async function isPaymentWritten(tables: SettlementTables, items: WriteItem[]): Promise<boolean> {
  return (await writePayments(tables, items)) === 'WRITTEN';
}

function putNewPayment({ settlementsTable }: SettlementTables, row: SettlementItem): WriteItem {
  return { Put: putNew(settlementsTable, row) };
}

async function writeOpened(
  tables: SettlementTables,
  settlement: Requested,
  wasAbsent: boolean,
): Promise<Settlement> {
  const { transactionId } = settlement;
  const found = wasAbsent ? undefined : await findPayment(tables, transactionId);
  if (found) return found;
  const outcome = await writePayments(tables, [putNewPayment(tables, toSettlementRow(settlement))]);
  return outcome === 'WRITTEN' ? settlement : ((await findPayment(tables, transactionId)) ?? settlement);
}

async function writeAssignment(tables: SettlementTables, assignment: Assignment): Promise<AssignOutcome> {
  const { settlement, wallet, counted } = assignment;
  const outcome = await writePayments(tables, [
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

type Ending = TryEnding & { reason: TryFailure; besides?: WriteItem[] };

async function endTry(
  tables: SettlementTables,
  was: Open,
  { reason, cancel, gas, besides = [] }: Ending,
): Promise<AfterTry | undefined> {
  const next = withFailedTry(was, reason, cancel);
  const release = isOwned(was)
    ? [closeSlot(tables, was, { reason, ...gasInSlot(gas) }), releasePurchase(tables, was)]
    : [];
  const items = [replaceSettlement(tables, was, next), ...release, ...besides];
  const move = { items, gas: isOwned(was) ? postGas(tables, was, gas) : [] };
  return (await writeWithGas(tables.client, move, tables.random)) === 'WRITTEN' ? next : undefined;
}
