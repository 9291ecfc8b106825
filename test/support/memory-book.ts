import type { Book } from '../../functions/adapters/dynamodb/settlement-book.ts';
import type { SeenNonce } from '../../functions/adapters/dynamodb/settlement-reads.ts';
import { toWallet } from '../../functions/adapters/dynamodb/settlement-rows.ts';
import { type Asset, perAsset } from '../../functions/domain/assets.ts';
import { getOf } from '../../functions/domain/get.ts';
import {
  type AssetUnits,
  NOTHING,
  type NonceBooks,
  withPayment,
} from '../../functions/domain/treasury/hot-wallet.ts';
import { NO_PAYOUTS, type PayoutWindow } from '../../functions/domain/treasury/payout-window.ts';
import {
  type AfterTry,
  asConfirmed,
  isOver,
  isOwned,
  type Open,
  type Settlement,
  withAttempt,
  withCast,
  withFailedTry,
  withNonce,
} from '../../functions/domain/treasury/settlement.ts';
import type { Cancellations } from '../../functions/domain/treasury/settlement-ports.ts';

type WalletRow = Omit<NonceBooks, 'mark'>;
export type Purchase = { status: string; disposition?: string };
export type MemoryBook = Book & {
  cancellations: Cancellations;
  rows: Map<string, Settlement>;
  slots: Map<string, string>;
  wallets: Map<string, WalletRow>;
  purchases: Map<string, Purchase>;
};

/**
 * The book without a database, with the same conditions. Each answer waits for a turn of the event loop. A purchase
 * that a test did not set up is `PROCESSING`.
 */
export function memoryBook(): MemoryBook {
  const rows = new Map<string, Settlement>();
  const slots = new Map<string, string>();
  const before = new Map<string, AssetUnits>();
  const purchases = new Map<string, Purchase>();
  const wallets = new Map<string, WalletRow>();
  const windows = new Map<Asset, PayoutWindow>();
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  const purchaseOf = (id: string): Purchase => purchases.get(id) ?? { status: 'PROCESSING' };

  function isStill(was: Open): boolean {
    const now = rows.get(was.transactionId);
    return (
      now !== undefined &&
      now.nonce === was.nonce &&
      !isOver(now) &&
      (now.cancel === undefined) === (was.cancel === undefined) &&
      now.tries.length === was.tries.length &&
      now.attempts.length === was.attempts.length
    );
  }

  async function save(was: Open, next: Settlement): Promise<boolean> {
    await turn();
    if (!isStill(was)) return false;
    rows.set(next.transactionId, next);
    await turn();
    return true;
  }

  async function endTry(was: Open, next: AfterTry): Promise<AfterTry | undefined> {
    if (!(await save(was, next))) return undefined;
    if (isOwned(was)) purchases.set(was.transactionId, { status: 'PROCESSING' });
    return next;
  }

  function markedBy({ address, latest }: SeenNonce): [string, NonceBooks][] {
    const row = wallets.get(address);
    if (!row) return [];
    const committed = latest >= row.next ? row.committed : (before.get(`${address}#${latest}`) ?? NOTHING);
    return [[address, { ...row, mark: { nonce: latest, committed } }]];
  }

  return {
    rows,
    slots,
    purchases,
    wallets,
    cancellations: {
      async ask(transactionId, cancel) {
        await turn();
        const row = rows.get(transactionId);
        if (!row || row.cancel || isOver(row)) return false;
        rows.set(transactionId, { ...row, cancel });
        await turn();
        return true;
      },
    },
    async find(transactionId) {
      await turn();
      return rows.get(transactionId);
    },
    async open(settlement) {
      await turn();
      if (!rows.has(settlement.transactionId)) rows.set(settlement.transactionId, settlement);
      return rows.get(settlement.transactionId) as Settlement;
    },
    async findWallets(asked) {
      await turn();
      const rows = asked.map((address) => [address, wallets.get(address)] as const);
      return new Map(rows.flatMap(([address, row]) => (row ? [[address, toWallet(row)]] : [])));
    },
    async findAccounts(asked) {
      await turn();
      return new Map(asked.flatMap(markedBy));
    },
    async findWindows() {
      await turn();
      return perAsset((asset) => windows.get(asset) ?? NO_PAYOUTS);
    },
    async openWallet(address, next) {
      await turn();
      if (!wallets.has(address)) wallets.set(address, { next, committed: NOTHING });
    },
    async findOwner(wallet, nonce) {
      await turn();
      return rows.get(slots.get(`${wallet}#${nonce}`) ?? '');
    },
    /** This book stores no gas, so no posting of gas is found. */
    findGasPosting: async () => undefined,
    async assign(settlement, wallet, { next: nonce, committed, window }) {
      await turn();
      const { transactionId, asset } = settlement;
      const revision = windows.get(asset)?.revision ?? 0;
      const purchase = purchaseOf(transactionId);
      if (!isStill(settlement)) return 'MOVED';
      if (purchase.status !== 'PROCESSING' || purchase.disposition === 'REFUND') return 'REFUSED';
      const row = wallets.get(wallet);
      if (row?.next !== nonce || row.quarantine || slots.has(`${wallet}#${nonce}`)) return 'CONTENDED';
      if (window.revision !== revision) return 'CONTENDED';
      windows.set(asset, { ...window, revision: revision + 1 });
      wallets.set(wallet, withPayment({ next: nonce, committed }, settlement));
      slots.set(`${wallet}#${nonce}`, transactionId);
      before.set(`${wallet}#${nonce}`, committed);
      rows.set(transactionId, withNonce(settlement, wallet, nonce));
      purchases.set(transactionId, { ...purchase, disposition: 'SETTLE' });
      await turn();
      return 'ASSIGNED';
    },
    async noteOutage(settlement, outage) {
      await save(settlement, { ...settlement, outage });
    },
    addAttempt: (settlement, attempt) => save(settlement, withAttempt(settlement, attempt)),
    async noteCast(settlement, cast) {
      await save(settlement, withCast(settlement, cast));
    },
    confirm: (settlement, mined) => save(settlement, asConfirmed(settlement, mined)),
    fail: (settlement, reason, { cancel } = {}) =>
      endTry(settlement, withFailedTry(settlement, reason, cancel)),
    async failByTheft(settlement, theft) {
      const next = await endTry(settlement, withFailedTry(settlement, theft.reason));
      const { wallet } = settlement;
      if (next) wallets.set(wallet, { ...getOf(wallets, wallet), quarantine: theft });
      return next;
    },
  };
}
