import { coinsKey } from '../../functions/domain/books/coins.ts';
import type { Posting, TokenCurrency } from '../../functions/domain/ledger.ts';
import { settledId } from '../../functions/domain/purchase/postings.ts';
import { nonceOfPosting } from '../../functions/domain/treasury/gas.ts';
import type { Row } from './cloud/values.ts';
import type { Violation } from './violation.ts';

/** The coins of a wallet at the last reading that the books have counted. */
type Counted = {
  chainId: number;
  wallet: string;
  coin: TokenCurrency;
  counted: { block: number; amount: unknown; nonce: number };
  unknown: number[];
};

/**
 * The coins of the wallets, and what the ledger and the chain have of each at the block of its last reading.
 * `booked` are the top-ups less the gas, or the deliveries, of the nonces until then. `onChain` is undefined for a
 * block whose state the chain no longer keeps.
 */
export type Coins = {
  wallet: string;
  coin: TokenCurrency;
  booked: bigint;
  counted: bigint;
  onChain: bigint | undefined;
};

export async function findCoins(
  { accounts, ledger, settlements }: Record<'accounts' | 'ledger' | 'settlements', readonly Row[]>,
  amountAt: (of: { wallet: string; coin: TokenCurrency }, block: number) => Promise<bigint | undefined>,
): Promise<Coins[]> {
  const known = accounts.map(({ coins }) => coins as Counted).filter(({ counted }) => counted.block > 0);
  const postings = ledger as unknown as Posting[];
  return Promise.all(
    known.map(async (account) => {
      const { wallet, coin, counted } = account;
      const of = { account, delivered: deliveredBy(account, settlements) };
      const booked = postings.reduce((sum, posting) => sum + amountIn(posting, of), 0n);
      const onChain = await amountAt({ wallet, coin }, counted.block);
      return { wallet, coin, booked, counted: BigInt(counted.amount as bigint), onChain };
    }),
  );
}

const isCounted = (nonce: number, { counted, unknown }: Counted) =>
  nonce < counted.nonce && !unknown.includes(nonce);

/** The ids of the postings of deliveries by the counted nonces of the wallet. */
function deliveredBy(account: Counted, settlements: readonly Row[]): ReadonlySet<string> {
  const own = settlements.filter(
    ({ id, wallet, nonce, state }) =>
      String(id).startsWith('PAY#') &&
      state === 'FINAL' &&
      String(wallet).toLowerCase() === account.wallet.toLowerCase() &&
      isCounted(Number(nonce), account),
  );
  return new Set(own.map(({ transactionId }) => settledId(String(transactionId))));
}

type Of = { account: Counted; delivered: ReadonlySet<string> };

/** The part of the coins at the reading that comes from this posting. */
function amountIn({ id, kind, entries }: Posting, { account, delivered }: Of): bigint {
  const isMoved = kind !== 'GAS_SPENT' && id.slice(0, id.lastIndexOf(':')) === coinsKey(account);
  const isGas = kind === 'GAS_SPENT' && isGasOf(id, account);
  if (!isMoved && !isGas && !delivered.has(id)) return 0n;
  return BigInt(entries.find((entry) => entry.account === `treasury:${account.coin}`)?.amount ?? 0n);
}

function isGasOf(id: string, account: Counted): boolean {
  const { wallet, nonce } = nonceOfPosting({ id });
  return wallet === account.wallet.toLowerCase() && isCounted(nonce, account);
}

/** Invariant 6: the books have the coins of each wallet as the chain has them. */
export function judgeCoins(coins: readonly Coins[]): Violation[] {
  return coins.flatMap(({ wallet, coin, booked, counted, onChain = counted }) =>
    booked === onChain && counted === onChain
      ? []
      : [
          {
            invariant: 6,
            says: `the books have ${booked} ${coin} of ${wallet}, and ${counted} were read of ${onChain}`,
          },
        ],
  );
}
