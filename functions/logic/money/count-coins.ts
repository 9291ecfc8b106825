/** Posts the coins that came to our wallets: docs/decisions.md, "Top-ups of gas". */
import { batchesOf } from '../../domain/batches.ts';
import {
  type CoinAccount,
  type Counting,
  countPending,
  findingOfCoins,
  type GasOfNonces,
  movementKey,
  newCoinAccount,
  noncesOf,
  postingOfCoins,
  withReading,
} from '../../domain/books/coins.ts';
import { openMoneyCase } from '../../domain/books/money-case.ts';
import { instantOf } from '../../domain/ports.ts';
import type { WalletCoins } from '../../domain/treasury/outflow-ports.ts';
import { type Comparison, compareEach, compareLedger } from './comparison.ts';
import { raiseOpened } from './money-cases.ts';

/** Counts the last reading of each wallet, if the gas until then is known, and keeps a new one. */
export async function countCoins(run: Comparison): Promise<void> {
  await compareEach(run, await run.ports.outflows.listCoins(), (seen) => countWallet(run, seen));
}

async function countWallet(run: Comparison, seen: WalletCoins): Promise<void> {
  const { coinBooks, clock } = run.ports;
  const known = (await coinBooks.findAccount(seen)) ?? newCoinAccount(seen);
  const counting = countPending(known, await readGas(known, run), instantOf(clock));
  if (counting && !(await save(counting, run))) return;
  const account = counting?.account ?? known;
  const next = withReading(account, seen, clock.now());
  if (next) await coinBooks.save({ account: next });
  await compareMoved(account, run);
}

const AT_ONCE = 10;

async function readGas(account: CoinAccount, { ports: { outflows } }: Comparison): Promise<GasOfNonces> {
  const nonces = noncesOf(account);
  const known = new Map<number, bigint>();
  const foreign = new Set<number>();
  async function read(nonce: number): Promise<void> {
    const posting = await outflows.findGasPosting(account.wallet, nonce);
    const spent = posting?.entries.find((entry) => entry.account === 'gas');
    if (spent) known.set(nonce, spent.amount);
    else if (!(await outflows.findOwner(account.wallet, nonce))) foreign.add(nonce);
  }
  for (const some of batchesOf(nonces, AT_ONCE)) await Promise.all(some.map(read));
  return { known, foreign };
}

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
