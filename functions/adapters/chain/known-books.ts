/**
 * The rows that a claim needs: the accounts of the wallets, and the payouts of the last hour. A claim reads
 * them from the table, or takes them as the last claim of this process has written them.
 */
import type { PerAsset } from '../../domain/assets.ts';
import { begun } from '../../domain/begun.ts';
import { getOf } from '../../domain/get.ts';
import { NOTHING, type NonceBooks, withPayment } from '../../domain/treasury/hot-wallet.ts';
import type { PayoutWindow } from '../../domain/treasury/payout-window.ts';
import type { Assigned } from '../../domain/treasury/settlement.ts';
import type { Book } from '../dynamodb/settlement-book.ts';
import type { Chain } from './chain.ts';
import { type AskedWallet, leastNonce, type WalletOnChain } from './preflight.ts';
import { asSilence, type Rpc } from './rpc.ts';

/** The account of each wallet, by the wallet's address, and the payouts of the last hour for each asset. */
export type KnownBooks = { accounts: ReadonlyMap<string, NonceBooks>; windows: PerAsset<PayoutWindow> };
type Ports = { rpc: Rpc; book: Book; chain: Chain };

/**
 * Reads the rows while the chain is checked. It waits only for each wallet's number of transactions.
 * Undefined if a wallet has no account yet.
 */
export async function readEarly(
  { book }: Ports,
  asked: readonly AskedWallet[],
): Promise<KnownBooks | undefined> {
  const reading = begun(book.findWindows());
  const seen = await Promise.all(
    asked.map(async ({ address, latest }) => ({ address, latest: await latest })),
  );
  const [accounts, windows] = await Promise.all([book.findAccounts(seen), reading]);
  return accounts.size === seen.length ? { accounts, windows } : undefined;
}

export async function readBooks(ports: Ports, wallets: WalletOnChain[]): Promise<KnownBooks> {
  const [accounts, windows] = await Promise.all([readAccounts(ports, wallets), ports.book.findWindows()]);
  return { accounts, windows };
}

/**
 * Reads the account of each wallet, and opens the account of a new one. A new wallet starts at the lowest
 * number of transactions that any node reports, because `latest` comes from only one node.
 */
async function readAccounts(
  { book, rpc, chain }: Ports,
  wallets: WalletOnChain[],
): Promise<KnownBooks['accounts']> {
  const accounts = await book.findAccounts(wallets);
  const unused = wallets.filter(({ address }) => !accounts.has(address));
  if (unused.length === 0) return accounts;
  const open = async (address: string) => book.openWallet(address, await leastNonce(rpc, chain, address));
  // If other wallets can pay, a new wallet may stay unopened until enough nodes answer.
  const opening = unused.map(({ address }) =>
    accounts.size > 0 ? open(address).catch(asSilence) : open(address),
  );
  await Promise.all(opening);
  // Reads the rows again, because another process may have opened a wallet and paid from it after this visit read its
  // balance.
  const opened = await book.findAccounts(wallets);
  if (opened.size > 0) return opened;
  return new Map(wallets.map(({ address, latest }) => [address, unopenedAccount(latest)]));
}

/**
 * Stands for the account of a wallet that has no row yet. No payment can get a nonce from it, because that
 * write requires the row.
 */
function unopenedAccount(latest: number): NonceBooks {
  return { next: latest, committed: NOTHING, mark: { nonce: latest, committed: NOTHING } };
}

/**
 * Whether the rows can still be right, compared with each wallet's number of transactions in the chain.
 * `next`, the account's next nonce, must not be lower than that number, otherwise the row may be too old.
 * `mark.nonce` must not be higher. Otherwise the payments between these two numbers would neither be deducted
 * from the balance nor count as in flight.
 */
export function areUsable({ accounts }: KnownBooks, wallets: readonly WalletOnChain[]): boolean {
  return wallets.every(({ address, latest }) => {
    const account = accounts.get(address);
    return account !== undefined && account.next >= latest && account.mark.nonce <= latest;
  });
}

/**
 * The rows as this process's own write has left them. The next write is refused if another process has
 * changed them since.
 */
export function afterClaim(
  { accounts, windows }: KnownBooks,
  paid: Assigned,
  window: PayoutWindow,
): KnownBooks {
  const { wallet, asset } = paid;
  return {
    accounts: new Map(accounts).set(wallet, withPayment(getOf(accounts, wallet), paid)),
    windows: { ...windows, [asset]: { ...window, revision: window.revision + 1 } },
  };
}
