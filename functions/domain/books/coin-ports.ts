import type { WalletCoins } from '../treasury/outflow-ports.ts';
import type { CoinAccount, CoinMovement, Counting } from './coins.ts';
import type { MoneyCase } from './money-case.ts';

/** How far each coin of each wallet is posted. Calls fail as all ports do: functions/domain/ports.ts. */
export type CoinBooks = {
  findAccount(of: Pick<WalletCoins, 'chainId' | 'wallet' | 'coin'>): Promise<CoinAccount | undefined>;
  /** Finds the movement by its `movementKey`. */
  findMovement(key: string): Promise<CoinMovement | undefined>;
  /**
   * Saves the account. The same write adds the movement, its posting and its case. False: another run has
   * saved the account since it was read, and nothing was written.
   */
  save(counting: Counting, opened?: MoneyCase): Promise<boolean>;
};
