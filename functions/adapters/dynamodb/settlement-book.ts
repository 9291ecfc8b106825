import { BatchGetCommand, type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { Random } from '../../domain/ports.ts';
import {
  type Account,
  type HotWallet,
  type Quarantine,
  withPayment,
} from '../../domain/treasury/hot-wallet.ts';
import {
  type Attempt,
  asConfirmed,
  type Cancellation,
  type Mined,
  type Settlement,
  withAttempt,
  withCast,
  withFailedTry,
  withNonce,
} from '../../domain/treasury/settlement.ts';
import {
  claimPurchase,
  fromUnits,
  payKey,
  type Row,
  slotKeyOf,
  stillAs,
  toAccount,
  toRow,
  toSettlement,
  toWallet,
  walletKeyOf,
} from './settlement-rows.ts';
import { isRefused, putNew, type WriteItem, writeAll } from './table.ts';

/**
 * The books of the treasury on one chain. Reads are consistent. Every write names the settlement that it was computed
 * from and is dropped where the row has moved on. A write that may or may not have happened answers like one that
 * was dropped: the caller reads the row again, which tells.
 */
export type Book = {
  /** Put-if-absent; the answer is the settlement that is there now. */
  open(settlement: Settlement): Promise<Settlement>;
  /** Those of the wallets that were used before, by their addresses as given. */
  findWallets(wallets: readonly string[]): Promise<Map<string, WalletRow>>;
  /** The same with what they gave out, marked by the nonce that comes `latest` in the chain. */
  findAccounts(wallets: readonly Seen[]): Promise<Map<string, Account>>;
  /** Put-if-absent: its count starts where the chain stands. */
  openWallet(address: string, next: number): Promise<void>;
  /** The settlement that a nonce was given to. */
  findOwner(wallet: string, nonce: number): Promise<Settlement | undefined>;
  /**
   * Gives the settlement the wallet's next nonce as the caller knows it, and the purchase its disposition, in one write.
   * `CONTENDED`: that nonce went to another; `MOVED`: read the settlement again; `REFUSED`: the purchase is not to be settled.
   */
  assign(settlement: Settlement, wallet: string, counted: Counted): Promise<Assigned>;
  addAttempt(settlement: Settlement, attempt: Attempt): Promise<boolean>;
  noteCast(settlement: Settlement, cast: { at: number; hint: string }): Promise<void>;
  confirm(settlement: Settlement, mined: Mined): Promise<boolean>;
  /** Counts a failed try and takes the nonce away, if one is owned; undefined where nothing was written. */
  fail(settlement: Settlement, reason: string, besides?: Besides): Promise<Settlement | undefined>;
};

/** Written with a failed try: the nonce's wallet goes into quarantine; no other try is to be made. */
export type Besides = { quarantine?: Quarantine; cancel?: Cancellation };

/** What the books have of a wallet, by its address. */
export type WalletRow = Pick<HotWallet, 'next' | 'quarantine'>;
/** A wallet as the chain shows it. */
export type Seen = Pick<HotWallet, 'address' | 'latest'>;
/** What one write moves on together. */
type Counted = Pick<Account, 'next' | 'given'>;

export type Assigned = 'ASSIGNED' | 'CONTENDED' | 'MOVED' | 'REFUSED';

export type SettlementTables = {
  client: DynamoDBDocumentClient;
  settlementsTable: string;
  transactionsTable: string;
  chainId: number;
  random: Random;
};

export function settlementBook(tables: SettlementTables): Book {
  const { settlementsTable: table, chainId } = tables;
  const walletKey = (wallet: string) => walletKeyOf(chainId, wallet);
  const slotKey = (wallet: string, nonce: number) => slotKeyOf(chainId, wallet, nonce);

  const write = (items: WriteItem[]) => writeAll(tables.client, items, tables.random);

  async function findRow(id: string): Promise<Row | undefined> {
    const command = new GetCommand({ TableName: table, Key: { id }, ConsistentRead: true });
    return (await tables.client.send(command)).Item;
  }

  async function find(transactionId: string): Promise<Settlement | undefined> {
    const row = await findRow(payKey(transactionId));
    return row && toSettlement(row);
  }

  async function findRows(ids: string[]): Promise<Map<unknown, Row>> {
    const Keys = ids.map((id) => ({ id }));
    const { Responses, UnprocessedKeys } = await tables.client.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } }),
    );
    // DynamoDB may leave keys out when it is busy; there are few.
    const left = UnprocessedKeys?.[table]?.Keys ?? [];
    const late = await Promise.all(left.map(({ id }) => findRow(id as string)));
    const rows = [...(Responses?.[table] ?? []), ...late].filter((row) => row !== undefined);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** In one read: the wallets' rows, and the slots that mark them. */
  async function findAccounts(wallets: readonly Seen[]): Promise<Map<string, Account>> {
    const keysOf = ({ address, latest }: Seen) => [walletKey(address), slotKey(address, latest)] as const;
    const rows = await findRows(wallets.flatMap(keysOf));
    const found = wallets.map((seen) => {
      const [row, slot] = keysOf(seen).map((key) => rows.get(key));
      return [seen.address, row && toAccount(row, seen.latest, slot)] as const;
    });
    return known(found);
  }

  function putIfAbsent(row: Row): WriteItem {
    return { Put: putNew(table, row) };
  }

  function replace(was: Settlement, next: Settlement): WriteItem {
    return { Put: { TableName: table, Item: toRow(next), ...stillAs(was) } };
  }

  /**
   * Only this row knows that the nonce is taken, so gaps cannot arise (docs/settlement.md, step 3). What was given out moves
   * with it alone: whose `next` is right has the right sum too.
   */
  function takeNonce(wallet: string, counted: Counted, settlement: Settlement): WriteItem {
    const { next, given } = withPayment(counted, settlement);
    return {
      Update: {
        TableName: table,
        Key: { id: walletKey(wallet) },
        UpdateExpression: 'SET #next = :following, given = :given',
        ConditionExpression: '#next = :next AND attribute_not_exists(quarantine)',
        ExpressionAttributeNames: { '#next': 'next' },
        ExpressionAttributeValues: { ':next': counted.next, ':following': next, ':given': fromUnits(given) },
      },
    };
  }

  /** Nothing of the failed try can be mined any more, so the purchase may be refunded again. */
  function releasePurchase(id: string): WriteItem {
    return {
      Update: {
        TableName: tables.transactionsTable,
        Key: { id },
        UpdateExpression: 'REMOVE disposition',
        ConditionExpression: 'disposition = :settle',
        ExpressionAttributeValues: { ':settle': 'SETTLE' },
      },
    };
  }

  /** The slot stays as history: who used the nonce, with which bytes, and how it ended. */
  function closeSlot(settlement: Settlement, nonce: number, reason: string): WriteItem {
    return {
      Update: {
        TableName: table,
        Key: { id: slotKey(settlement.wallet ?? '', nonce) },
        UpdateExpression: 'SET reason = :reason, attempts = :attempts',
        ConditionExpression: 'transactionId = :transactionId',
        ExpressionAttributeValues: {
          ':reason': reason,
          ':attempts': settlement.attempts,
          ':transactionId': settlement.transactionId,
        },
      },
    };
  }

  /** Also where an operator holds it: that alone would not tell whoever releases it that its key is in other hands. */
  function quarantineWallet({ wallet = '' }: Settlement, quarantine: Quarantine): WriteItem {
    return {
      Update: {
        TableName: table,
        Key: { id: walletKey(wallet) },
        UpdateExpression: 'SET quarantine = :quarantine',
        ConditionExpression: 'attribute_exists(#next)',
        ExpressionAttributeNames: { '#next': 'next' },
        ExpressionAttributeValues: { ':quarantine': quarantine },
      },
    };
  }

  /** The slot says what its nonce is for, also once the settlement has another. */
  function markSlot({ wallet = '', nonce = 0, transactionId }: Settlement, kind: Attempt['kind']): WriteItem {
    return {
      Update: {
        TableName: table,
        Key: { id: slotKey(wallet, nonce) },
        UpdateExpression: 'SET kind = :kind',
        ConditionExpression: 'transactionId = :transactionId',
        ExpressionAttributeValues: { ':kind': kind, ':transactionId': transactionId },
      },
    };
  }

  async function save(was: Settlement, next: Settlement): Promise<boolean> {
    return (await write([replace(was, next)])) === 'WRITTEN';
  }

  return {
    findAccounts,
    async findWallets(wallets) {
      const rows = await findRows(wallets.map(walletKey));
      const found = wallets.map((wallet) => [wallet, rows.get(walletKey(wallet))] as const);
      return known(found.map(([wallet, row]) => [wallet, row && toWallet(row)] as const));
    },
    async open(settlement) {
      const { transactionId } = settlement;
      const found = await find(transactionId);
      if (found) return found;
      const outcome = await write([putIfAbsent(toRow(settlement))]);
      return outcome === 'WRITTEN' ? settlement : ((await find(transactionId)) ?? settlement);
    },
    async openWallet(address, next) {
      await write([putIfAbsent({ id: walletKey(address), next })]);
    },
    async findOwner(wallet, nonce) {
      const slot = await findRow(slotKey(wallet, nonce));
      return slot && find(slot.transactionId as string);
    },
    async assign(settlement, wallet, counted) {
      const { transactionId } = settlement;
      const { next: nonce, given } = counted;
      const outcome = await write([
        takeNonce(wallet, counted, settlement),
        putIfAbsent({ id: slotKey(wallet, nonce), transactionId, kind: 'pay', before: fromUnits(given) }),
        replace(settlement, withNonce(settlement, wallet, nonce)),
        claimPurchase(tables.transactionsTable, transactionId),
      ]);
      if (outcome === 'WRITTEN') return 'ASSIGNED';
      if (outcome === 'UNKNOWN' || isRefused(outcome[2])) return 'MOVED';
      return isRefused(outcome[3]) ? 'REFUSED' : 'CONTENDED';
    },
    async addAttempt(settlement, attempt) {
      const writes = [replace(settlement, withAttempt(settlement, attempt))];
      if (attempt.kind === 'cancel') writes.push(markSlot(settlement, attempt.kind));
      return (await write(writes)) === 'WRITTEN';
    },
    async noteCast(settlement, cast) {
      await save(settlement, withCast(settlement, cast));
    },
    confirm: (settlement, mined) => save(settlement, asConfirmed(settlement, mined)),
    async fail(settlement, reason, { quarantine, cancel } = {}) {
      const { nonce, transactionId } = settlement;
      const next = withFailedTry(cancel ? { ...settlement, cancel } : settlement, reason);
      const release =
        nonce === undefined ? [] : [closeSlot(settlement, nonce, reason), releasePurchase(transactionId)];
      if (quarantine) release.push(quarantineWallet(settlement, quarantine));
      const outcome = await write([replace(settlement, next), ...release]);
      return outcome === 'WRITTEN' ? next : undefined;
    },
  };
}

function known<Key, Value>(found: (readonly [Key, Value | undefined])[]): Map<Key, Value> {
  return new Map(found.filter((entry): entry is readonly [Key, Value] => entry[1] !== undefined));
}
