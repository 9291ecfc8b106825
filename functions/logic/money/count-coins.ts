/** Posts the coins that came to our wallets: docs/decisions.md, "The books". */
import { batchesOf } from '../../domain/batches.ts';
import {
  type CoinAccount,
  type CostOfNonces,
  type Counting,
  countPending,
  findingOfCoins,
  movementKey,
  newCoinAccount,
  noncesOf,
  postingOfCoins,
  withReading,
} from '../../domain/books/coins.ts';
import { openMoneyCase } from '../../domain/books/money-case.ts';
import { instantOf } from '../../domain/ports.ts';
import { settledId } from '../../domain/purchase/postings.ts';
import type { WalletCoins } from '../../domain/treasury/outflow-ports.ts';
import { type Comparison, compareEach, compareLedger } from './comparison.ts';
import { raiseOpened } from './money-cases.ts';

/** Counts the last reading of each coin, if all postings until then are known, and keeps a new one. */
export async function countCoins(run: Comparison): Promise<void> {
  await compareEach(run, await run.ports.outflows.listCoins(), (seen) => countWallet(run, seen));
}

async function countWallet(run: Comparison, seen: WalletCoins): Promise<void> {
  const { coinBooks, clock } = run.ports;
  const known = (await coinBooks.findAccount(seen)) ?? newCoinAccount(seen);
  const counting = countPending(known, await readCosts(known, run), instantOf(clock));
  if (counting && !(await save(counting, run))) return;
  const account = counting?.account ?? known;
  const next = withReading(account, seen, clock.now());
  if (next) await coinBooks.save({ account: next });
  await compareMoved(account, run);
}

const AT_ONCE = 10;

async function readCosts(account: CoinAccount, run: Comparison): Promise<CostOfNonces> {
  const nonces = noncesOf(account);
  const known = new Map<number, bigint>();
  const foreign = new Set<number>();
  async function read(nonce: number): Promise<void> {
    const cost = await readCost({ ...account, nonce }, run);
    if (cost === 'FOREIGN') foreign.add(nonce);
    else if (cost !== undefined) known.set(nonce, cost);
  }
  for (const some of batchesOf(nonces, AT_ONCE)) await Promise.all(some.map(read));
  return { known, foreign };
}

type CoinSlot = Pick<CoinAccount, 'wallet' | 'coin'> & { nonce: number };
/** The cost of a nonce. Undefined: not known yet. `FOREIGN`: the service never assigned the nonce. */
type Cost = bigint | 'FOREIGN' | undefined;

async function readCost({ wallet, coin, nonce }: CoinSlot, { ports }: Comparison): Promise<Cost> {
  const { outflows, ledger } = ports;
  if (coin === 'NATIVE') {
    const posting = await outflows.findGasPosting(wallet, nonce);
    const spent = posting?.entries.find((entry) => entry.account === 'gas');
    if (spent) return spent.amount;
  }
  const owner = await outflows.findOwner(wallet, nonce);
  if (!owner) return 'FOREIGN';
  if (coin === 'NATIVE') return undefined;
  // The nonce has cost no tokens of this coin if its settlement sends another asset, or has given up the
  // nonce after a failed try.
  if (owner.nonce !== nonce || !isSameWallet(owner.wallet, wallet) || owner.asset !== coin) return 0n;
  if (owner.state !== 'FINAL') return undefined;
  const delivery = await ledger.findPosting(settledId(owner.transactionId));
  return delivery?.entries.find((entry) => entry.account === `delivered:${coin}`)?.amount;
}

const isSameWallet = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/**
 * False: another run has counted the reading. The alarm comes before the write, because no later run would
 * raise it after a crash between the two.
 */
async function save(counting: Counting, { ports, counts }: Comparison): Promise<boolean> {
  const finding = counting.movement && findingOfCoins(counting.movement);
  const opened = finding && openMoneyCase({ ...finding, openedAt: ports.clock.now() });
  if (opened) raiseOpened(opened, ports);
  const isSaved = await ports.coinBooks.save(counting, opened);
  if (isSaved && opened) counts.opened += 1;
  return isSaved;
}

/** Compares the last movement of the wallet with its posting. */
async function compareMoved({ movedAt: block, ...account }: CoinAccount, run: Comparison): Promise<void> {
  if (block === undefined) return;
  const movement = await run.ports.coinBooks.findMovement(movementKey({ ...account, block }));
  if (movement) await compareLedger(run, [postingOfCoins(movement)], []);
}
