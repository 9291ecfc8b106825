/** The books as a claim has read them, or as its own last write has left them. */
import type { PerAsset } from '../../domain/assets.ts';
import { getOf } from '../../domain/get.ts';
import { type Account, NOTHING, withPayment } from '../../domain/treasury/hot-wallet.ts';
import type { PayoutWindow } from '../../domain/treasury/payout-window.ts';
import type { Assigned } from '../../domain/treasury/settlement.ts';
import type { Book } from '../dynamodb/settlement-book.ts';
import type { Chain } from './chain.ts';
import { type AskedWallet, leastNonce, type WalletOnChain } from './preflight.ts';
import { asSilence, type Rpc } from './rpc.ts';

/** The account of each wallet, by its address, and the payouts of the last hour. */
export type KnownBooks = { accounts: ReadonlyMap<string, Account>; windows: PerAsset<PayoutWindow> };
type Ports = { rpc: Rpc; book: Book; chain: Chain };

/** The books as of the counts that were asked. Undefined: a wallet has no account yet. */
export async function readEarly(
  { book }: Ports,
  asked: readonly AskedWallet[],
): Promise<KnownBooks | undefined> {
  const reading = book.findWindows();
  reading.catch(() => undefined);
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

/** A new wallet starts at the lowest count of all nodes, because `latest` comes from one node only. */
async function readAccounts(
  { book, rpc, chain }: Ports,
  wallets: WalletOnChain[],
): Promise<KnownBooks['accounts']> {
  const accounts = await book.findAccounts(wallets);
  const unused = wallets.filter(({ address }) => !accounts.has(address));
  if (unused.length === 0) return accounts;
  const open = async (address: string) => book.openWallet(address, await leastNonce(rpc, chain, address));
  // If other wallets have a row, a new wallet may wait for the nodes.
  const opening = unused.map(({ address }) =>
    accounts.size > 0 ? open(address).catch(asSilence) : open(address),
  );
  await Promise.all(opening);
  // Another process may have opened a wallet, and paid from it after this visit read its balance.
  const opened = await book.findAccounts(wallets);
  if (opened.size > 0) return opened;
  return new Map(wallets.map(({ address, latest }) => [address, unopened(latest)]));
}

/** An account without a row. A write for it is refused. */
function unopened(latest: number): Account {
  return { next: latest, committed: NOTHING, mark: { nonce: latest, committed: NOTHING } };
}

/**
 * Whether the books may be right for these wallets. No account may be behind the chain. Its mark must not be later
 * than the reading of the wallet: the balance of that reading still includes what was paid since.
 */
export function areUsable({ accounts }: KnownBooks, wallets: readonly WalletOnChain[]): boolean {
  return wallets.every(({ address, latest }) => {
    const account = accounts.get(address);
    return account !== undefined && account.next >= latest && account.mark.nonce <= latest;
  });
}

/** The books after our own write, which the next write checks. */
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
