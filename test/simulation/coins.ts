import type { Posting } from '../../functions/domain/ledger.ts';
import { nonceOfPosting } from '../../functions/domain/treasury/gas.ts';
import type { Row } from './cloud/values.ts';
import type { Violation } from './violation.ts';

/** The coins of a wallet at the last reading that the books have counted. */
type Counted = {
  chainId: number;
  wallet: string;
  counted: { block: number; wei: unknown; nonce: number };
  unknown: number[];
};

/**
 * The wallets, and what the ledger and the chain have for each at the block of its last reading. `booked` are the
 * top-ups less the gas of the nonces until then. `onChain` is undefined for a block whose state the chain no longer
 * keeps.
 */
export type Coins = { wallet: string; booked: bigint; counted: bigint; onChain: bigint | undefined };

export async function findCoins(
  { accounts, ledger }: { accounts: readonly Row[]; ledger: readonly Row[] },
  balanceAt: (wallet: string, block: number) => Promise<bigint | undefined>,
): Promise<Coins[]> {
  const known = accounts.map(({ coins }) => coins as Counted).filter(({ counted }) => counted.block > 0);
  return Promise.all(
    known.map(async (account) => {
      const { wallet, counted } = account;
      const booked = ledger.reduce((sum, row) => sum + weiOf(row as unknown as Posting, account), 0n);
      const onChain = await balanceAt(wallet, counted.block);
      return { wallet, booked, counted: BigInt(counted.wei as bigint), onChain };
    }),
  );
}

/** The part of the wallet's coins at the reading that comes from this posting. */
function weiOf({ id, kind, entries }: Posting, { chainId, wallet, counted, unknown }: Counted): bigint {
  if (!id.startsWith(`${chainId}:${wallet.toLowerCase()}:`)) return 0n;
  const { nonce } = nonceOfPosting({ id });
  if (kind === 'GAS_SPENT' && (nonce >= counted.nonce || unknown.includes(nonce))) return 0n;
  return BigInt(entries.find(({ account }) => account === 'treasury:NATIVE')?.amount ?? 0n);
}

/** Invariant 6: the books have each wallet's coins as the chain has them. */
export function judgeCoins(coins: readonly Coins[]): Violation[] {
  return coins.flatMap(({ wallet, booked, counted, onChain = counted }) =>
    booked === onChain && counted === onChain
      ? []
      : [
          {
            invariant: 6,
            says: `the books have ${booked} wei of ${wallet}, and ${counted} were read of ${onChain}`,
          },
        ],
  );
}
